// Apache DataSketches in ./bench people: people_side.h with its HLL and its CPC.
//
//   datasketches_peer hll|cpc SIZE...

#include "people_side.h"

#include <cpc_sketch.hpp>
#include <cpc_union.hpp>
#include <hll.hpp>

namespace {

using namespace footfall::benchmarks;

template <class OneSketch>
struct Side {
    using Sketch = OneSketch;

    static void add(Sketch& sketch, std::string_view person) {
        sketch.update(person.data(), person.size());
    }

    static void settle(Sketch&) {}

    static double count(const Sketch& sketch) { return sketch.get_estimate(); }
};

/// As close as Redis, in four bits a register.
struct Hll : Side<datasketches::hll_sketch> {
    static constexpr std::uint8_t precision = 14;

    static Sketch made() { return Sketch{precision, datasketches::HLL_4}; }

    static std::size_t at_rest(const Sketch& sketch) { return sketch.serialize_compact().size(); }

    static double union_count(const Sketch& left, const Sketch& right) {
        datasketches::hll_union both{precision};
        both.update(left);
        both.update(right);
        return both.get_estimate();
    }
};

struct Cpc : Side<datasketches::cpc_sketch> {
    static constexpr std::uint8_t precision = 13;

    static Sketch made() { return Sketch{precision}; }

    static std::size_t at_rest(const Sketch& sketch) { return sketch.serialize().size(); }

    static double union_count(const Sketch& left, const Sketch& right) {
        datasketches::cpc_union both{precision};
        both.update(left);
        both.update(right);
        return both.get_result().get_estimate();
    }
};

}  // namespace

int main(int argc, char** argv) {
    const std::span words{argv, static_cast<std::size_t>(argc)};
    const std::string_view wanted = argc > 1 ? words[1] : "";
    if (wanted == "hll") {
        return measure_sizes(Hll{}, words.subspan(2));
    }
    if (wanted == "cpc") {
        return measure_sizes(Cpc{}, words.subspan(2));
    }
    fmt::print(stderr, "datasketches_peer hll|cpc SIZE...\n");
    return 2;
}
