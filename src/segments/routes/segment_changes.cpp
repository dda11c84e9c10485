#include "segments_routes/segment_changes.h"

#include "foundation/parse_number.h"
#include "segments_routes/change_json.h"

#include <fmt/format.h>

namespace footfall::segments::routes {

std::string HookSubject::text() const {
    return fmt::format("{} {}", number, segment);
}

std::optional<HookSubject> HookSubject::read(std::string_view text) {
    const std::size_t end = text.find(' ');
    const auto number = parse_unsigned(text.substr(0, end));
    if (end == std::string_view::npos || !number) {
        return std::nullopt;
    }
    return HookSubject{
        .number = static_cast<std::int64_t>(*number), .segment = std::string{text.substr(end + 1)}
    };
}

Result<std::vector<webhooks::Change>> SegmentChanges::changes(
    const std::string& subject, const std::string& filter, std::uint64_t after, std::size_t limit
) {
    std::vector<webhooks::Change> told;
    const std::optional<HookSubject> about = HookSubject::read(subject);
    if (!about) {
        return told;
    }
    TRY(const std::optional<Segment> segment, segments_->find(about->segment));
    if (!segment || segment->number != about->number) {
        return told;
    }
    // Changes of other networks are passed over, in pages.
    for (bool more = true; more && told.empty();) {
        TRY(const Changes page, segments_->changes(about->segment, after, filter, limit));
        for (const Change& each : page.rows) {
            std::string json;
            append_change(each, fmt::format("{}/{}", about->number, each.number), json);
            told.push_back({.number = each.number, .json = std::move(json)});
        }
        after = page.after;
        more = page.more;
    }
    return told;
}

}  // namespace footfall::segments::routes
