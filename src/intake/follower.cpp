#include "intake/follower.h"

#include "foundation/log.h"
#include "intake/event_keys.h"
#include "intake/room.h"
#include "intake/schema.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace footfall::intake {
namespace {

/// How often projections are let write, and checkpoints moved.
constexpr std::chrono::seconds write_period{1};
/// After this long without a turn (the process was stopped, say) others may have the lanes.
constexpr std::chrono::seconds silence_max{7};

}  // namespace

Follower::Follower(const Bench& bench) : bench_{bench} {
    store_losses_ = bench_.store->on_lost_writes([this] { lose(); });
}

void Follower::lose() {
    lost_.store(true);
    for (Projection* projection : bench_.projections) {
        projection->drop();
    }
}

Result<std::vector<std::uint64_t>> Follower::assigned(std::span<const std::uint32_t> lanes) {
    TRY_VOID(bench_.store->write_after_others());
    TRY_VOID(load(lanes));
    std::vector<std::uint64_t> offsets;
    for (const std::uint32_t lane : lanes) {
        offsets.push_back(next(lane));
    }
    return offsets;
}

/// Begins these lanes at their checkpoints.
Result<void> Follower::load(std::span<const std::uint32_t> lanes) {
    const storage::RangeQuery query{
        .table = &projection_checkpoint_table, .partition = {signed_of(bench_.log->id())}
    };
    TRY(const storage::Rows rows, read_all(*bench_.store, query));
    for (const std::uint32_t lane : lanes) {
        lanes_[lane] = Lane{};
    }
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto lane = static_cast<std::uint32_t>(rows.at(row, 1).number());
        if (std::ranges::find(lanes, lane) == lanes.end()) {
            continue;
        }
        Lane& state = lanes_[lane];
        state.written = {
            .offset = static_cast<std::uint64_t>(rows.at(row, 2).number()),
            .source = static_cast<std::uint64_t>(rows.at(row, 3).number())
        };
        state.next = state.written.offset;
        ends_[lane] = state.next;
        state.sources.begin_at(state.written.source);
    }
    lane_count_ = lanes_.size();
    return {};
}

void Follower::revoked(std::span<const std::uint32_t> lanes, bool lost) {
    if (!lost && !lost_) {
        if (const Result<void> written = write_all(); !written) {
            log(LogLevel::warning,
                "lanes were handed over with rows to write ({}); the next owner writes them",
                written.error().message);
        }
    }
    for (const std::uint32_t lane : lanes) {
        lanes_.erase(lane);
        for (Projection* projection : bench_.projections) {
            projection->drop_lane(lane);
        }
    }
    lane_count_ = lanes_.size();
}

std::uint64_t Follower::next(std::uint32_t lane) {
    return lanes_.at(lane).next;
}

Result<void> Follower::take(std::uint32_t lane, const journal::Records& records) {
    if (lost_) {
        return fail(ErrorKind::unavailable, "the store lost writes; the lane is read again");
    }
    Lane& state = lanes_.at(lane);
    if (records.first() > state.next) {
        return fail(
            ErrorKind::corrupt,
            fmt::format("lane {}: records before {} are missing", lane, records.first())
        );
    }
    SourceOrder sources = state.sources;
    std::vector<events::JudgedEvent> judged;
    std::vector<std::uint64_t> offsets;
    judged.reserve(records.size());
    offsets.reserve(records.size());
    for (std::size_t at = state.next - records.first(); at < records.size(); ++at) {
        TRY(events::LogRecord record, events::read_record(records[at]));
        auto* const event = std::get_if<events::JudgedEvent>(&record);
        if (event != nullptr && !sources.repeats(*event)) {
            judged.push_back(std::move(*event));
            offsets.push_back(records.first() + at);
        }
    }
    TRY_VOID(project(lane, judged, offsets));
    state.sources = sources;
    state.next = std::max(state.next, records.next());
    ends_[lane] = state.next;
    projected_ += judged.size();
    state.taken.push_back({.offset = state.next, .source = sources.next()});
    return {};
}

Result<void> Follower::project(
    std::uint32_t lane,
    std::span<const events::JudgedEvent> judged,
    std::span<const std::uint64_t> offsets
) {
    std::vector<JudgedRecord> records;
    records.reserve(judged.size());
    for (std::size_t at = 0; at < judged.size(); ++at) {
        records.push_back(
            {.offset = offsets[at],
             .judged = &judged[at],
             .person = keys_of(judged[at].event, bench_.secret).person}
        );
    }
    for (Projection* const projection : bench_.projections) {
        TRY_VOID(once_there_is_room([&] { return projection->wait_for_room(); }));
        projection->apply(lane, records);
    }
    return {};
}

Result<journal::LaneReader::Next> Follower::settle() {
    const auto now = std::chrono::steady_clock::now();
    if (now > std::exchange(settled_at_, now) + silence_max) {
        return Next::rejoin;
    }
    if (lost_) {
        std::vector<std::uint32_t> ours;
        ours.reserve(lanes_.size());
        for (const auto& [lane, state] : lanes_) {
            ours.push_back(lane);
        }
        TRY_VOID(load(ours));
        lost_.store(false);
        return Next::anew;
    }
    if (now >= written_at_ + write_period) {
        written_at_ = now;
        for (Projection* projection : bench_.projections) {
            TRY_VOID(projection->flush(false));
        }
        TRY_VOID(write_checkpoints());
    }
    return Next::as_before;
}

Result<void> Follower::write_all() {
    for (Projection* projection : bench_.projections) {
        TRY_VOID(projection->flush(true));
    }
    TRY(const storage::CommitPosition position, write_checkpoints());
    return wait_durable(*bench_.store, position);
}

Result<storage::CommitPosition> Follower::write_checkpoints() {
    storage::Batch batch;
    for (auto& [lane, state] : lanes_) {
        if (const auto mark = checkpoint(lane, state)) {
            batch.upsert(
                projection_checkpoint_table,
                {signed_of(bench_.log->id()),
                 std::int64_t{lane},
                 signed_of(mark->offset),
                 signed_of(mark->source)}
            );
        }
    }
    return bench_.store->submit(batch);
}

/// What the checkpoint of a lane may say from now on; absent: what it says already. Only ends of
/// portions, of which the sources are known.
std::optional<Follower::Mark> Follower::checkpoint(std::uint32_t lane, Lane& state) {
    std::uint64_t stored = state.next;
    for (Projection* projection : bench_.projections) {
        stored = std::min(stored, projection->checkpoint(lane));
    }
    const Mark before = state.written;
    while (!state.taken.empty() && state.taken.front().offset <= stored) {
        state.written = state.taken.front();
        state.taken.pop_front();
    }
    return state.written == before ? std::nullopt : std::optional{state.written};
}

}  // namespace footfall::intake
