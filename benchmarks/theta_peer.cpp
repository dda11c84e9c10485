// Theta sketches of Apache DataSketches in ./bench segments: sets_side.h with sketches of 4,096
// samples, 32 KiB, pair by pair.
//
//   theta_peer FILE SETS OUT

#include "sets_side.h"

#include <optional>
#include <theta_intersection.hpp>
#include <theta_sketch.hpp>

namespace {

using namespace footfall::benchmarks;

class Theta {
public:
    void build(const Members& members) {
        auto sketch = datasketches::update_theta_sketch::builder{}.set_lg_k(12).build();
        for (const std::uint32_t member : members) {
            sketch.update(member);
        }
        // Of more samples than that its intersection makes its table anew with each that it keeps
        // (4.1.0), which takes 15 ms a pair.
        sketch.trim();
        sketches_.push_back(sketch.compact());
    }

    Pairs count() const {
        Pairs pairs(sketches_.size() * sketches_.size());
        for (std::size_t one = 0; one < sketches_.size(); ++one) {
            pairs[one * sketches_.size() + one] = sketches_[one].get_estimate();
            for (std::size_t other = one + 1; other < sketches_.size(); ++other) {
                datasketches::theta_intersection both;
                both.update(sketches_[one]);
                both.update(sketches_[other]);
                pairs[one * sketches_.size() + other] = both.get_result().get_estimate();
            }
        }
        return pairs;
    }

private:
    std::vector<datasketches::compact_theta_sketch> sketches_;
};

}  // namespace

int main(int argc, char** argv) {
    const std::span words{argv, static_cast<std::size_t>(argc)};
    if (argc != 4) {
        fmt::print(stderr, "theta_peer FILE SETS OUT\n");
        return 2;
    }
    return measure_pairs(Theta{}, words[1], std::stoul(words[2]), words[3]);
}
