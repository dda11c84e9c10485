#pragma once

#include "jobs/job.h"
#include "views/views.h"

namespace footfall::views::routes {

/// Views as a job: how often, by whom, and why not.
extern const jobs::Registered job;

/// The views of an opened job; the job must be of `job`.
Views& views_of(jobs::Job& opened);

}  // namespace footfall::views::routes
