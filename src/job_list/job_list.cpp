#include "jobs/list.h"
#include "views_routes/views_job.h"

#include <array>

namespace footfall::jobs {

List all() {
    static const std::array<const Registered*, 1> list{
        &views::routes::job,
    };
    return list;
}

}  // namespace footfall::jobs
