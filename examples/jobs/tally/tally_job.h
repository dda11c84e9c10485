#pragma once

#include "jobs/job.h"
#include "tally/tally.h"

namespace footfall::tally {

/// Events by action and day: the example of docs/adding-a-job.md.
extern const jobs::Registered job;

/// The tally of an opened job; the job must be of `job`.
Tally& tally_of(jobs::Job& opened);

}  // namespace footfall::tally
