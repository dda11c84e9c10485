#include "intake/log_collector.h"

#include "foundation/check.h"
#include "foundation/log.h"
#include "intake/questions.h"
#include "intake/room.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::intake {
namespace {

/// Records of one lane, packed.
struct LaneRecords {
    std::string bytes;
    std::vector<std::size_t> ends;

    std::vector<std::string_view> views() const {
        std::vector<std::string_view> views;
        views.reserve(ends.size());
        for (std::size_t start = 0; const std::size_t end : ends) {
            views.push_back(std::string_view{bytes}.substr(start, end - start));
            start = end;
        }
        return views;
    }
};

/// So long a store that gave no answer is not asked again: each question could take seconds.
constexpr std::chrono::seconds pause_of_asking{1};

std::vector<Arriving*> those_with_id(std::span<Arriving> events) {
    std::vector<Arriving*> with_id;
    for (Arriving& each : events) {
        if (each.keys.identity != 0) {
            with_id.push_back(&each);
        }
    }
    return with_id;
}

/// Whether the store showed it, saying the same.
bool is_stored(const Arriving& event) {
    return event.same_conflict || (event.earlier && event.earlier->content == event.keys.content);
}

}  // namespace

/// Events, and the same as records.
struct LogCollector::Packed {
    std::vector<Arriving> events;
    std::vector<LaneRecords> lanes;
};

LogCollector::Packed LogCollector::pack(Arrived arrived) const {
    Packed packed;
    packed.events.resize(arrived.events.size());
    packed.lanes.resize(events_->lanes());
    for (std::size_t at = 0; at < packed.events.size(); ++at) {
        Arriving& each = packed.events[at];
        each.judged = {
            .event = std::move(arrived.events[at]),
            .arrival = arrived.arrival,
            .verdict = {},
            .door = arrived.door,
            .machine_sign = arrived.machine_sign
        };
        if (reads_ != nullptr) {
            reads_->take(each.judged);
            reads_->seals().seal(each.judged);
        }
        each.keys = events::keys_of(each.judged, secret_);
        LaneRecords& lane = packed.lanes[each.keys.lane];
        events::append_judged(each.judged, lane.bytes);
        lane.ends.push_back(lane.bytes.size());
    }
    return packed;
}

/// On failure `position` says what was appended before it.
Result<void> LogCollector::append_in_lane(
    std::uint32_t lane,
    std::span<const std::string_view> records,
    std::chrono::steady_clock::time_point patience_ends,
    storage::CommitPosition& position
) {
    const auto append = [&] { return events_->append(lane, records); };
    TRY(const storage::CommitPosition last, once_there_is_room(append, patience_ends));
    position = std::max(position, last);
    return {};
}

Result<storage::CommitPosition> LogCollector::append(const Packed& packed) {
    Taken appended;
    const auto patience_ends = std::chrono::steady_clock::now() + room_patience;
    for (std::uint32_t lane = 0; lane < packed.lanes.size(); ++lane) {
        if (packed.lanes[lane].ends.empty()) {
            continue;
        }
        const std::vector<std::string_view> records = packed.lanes[lane].views();
        if (auto done = append_in_lane(lane, records, patience_ends, appended.position); !done) {
            return std::unexpected(appended.failure(std::move(done).error()));
        }
    }
    return appended.position;
}

Result<Taken> LogCollector::collect(Arrived arrived) {
    Packed packed = pack(std::move(arrived));
    const std::vector<Arriving*> with_id = those_with_id(packed.events);
    // Before they are appended: afterwards it may be themselves that the store shows.
    look_for_ids(with_id);
    TRY(const storage::CommitPosition position, append(packed));
    const auto known = std::ranges::count_if(with_id, [&](const Arriving* each) {
        return is_stored(*each) || recent_.note(each->keys, position, *events_);
    });
    return Taken{.duplicates = static_cast<std::uint64_t>(known), .position = position};
}

Result<void> LogCollector::say_each(std::span<const events::ControlInLane> controls) {
    Taken said;
    Result<void> all;
    const auto patience_ends = std::chrono::steady_clock::now() + room_patience;
    for (auto each = controls.begin(); all && each != controls.end(); ++each) {
        CHECK(events::is_said(each->control), "which rules are in force judges say by themselves");
        std::string record;
        events::append_control(each->control, record);
        const std::string_view records[] = {record};
        all = append_in_lane(each->lane, records, patience_ends, said.position);
    }
    if (all) {
        all = journal::wait_durable(*events_, said.position);
    }
    return all ? all : std::unexpected(said.failure(std::move(all).error()));
}

/// Asks the store for these, if it is there.
void LogCollector::look_for_ids(std::span<Arriving* const> with_id) {
    const Instant now = clock_->now();
    const Instant failed = store_failed_.load();
    if (failed <= now && now - failed < pause_of_asking) {
        return;
    }
    if (const Result<void> asked = ask_for_ids(*store_, StandingRows{}, with_id, secret_); !asked) {
        store_failed_.store(now);
        log(LogLevel::warning,
            "events are taken without a look whether their ids are known: {}",
            asked.error().message);
    }
}

Result<storage::CommitPosition> LogCollector::append(Arrived arrived) {
    return append(pack(std::move(arrived)));
}

}  // namespace footfall::intake
