#include "foundation/check.h"
#include "series/name.h"
#include "timeseries_routes/remote_write.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// The input is a body of remote write: once as it came, and once as what was in it before it was
// packed. Whatever is read has a name as series have it, and a value.

namespace {

using namespace footfall;
using namespace footfall::timeseries::routes;

void look(std::string_view bytes) {
    const auto read = read_write_request(bytes);
    if (!read) {
        return;
    }
    CHECK(read->sent.points.size() <= remote_write_points_max, "more points than are allowed");
    CHECK(read->unnamed == 0 || !read->why.empty(), "it is said why");
    for (const auto& each : read->sent.points) {
        const auto name = series::parse_name(each.name);
        CHECK(name.has_value() && *name == each.name, "a name that is none");
        CHECK(!std::isnan(each.point.value), "a point without a value");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes{reinterpret_cast<const char*>(data), size};
    look(bytes);
    if (const auto unpacked = unpack(bytes); unpacked && *unpacked) {
        CHECK((*unpacked)->size() <= remote_write_bytes_max, "more bytes than are allowed");
        look(**unpacked);
    }
    return 0;
}
