#pragma once

#include "jobs/job.h"

namespace footfall::timeseries::routes {

/// The metrics store as a job: points by Carbon and KairosDB in, Graphite's and KairosDB's answers
/// out. Not made of events.
extern const jobs::Registered job;

}  // namespace footfall::timeseries::routes
