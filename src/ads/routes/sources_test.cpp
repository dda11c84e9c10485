#include "ads_routes/sources.h"

#include "api/test_world.h"

#include <gtest/gtest.h>

namespace footfall::ads::routes {
namespace {

/// One that looks at a million parties must not hold the end of the program.
TEST(OnSurveys, a_survey_is_told_when_nobody_waits_for_it_any_more) {
    api::WaitingRouter waiting;  // outlives the pool, whose thread may still hand over an answer
    runtime::BlockingPool pool{1, 1};
    api::KeyWorld keys;
    api::OneExchange exchange{{}};
    bool waited = false;
    bool left_then = false;
    const http_server::Handler handler = on_surveys(
        {.surveys = &pool, .keeper = keys.keeper},
        [&](const Sources&, const http_server::Request&, const std::stop_token& left) {
            waited = !left.stop_requested();
            exchange.leave();
            left_then = left.stop_requested();
            return http_server::Response{};
        }
    );
    waiting.await(handler, exchange);
    EXPECT_TRUE(waited);
    EXPECT_TRUE(left_then);
}

}  // namespace
}  // namespace footfall::ads::routes
