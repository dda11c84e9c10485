// CRoaring in ./bench segments: sets_side.h with its bitmaps, pair by pair.
//
//   roaring_peer FILE SETS OUT

#include "sets_side.h"

#include <roaring/roaring.hh>

namespace {

using namespace footfall::benchmarks;

class CRoaring {
public:
    void build(const Members& members) {
        Roaring set{members.size(), members.data()};
        set.shrinkToFit();
        sets_.push_back(std::move(set));
    }

    Pairs count() const {
        Pairs pairs(sets_.size() * sets_.size());
        for (std::size_t one = 0; one < sets_.size(); ++one) {
            pairs[one * sets_.size() + one] = static_cast<double>(sets_[one].cardinality());
            for (std::size_t other = one + 1; other < sets_.size(); ++other) {
                pairs[one * sets_.size() + other] =
                    static_cast<double>(sets_[one].and_cardinality(sets_[other]));
            }
        }
        return pairs;
    }

private:
    std::vector<Roaring> sets_;
};

}  // namespace

int main(int argc, char** argv) {
    const std::span words{argv, static_cast<std::size_t>(argc)};
    if (argc != 4) {
        fmt::print(stderr, "roaring_peer FILE SETS OUT\n");
        return 2;
    }
    return measure_pairs(CRoaring{}, words[1], std::stoul(words[2]), words[3]);
}
