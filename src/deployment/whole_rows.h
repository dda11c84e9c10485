#pragma once

#include "foundation/result.h"
#include "jobs/job.h"
#include "journal/log_reader.h"
#include "storage/store.h"

namespace footfall::deployment {

/// Whether the rows of every job that follows from a log have all that is in it, so that they can
/// leave without it. `conflict`: they lag it, as after a kill, and the message says what to do.
/// Reads one record of each lane and job at most. Waits.
Result<void> check_rows_are_whole(storage::Store& store, journal::LogReader& log, jobs::List jobs);

}  // namespace footfall::deployment
