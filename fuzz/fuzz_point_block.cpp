#include "foundation/check.h"
#include "foundation/crc32c.h"
#include "foundation/fixed_bytes.h"
#include "series/block.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// The input is a block of points but for its checksum, which is added. Whatever is read rises in
// time, and comes back from its own bytes.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace footfall;
    using namespace footfall::series;
    std::string bytes{reinterpret_cast<const char*>(data), size};
    append_fixed(crc32c(bytes), bytes);
    std::vector<Point> points;
    if (!decode(bytes, points)) {
        CHECK(points.empty(), "points of a block that is none");
        return 0;
    }
    std::vector<Point> again;
    CHECK(decode(encode(points), again).has_value(), "its own bytes are not read");
    CHECK(again.size() == points.size(), "another number of points");
    for (std::size_t at = 0; at < points.size(); ++at) {
        CHECK(
            again[at].time == points[at].time && std::bit_cast<std::uint64_t>(again[at].value) ==
                                                     std::bit_cast<std::uint64_t>(points[at].value),
            "another point"
        );
    }
    return 0;
}
