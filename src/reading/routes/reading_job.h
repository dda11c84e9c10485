#pragma once

#include "jobs/job.h"

namespace footfall::reading::routes {

/// Which friends read which articles: the line of the list of jobs.
extern const jobs::Registered job;

}  // namespace footfall::reading::routes
