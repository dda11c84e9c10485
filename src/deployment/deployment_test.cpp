#include "deployment/deployment.h"

#include "jobs/list.h"
#include "tokens_routes/tokens_job.h"

#include <gtest/gtest.h>

namespace footfall::deployment {
namespace {

Error error_of(std::uint32_t limit, std::size_t memory_bytes) {
    const SystemClock clock;
    metrics::Metrics metrics;
    const auto opened = Deployment::open(
        {.place = DirectoryPlace{.path = "/nowhere/to/be/found", .create = false},
         .jobs = jobs::all(),
         .jobs_options =
             {{std::string{tokens::routes::job.name},
               tokens::routes::make_options({{.name = "big", .limit = limit}})}},
         .memory_bytes = memory_bytes},
        clock,
        metrics
    );
    return opened ? Error{} : opened.error();
}

TEST(Deployment, refuses_a_limit_whose_objects_do_not_fit_into_memory) {
    const Error error = error_of(5'000'000, 256 << 20);
    EXPECT_EQ(error.kind, ErrorKind::invalid_input);
    EXPECT_NE(error.message.find("counter big"), std::string::npos) << error.message;
    EXPECT_EQ(error_of(2'700'000, 256 << 20).kind, ErrorKind::not_found) << "the directory";
    EXPECT_EQ(error_of(5'000'000, 512 << 20).kind, ErrorKind::not_found) << "the directory";
}

}  // namespace
}  // namespace footfall::deployment
