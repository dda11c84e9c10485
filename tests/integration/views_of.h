#pragma once

#include "deployment/event_parts.h"
#include "views_routes/views_job.h"

namespace footfall {

/// The views of a deployment that has this job.
inline views::Views& views_of(deployment::EventParts& parts) {
    return views::routes::views_of(parts.job(views::routes::job.name));
}

}  // namespace footfall
