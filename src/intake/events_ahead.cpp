#include "intake/events_ahead.h"

#include "events/verdict.h"
#include "journal/records.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

namespace footfall::intake {
namespace {

/// Records that are looked at one by one; further on only some are.
constexpr std::size_t looked_at = 1000;
constexpr std::size_t bytes_at_once = 4 << 20;

}  // namespace

struct EventsAhead::Lane {
    std::uint32_t number;
    OldEvents::Young first;
    std::uint64_t end;
    Instant before;
};

Result<std::uint64_t> EventsAhead::all_old_to(
    std::uint32_t lane, const OldEvents::Young& first, std::uint64_t end, Instant before
) {
    const Lane looked{.number = lane, .first = first, .end = end, .before = before};
    TRY(const std::vector<Arrival> arrivals, this->arrivals(looked, first.offset, looked_at));
    if (arrivals.empty()) {
        return 0;
    }
    const std::uint64_t near = old_among(looked, arrivals);
    TRY(const std::uint64_t far, old_further_on(looked, arrivals.back().offset));
    return std::max({near, far, seen_for_long(looked, arrivals)});
}

/// Of the events from an offset on, and before the end.
Result<std::vector<EventsAhead::Arrival>> EventsAhead::arrivals(
    const Lane& lane, std::uint64_t from, std::size_t most
) const {
    TRY(const journal::Records records,
        context_->log->read(lane.number, from, {.records = most, .bytes = bytes_at_once}));
    std::vector<Arrival> arrivals;
    for (std::size_t at = 0; at < records.size(); ++at) {
        TRY(const events::LogRecord record, events::read_record(records[at]));
        const std::uint64_t offset = records.first() + at;
        const auto* const judged = std::get_if<events::JudgedEvent>(&record);
        if (judged != nullptr && offset < lane.end) {
            arrivals.push_back({.offset = offset, .instant = judged->arrival});
        }
    }
    return arrivals;
}

/// What says that it is twice as old, or more, is of a clock that was behind.
bool EventsAhead::is_old(const Lane& lane, const Arrival& arrival) const {
    return arrival.instant < lane.before && arrival.instant >= lane.before - keep_;
}

/// The last of them that is old, if what follows bears it out, or nothing follows; else 0.
std::uint64_t EventsAhead::old_among(const Lane& lane, std::span<const Arrival> arrivals) const {
    std::size_t behind = arrivals.size();
    while (behind > 0 && !is_old(lane, arrivals[behind - 1])) {
        --behind;
    }
    if (behind == 0) {
        return 0;
    }
    const std::uint64_t last = arrivals[behind - 1].offset;
    const bool nothing_follows = last + 1 >= lane.end;
    const bool next_agrees =
        behind < arrivals.size() && arrivals[behind].instant < lane.first.arrival;
    return nothing_follows || next_agrees ? last : 0;
}

/// By halves, as if all said when they came: of those that a clock was wrong for nothing is seen
/// until as many again are old.
Result<std::uint64_t> EventsAhead::old_further_on(const Lane& lane, std::uint64_t from) const {
    std::vector<Arrival> last;  // that is old, and the next
    for (std::uint64_t low = from + 1, high = lane.end; low < high;) {
        const std::uint64_t middle = low + (high - low) / 2;
        TRY(std::vector<Arrival> two, arrivals(lane, middle, 2));
        if (!two.empty() && is_old(lane, two.front())) {
            last = std::move(two);
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return old_among(lane, last);
}

/// Only what says still that it is to come.
std::uint64_t EventsAhead::seen_for_long(const Lane& lane, std::span<const Arrival> arrivals) {
    const Instant now = context_->clock->now();
    const auto is_ahead = [&](const Arrival& each) { return each.instant > now + clock_slack; };
    std::optional<SeenAhead>& seen = seen_[lane.number];
    if (!is_ahead(arrivals.front())) {
        seen.reset();
        return 0;
    }
    if (!seen || seen->at > now || seen->end <= lane.first.offset) {
        seen = SeenAhead{.end = lane.end, .at = now};
    }
    if (seen->at >= lane.before) {
        return 0;
    }
    const auto end = std::ranges::find_if_not(arrivals, is_ahead);
    const std::uint64_t run = std::prev(end)->offset + 1;
    return std::min(run, seen->end);
}

}  // namespace footfall::intake
