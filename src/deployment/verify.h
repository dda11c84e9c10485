#pragma once

#include "deployment/event_parts.h"
#include "foundation/result.h"
#include "projecting/verify.h"

namespace footfall::deployment {

/// Holds what a job has stored to the log (projecting::verify) in a deployment that is all ours:
/// nobody may take events meanwhile. Writes what is not stored yet. Waits.
Result<projecting::Verified> verify(
    EventParts& parts, const jobs::Registered& job, const projecting::VerifyListeners& listeners
);

}  // namespace footfall::deployment
