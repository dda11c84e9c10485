#include "deployment/open_job.h"

#include "foundation/check.h"

#include <algorithm>

namespace footfall::deployment {

jobs::Job& job_of(std::span<const OpenJob> open, std::string_view name) {
    const auto has_name = [&](const OpenJob& each) { return each.registered->name == name; };
    const auto found = std::ranges::find_if(open, has_name);
    CHECK(found != open.end(), "no such job", name);
    return *found->job;
}

const jobs::Options* options_of(
    const jobs::OptionsByJob& options, const jobs::Registered& registered
) {
    const auto found = options.find(registered.name);
    return found == options.end() ? nullptr : found->second.get();
}

}  // namespace footfall::deployment
