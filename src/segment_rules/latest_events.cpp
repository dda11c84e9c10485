#include "segment_rules/latest_events.h"

#include "foundation/varint.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace footfall::segment_rules {
namespace {

std::unexpected<Error> damaged() {
    return fail(ErrorKind::corrupt, "a row of a segment's events is damaged");
}

std::int64_t microseconds_of(Instant instant) {
    return instant.time_since_epoch().count();
}

}  // namespace

bool LatestEvents::add(const EventMark& mark) {
    const auto at = std::ranges::lower_bound(marks_, mark, std::ranges::greater{});
    const bool too_old = at == marks_.end() && marks_.size() == times_;
    if (too_old || (at != marks_.end() && *at == mark)) {
        return false;
    }
    marks_.insert(at, mark);
    if (marks_.size() > times_) {
        marks_.pop_back();
    }
    return true;
}

bool LatestEvents::add(const LatestEvents& other) {
    bool changed = false;
    for (const EventMark& mark : other.marks_) {
        changed = add(mark) || changed;
    }
    return changed;
}

std::optional<Instant> LatestEvents::until(std::chrono::seconds within) const {
    if (marks_.size() < times_) {
        return std::nullopt;
    }
    return marks_.back().time + within;
}

std::string LatestEvents::bytes() const {
    std::string bytes;
    std::int64_t before = 0;
    for (const EventMark& mark : marks_) {
        const std::int64_t time = microseconds_of(mark.time);
        append_varint(zigzag(time - before), bytes);
        append_varint(mark.lane, bytes);
        append_varint(mark.offset, bytes);
        before = time;
    }
    return bytes;
}

Result<LatestEvents> LatestEvents::read(std::string_view bytes, std::uint32_t times) {
    LatestEvents latest{times};
    std::int64_t before = 0;
    while (!bytes.empty()) {
        std::uint64_t step = 0;
        std::uint64_t lane = 0;
        std::uint64_t offset = 0;
        if (!take_varint(bytes, step) || !take_varint(bytes, lane) || !take_varint(bytes, offset) ||
            lane > std::numeric_limits<std::uint32_t>::max()) {
            return damaged();
        }
        // Unsigned, so that damaged bytes cannot overflow.
        before = static_cast<std::int64_t>(
            static_cast<std::uint64_t>(before) + static_cast<std::uint64_t>(from_zigzag(step))
        );
        latest.add(
            {.time = Instant{std::chrono::microseconds{before}},
             .lane = static_cast<std::uint32_t>(lane),
             .offset = offset}
        );
    }
    return latest;
}

}  // namespace footfall::segment_rules
