#pragma once

#include "jobs/job.h"

namespace footfall::segments::routes {

/// Named sets of people.
extern const jobs::Registered job;

}  // namespace footfall::segments::routes
