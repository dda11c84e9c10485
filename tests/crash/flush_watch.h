#pragma once

#include "foundation/random.h"
#include "test_support/footfall_process.h"

namespace footfall::crash {

/// Waits under load for a moment in which a generation of rows is being written, ingested or
/// dropped from the log, as far as /metrics tell: two generations are watched for their distance in
/// time, then the moment is drawn from the later half of the third, or is the very end of it.
/// False, at a random moment, where the server tells nothing of generations or writes none.
bool wait_for_flush(const test_support::FootfallProcess& server, Random& random);

/// Waits until views are being written behind, then a random moment of that; false where none were
/// in time.
bool wait_for_view_flush(const test_support::FootfallProcess& server, Random& random);

}  // namespace footfall::crash
