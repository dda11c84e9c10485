#pragma once

#include "jobs/job.h"
#include "showing/shown_column.h"

#include <vector>

namespace footfall::deployment {

/// All tables of every store (Deployment::tables), then those that the store of a cluster keeps for
/// itself; each with how its bytes are shown: as its job says, or this module of those that no job
/// has.
std::vector<showing::ShownTable> shown_tables(jobs::List jobs);

}  // namespace footfall::deployment
