#include "ads_routes/ads_job.h"
#include "identities_routes/identities_job.h"
#include "jobs/list.h"
#include "reading_routes/reading_job.h"
#include "segments_routes/segments_job.h"
#include "timeseries_routes/timeseries_job.h"
#include "tokens_routes/tokens_job.h"
#include "views_routes/views_job.h"

#include <array>

namespace footfall::jobs {

List all() {
    static const std::array<const Registered*, 7> list{
        &tokens::routes::job,
        &views::routes::job,
        &ads::routes::job,
        &reading::routes::job,
        &identities::routes::job,
        &segments::routes::job,
        &timeseries::routes::job,
    };
    return list;
}

}  // namespace footfall::jobs
