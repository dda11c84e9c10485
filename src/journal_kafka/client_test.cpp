#include "journal_kafka/client.h"

#include <gtest/gtest.h>

#include <chrono>

namespace footfall::journal_kafka {
namespace {

using namespace std::chrono_literals;

TEST(Retry, answers_what_was_said_and_not_that_the_last_attempt_was_short) {
    int attempts = 0;
    const auto outcome = retry(120ms, [&](int milliseconds) -> Result<void> {
        EXPECT_GT(milliseconds, 0);
        return ++attempts == 1 ? fail(ErrorKind::not_found, "there is no topic a")
                               : fail(ErrorKind::timed_out, "describe topic a");
    });
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().message, "there is no topic a");
    EXPECT_GT(attempts, 1);
}

TEST(Retry, ends_with_what_does_not_pass_by_itself) {
    int attempts = 0;
    const auto outcome = retry(1h, [&](int) -> Result<void> {
        return ++attempts == 1 ? fail(ErrorKind::unavailable, "no broker")
                               : fail(ErrorKind::invalid_input, "another number of lanes");
    });
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().kind, ErrorKind::invalid_input);
    EXPECT_EQ(attempts, 2);
    EXPECT_TRUE(retry(1h, [](int) { return Result<void>{}; }));
}

}  // namespace
}  // namespace footfall::journal_kafka
