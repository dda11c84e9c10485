#pragma once

#include "foundation/result.h"
#include "intake/lane_judge.h"

#include <cstdint>
#include <vector>

namespace footfall::intake {

/// What the store says of each lane of the log; the beginning where it says nothing. Waits.
Result<std::vector<LaneJudge::Checkpoint>> read_checkpoints(const Context& context);

}  // namespace footfall::intake
