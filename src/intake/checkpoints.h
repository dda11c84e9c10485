#pragma once

#include "foundation/result.h"
#include "intake/lane_judge.h"
#include "storage/batch.h"

#include <chrono>
#include <cstdint>
#include <vector>

namespace footfall::intake {

/// What the store says of each lane of the log; the beginning where it says nothing. Waits.
Result<std::vector<LaneJudge::Checkpoint>> read_checkpoints(const Context& context);

/// Writes what read_checkpoints() is to read of a lane.
void append_checkpoint(
    const Context& context,
    std::uint32_t lane,
    const LaneJudge::Checkpoint& checkpoint,
    storage::Batch& batch
);

/// Where the log is in the store: until the checkpoints of all lanes can say that everything is
/// stored. While nobody takes events. Waits, but not for a store that is not well.
Result<void> wait_stored(
    const Context& context, JudgeLanes& lanes, std::chrono::milliseconds patience
);

}  // namespace footfall::intake
