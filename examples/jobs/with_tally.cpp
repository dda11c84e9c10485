// The program with one job more: what src/server/main.cpp and src/job_list are to footfall.

#include "ads_routes/ads_job.h"
#include "identities_routes/identities_job.h"
#include "jobs/list.h"
#include "reading_routes/reading_job.h"
#include "segments_routes/segments_job.h"
#include "server/run.h"
#include "tally/tally_job.h"
#include "tally_dashboard/assets.h"
#include "timeseries_routes/timeseries_job.h"
#include "tokens_routes/tokens_job.h"
#include "views_routes/views_job.h"

#include <array>

namespace footfall::jobs {

List all() {
    static const std::array<const Registered*, 8> list{
        &tokens::routes::job,
        &views::routes::job,
        &ads::routes::job,
        &reading::routes::job,
        &identities::routes::job,
        &segments::routes::job,
        &timeseries::routes::job,
        &tally::job,
    };
    return list;
}

}  // namespace footfall::jobs

int main(int argc, char** argv) {
    return footfall::server::run(argc, argv, footfall::tally_dashboard::assets());
}
