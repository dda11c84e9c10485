#include "reading_routes/shown_reading.h"

#include "events/rfc3339.h"
#include "jobs/shown_writer.h"
#include "reading/url_readers.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::reading::routes {
namespace {

/// [{"reader":17,"quarter":"2026-11-21T10:00:00Z"}], the number as other tables have it.
Result<std::string> readers_json(const showing::RowInPage& /*row*/, std::string_view bytes) {
    std::vector<UrlRead> reads;
    TRY_VOID(take_reads(bytes, reads));
    std::string json = "[";
    for (const UrlRead& each : reads) {
        json += fmt::format(
            R"({}{{"reader":{},"quarter":"{}"}})",
            json.ends_with('[') ? "" : ",",
            static_cast<std::int64_t>(each.reader),
            events::format_rfc3339(begin_of(each.quarter))
        );
    }
    return json + "]";
}

}  // namespace

std::span<const showing::ShownColumn> shown_reading() {
    static const std::array columns{
        jobs::shown_writer, showing::ShownColumn{.column = "readers", .json = readers_json}
    };
    return columns;
}

}  // namespace footfall::reading::routes
