#include "foundation/check.h"
#include "graphite/expression.h"
#include "graphite/functions.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

// The input is a target of a graph. Whatever is answered has steps, and no more lines and values
// than could be read.

namespace {

using namespace footfall;

constexpr std::int64_t step = 10;
constexpr std::int64_t values_max = 10'000;

/// Two lines with gaps, of any name.
Result<graphite::Lines> lines_of(std::string_view pattern, const graphite::Asked& asked) {
    const std::int64_t count = (asked.until - asked.from) / step;
    if (asked.from < 0 || count < 0 || count > values_max) {
        return fail(ErrorKind::invalid_input, "too much");
    }
    graphite::Lines lines;
    for (const char* const name : {"a.b", "c.d"}) {
        graphite::Drawn line{
            .name = name,
            .path = std::string{pattern},
            .tags = {{"name", name}},
            .start = asked.from + step,
            .end = asked.from + step + count * step,
            .step = step,
            .values = {}
        };
        for (std::int64_t at = 0; at < count; ++at) {
            const bool is_there = at % 3 != 0;
            line.values.push_back(is_there ? std::optional{static_cast<double>(at)} : std::nullopt);
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto target = graphite::parse_target({reinterpret_cast<const char*>(data), size});
    if (!target) {
        return 0;
    }
    const auto lines = graphite::evaluate(
        *target, {.from = 100'000, .until = 100'600, .fetch = lines_of, .left = {}}
    );
    if (lines) {
        for (const graphite::Drawn& each : *lines) {
            CHECK(each.step > 0, "a line without a step");
            CHECK(graphite::shown(each) <= each.values.size(), "more is shown than there is");
        }
    }
    return 0;
}
