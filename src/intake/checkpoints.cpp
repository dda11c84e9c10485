#include "intake/checkpoints.h"

#include "intake/schema.h"
#include "storage/blocking.h"

#include <fmt/format.h>

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

}  // namespace footfall::intake
