#include "jobs/list.h"
#include "tokens_routes/tokens_job.h"
#include "views_routes/views_job.h"

#include <array>

namespace footfall::jobs {

List all() {
    static const std::array<const Registered*, 2> list{
        &tokens::routes::job,
        &views::routes::job,
    };
    return list;
}

}  // namespace footfall::jobs
