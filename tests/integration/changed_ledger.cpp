// changed_ledger DIR RESELLER CURRENCY MICROS: changes a row of the ledger in a data directory that
// nobody serves, and holds the ledger to its clicks as the nightly check does. So a test of the
// dashboard sees what a reader of a broken ledger would.

#include "ads_routes/ads_job.h"
#include "ads_routes/nightly_check.h"
#include "changed_row.h"
#include "deployment/deployment.h"
#include "foundation/clock.h"
#include "jobs/list.h"
#include "metrics/metrics.h"
#include "test_support/must.h"

#include <cstdio>
#include <exception>
#include <span>
#include <string>

namespace footfall {
namespace {

using test_support::must;

void run(std::span<char*> words) {
    constexpr std::size_t expected = 5;
    if (words.size() != expected) {
        test_support::give_up("usage: changed_ledger DIR RESELLER CURRENCY MICROS");
    }
    const SystemClock clock;
    metrics::Metrics metrics;
    const auto directory = must(deployment::Deployment::open(
        {.place = deployment::DirectoryPlace{.path = words[1], .create = false}, .jobs = jobs::all()
        },
        clock,
        metrics
    ));
    change_a_row(directory->store(), words[2], words[3], std::stoll(words[4]));
    ads::routes::NightlyCheck nightly{
        ads::routes::ledger_of(directory->events().job("ads")), directory->events().intake()
    };
    must(nightly.check());
    std::printf("%llu\n", static_cast<unsigned long long>(nightly.last().differences));
}

}  // namespace
}  // namespace footfall

int main(int count, char** words) {
    try {
        footfall::run({words, static_cast<std::size_t>(count)});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
