#include "stored_tokens.h"

#include "deployment/deployment.h"
#include "foundation/clock.h"
#include "jobs/list.h"
#include "metrics/metrics.h"
#include "storage/blocking.h"
#include "test_support/must.h"
#include "tokens/counter_config.h"
#include "tokens/schema.h"

#include <utility>

namespace footfall::scale {

std::uint64_t stored_tokens(const std::filesystem::path& data, const std::string& object) {
    const SystemClock clock;
    metrics::Metrics metrics;
    const auto directory = test_support::must(deployment::Deployment::open(
        {.place = deployment::DirectoryPlace{.path = data, .create = false},
         .events = false,
         .jobs = jobs::all()},
        clock,
        metrics
    ));
    storage::RangeQuery query{
        .table = &tokens::token_table,
        .partition =
            {std::string{"default"},
             object,
             std::int64_t{0},
             std::int64_t{0},
             std::int64_t{tokens::never_span}},
        .max_rows = 10'000
    };
    std::uint64_t rows = 0;
    do {
        storage::Page page = test_support::must(storage::read_page(directory->store(), query));
        rows += page.rows.size();
        query.continuation = std::move(page.continuation);
    } while (!query.continuation.empty());
    return rows;
}

}  // namespace footfall::scale
