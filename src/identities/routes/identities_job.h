#pragma once

#include "jobs/job.h"

namespace footfall::identities::routes {

/// One profile from many networks.
extern const jobs::Registered job;

}  // namespace footfall::identities::routes
