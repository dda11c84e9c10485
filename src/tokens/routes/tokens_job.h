#pragma once

#include "jobs/job.h"
#include "tokens/counter_config.h"
#include "tokens/token_counters.h"

#include <memory>
#include <vector>

namespace footfall::tokens::routes {

/// Tokens as a job: how many distinct ones an object has. It stands on the store alone.
extern const jobs::Registered job;

/// What the job is opened with: these counters, and the one named "default" if it is not among
/// them.
std::shared_ptr<const jobs::Options> make_options(std::vector<CounterConfig> counters);

/// The counters of an opened job; the job must be of `job`.
TokenCounters& counters_of(jobs::Job& opened);

}  // namespace footfall::tokens::routes
