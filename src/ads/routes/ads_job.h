#pragma once

#include "ads/ledger.h"
#include "jobs/job.h"

namespace footfall::ads::routes {

/// Ads as a job: clicks priced, resellers and publishers paid, the past included.
extern const jobs::Registered job;

/// The ledger of an opened job; the job must be of `job`.
Ledger& ledger_of(jobs::Job& opened);

}  // namespace footfall::ads::routes
