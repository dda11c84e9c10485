#include "projecting/projection_host.h"

#include "foundation/check.h"
#include "foundation/log.h"
#include "projecting/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace footfall::projecting {
namespace {

constexpr std::uint64_t without_end = std::numeric_limits<std::uint64_t>::max();

std::int64_t stored(std::uint64_t number) {
    return static_cast<std::int64_t>(number);
}

/// Those of `records`, which stand in the order of their offsets, from this offset on.
template <class Record>
std::span<const Record> from(std::span<const Record> records, std::uint64_t offset) {
    const auto first = std::ranges::lower_bound(records, offset, {}, &Record::offset);
    return {first, records.end()};
}

/// What the log has no more and a projection has not counted.
struct Gone {
    std::size_t lanes = 0;
    std::uint64_t records = 0;
};

void tell_gone(std::string_view projection, const Gone& gone) {
    if (gone.lanes > 0) {
        log(LogLevel::warning,
            "{}: {} lanes of the log begin behind what is stored of them: {} records that went "
            "before are not counted",
            projection,
            gone.lanes,
            gone.records);
    }
}

/// Events and control records in the order of the lane.
void apply(
    Projection& projection,
    std::uint32_t lane,
    std::span<const JudgedRecord> events,
    std::span<const ControlRecord> controls
) {
    for (const ControlRecord& each : controls) {
        const std::span<const JudgedRecord> behind = from(events, each.offset);
        const auto before = events.first(events.size() - behind.size());
        if (!before.empty()) {
            projection.apply(lane, before);
        }
        projection.control(lane, each.offset, each.control);
        events = behind;
    }
    if (!events.empty()) {
        projection.apply(lane, events);
    }
}

}  // namespace

ProjectionHost::ProjectionHost(
    storage::Store& store, const journal::Log& log, std::vector<Registered> projections
)
    : store_{&store}, log_{&log}, projections_{std::move(projections)} {
    for (auto each = projections_.begin(); each != projections_.end(); ++each) {
        const auto same = [&](const Registered& other) { return other.name == each->name; };
        CHECK(std::none_of(projections_.begin(), each, same), "a name of two", each->name);
    }
}

Result<std::vector<Mark>> ProjectionHost::open(std::span<const std::uint32_t> lanes) {
    const Lane unopened{.open = true, .next = {.offset = without_end}, .marks = {}, .written = {}};
    std::vector<Lane> opened(lanes.size(), unopened);
    for (const Registered& each : projections_) {
        TRY(const auto stored, read_checkpoints(*store_, *log_, each.name));
        std::vector<LaneStart> begun;
        begun.reserve(lanes.size());
        Gone gone;
        for (std::size_t at = 0; at < lanes.size(); ++at) {
            const Mark begin{.offset = log_->begin(lanes[at]), .source = 0};
            Mark mark = stored[lanes[at]].value_or(begin);
            if (mark.offset < begin.offset) {
                ++gone.lanes;
                gone.records += begin.offset - mark.offset;
                mark.offset = begin.offset;
            }
            opened[at].written.push_back(mark);
            if (mark.offset < opened[at].next.offset) {
                opened[at].next = mark;
            }
            begun.push_back({.lane = lanes[at], .offset = mark.offset});
        }
        TRY_VOID(each.projection->begin(begun));
        tell_gone(each.name, gone);
    }
    std::vector<Mark> starts;
    starts.reserve(lanes.size());
    for (std::size_t at = 0; at < lanes.size(); ++at) {
        opened[at].marks.begin_at(opened[at].next);
        starts.push_back(opened[at].next);
        lanes_.with(lanes[at], [&](Lane& state) { state = std::move(opened[at]); });
    }
    return starts;
}

Mark ProjectionHost::next(std::uint32_t lane) {
    return lanes_.with(lane, [](const Lane& state) { return state.next; });
}

Result<void> ProjectionHost::wait_for_room() {
    for (const Registered& each : projections_) {
        TRY_VOID(each.projection->wait_for_room());
    }
    return {};
}

void ProjectionHost::tell(std::uint32_t lane, const Told& told) {
    lanes_.with(lane, [&](Lane& state) {
        if (!state.open || told.end.offset <= state.next.offset) {
            return;
        }
        for (std::size_t at = 0; at < projections_.size(); ++at) {
            const std::uint64_t first = std::max(state.next.offset, state.written[at].offset);
            apply(
                *projections_[at].projection,
                lane,
                from(told.events, first),
                from(told.controls, first)
            );
        }
        state.next = told.end;
        state.marks.told(told.end);
    });
}

Result<void> ProjectionHost::flush(bool all) {
    for (const Registered& each : projections_) {
        TRY_VOID(each.projection->flush(all));
    }
    return {};
}

/// Where the checkpoint of a projection may move; absent: nowhere. With the lane's mutex held.
std::optional<Mark> ProjectionHost::moved_to(
    std::uint32_t lane, const Lane& state, std::size_t projection, std::uint64_t durable_before
) {
    const auto unsaved = projections_[projection].projection->unsaved(lane);
    const std::uint64_t saved = std::min(unsaved.value_or(without_end), state.next.offset);
    const auto mark = state.marks.at(std::min(saved, durable_before));
    return mark && mark->offset > state.written[projection].offset ? mark : std::nullopt;
}

void ProjectionHost::add_moved(
    std::uint32_t lane, std::uint64_t durable_before, std::vector<Moved>& moved
) {
    lanes_.with(lane, [&](const Lane& state) {
        for (std::size_t at = 0; state.open && at < projections_.size(); ++at) {
            if (const auto to = moved_to(lane, state, at, durable_before)) {
                moved.push_back({.lane = lane, .projection = at, .to = *to});
            }
        }
    });
}

void ProjectionHost::note_written(const Moved& moved) {
    lanes_.with(moved.lane, [&](Lane& state) {
        if (state.open) {
            state.written[moved.projection] = moved.to;
            const auto lowest = std::ranges::min(state.written, {}, &Mark::offset);
            state.marks.forget_before(lowest.offset);
        }
    });
}

Result<storage::CommitPosition> ProjectionHost::write_checkpoints(
    std::span<const std::uint64_t> durable_before
) {
    std::vector<Moved> moved;
    for (std::uint32_t lane = 0; lane < durable_before.size(); ++lane) {
        add_moved(lane, durable_before[lane], moved);
    }
    storage::Batch batch;
    for (const Moved& each : moved) {
        batch.upsert(
            projection_checkpoint_table,
            {stored(log_->id()),
             std::int64_t{each.lane},
             projections_[each.projection].name,
             stored(each.to.offset),
             stored(each.to.source)}
        );
    }
    TRY(const storage::CommitPosition position, store_->submit(batch));
    for (const Moved& each : moved) {
        note_written(each);
    }
    return position;
}

Instant ProjectionHost::stored_until(std::uint32_t lane) {
    Instant stored = Instant::max();
    for (const Registered& each : projections_) {
        stored = std::min(stored, each.projection->stored_until(lane));
    }
    return stored;
}

Result<std::vector<std::string>> ProjectionHost::answer(
    std::string_view projection, std::span<const AskedLane> asked, std::string_view of_all
) {
    const auto found = std::ranges::find(projections_, projection, &Registered::name);
    if (found == projections_.end()) {
        return fail(ErrorKind::invalid_input, fmt::format("no projection {} here", projection));
    }
    return found->projection->answer_all(asked, of_all);
}

void ProjectionHost::close(std::span<const std::uint32_t> lanes) {
    for (const std::uint32_t lane : lanes) {
        lanes_.with(lane, [](Lane& state) { state.open = false; });
        for (const Registered& each : projections_) {
            each.projection->drop_lane(lane);
        }
    }
}

void ProjectionHost::drop() {
    for (std::uint32_t lane = 0; lane < decltype(lanes_)::count; ++lane) {
        lanes_.with(lane, [](Lane& state) { state.open = false; });
    }
    for (const Registered& each : projections_) {
        each.projection->drop();
    }
}

Result<std::vector<std::uint64_t>> ProjectionHost::stored_by_all() {
    std::vector<std::uint64_t> lowest(log_->lanes(), without_end);
    for (const Registered& each : projections_) {
        TRY(const auto marks, read_checkpoints(*store_, *log_, each.name));
        for (std::size_t lane = 0; lane < lowest.size(); ++lane) {
            lowest[lane] = std::min(lowest[lane], marks[lane].value_or(Mark{}).offset);
        }
    }
    return lowest;
}

Result<void> ProjectionHost::expire(std::uint32_t lane, std::span<const JudgedRecord> records) {
    for (const Registered& each : projections_) {
        TRY_VOID(each.projection->expire(lane, records));
    }
    return {};
}

Result<void> ProjectionHost::flush_expired() {
    for (const Registered& each : projections_) {
        TRY_VOID(each.projection->flush_expired());
    }
    return {};
}

void ProjectionHost::drop_expired() {
    for (const Registered& each : projections_) {
        each.projection->drop_expired();
    }
}

}  // namespace footfall::projecting
