#pragma once

#include "jobs/job.h"

#include <memory>
#include <span>
#include <string_view>

namespace footfall::deployment {

/// A job that was opened, and as what.
struct OpenJob {
    const jobs::Registered* registered;
    std::unique_ptr<jobs::Job> job;
};

/// The one of this name, which must be among them.
jobs::Job& job_of(std::span<const OpenJob> open, std::string_view name);

/// What a job is opened with; null: its defaults.
const jobs::Options* options_of(
    const jobs::OptionsByJob& options, const jobs::Registered& registered
);

}  // namespace footfall::deployment
