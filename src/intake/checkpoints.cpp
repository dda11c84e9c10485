#include "intake/checkpoints.h"

#include "intake/room.h"
#include "intake/schema.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace footfall::intake {

Result<std::vector<LaneJudge::Checkpoint>> read_checkpoints(const Context& context) {
    const storage::RangeQuery query{
        .table = &lane_checkpoint_table, .partition = {signed_of(context.log->id())}
    };
    TRY(const storage::Rows rows, read_all(*context.store, query));
    std::vector<LaneJudge::Checkpoint> checkpoints(context.log->lanes());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto lane = static_cast<std::size_t>(rows.at(row, 1).number());
        if (lane >= checkpoints.size()) {
            return fail(ErrorKind::corrupt, fmt::format("there is a checkpoint of lane {}", lane));
        }
        checkpoints[lane] = {
            .offset = static_cast<std::uint64_t>(rows.at(row, 2).number()),
            .guard =
                {.offset = static_cast<std::uint64_t>(rows.at(row, 3).number()),
                 .time = Instant{std::chrono::microseconds{rows.at(row, 4).number()}}},
            .rules_version = static_cast<std::uint32_t>(rows.at(row, 5).number()),
            .next_source = static_cast<std::uint64_t>(rows.at(row, 6).number())
        };
    }
    return checkpoints;
}

void append_checkpoint(
    const Context& context,
    std::uint32_t lane,
    const LaneJudge::Checkpoint& checkpoint,
    storage::Batch& batch
) {
    batch.upsert(
        lane_checkpoint_table,
        {signed_of(context.log->id()),
         std::int64_t{lane},
         signed_of(checkpoint.offset),
         signed_of(checkpoint.guard.offset),
         checkpoint.guard.time.time_since_epoch().count(),
         std::int64_t{checkpoint.rules_version},
         signed_of(checkpoint.next_source)}
    );
}

Result<void> wait_stored(
    const Context& context, JudgeLanes& lanes, std::chrono::milliseconds patience
) {
    if (!context.log->is_in(*context.store)) {
        return {};
    }
    TRY_VOID(context.store->health());  // what is not written yet will not be
    const auto patience_ends = std::chrono::steady_clock::now() + patience;
    storage::CommitPosition last = 0;
    for (std::uint32_t lane = 0; lane < JudgeLanes::count; ++lane) {
        const auto submit = [&] {
            return lanes.with(lane, [](auto& judge) { return judge->submit_all(); });
        };
        TRY(const storage::CommitPosition rows, once_there_is_room(submit, patience_ends));
        const auto records = lanes.with(lane, [](auto& judge) { return judge->last_records(); });
        last = std::max({last, rows, records});
    }
    return storage::wait_durable(*context.store, last, patience);
}

}  // namespace footfall::intake
