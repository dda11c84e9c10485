// What reading old events costs a process, on a real cluster (./test cluster).

#include "test_support/eventually.h"
#include "test_support/running_server.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace footfall {
namespace {

using namespace test_support;

/// One event of each lane and more, as people look them up: few lanes of the log are open with what
/// was read ahead of them, and none when nobody asks any more.
TEST_F(RunningServer, old_events_of_all_lanes_are_read_with_few_lanes_open) {
    constexpr int events = 400;
    std::string body;
    for (int at = 0; at < events; ++at) {
        body += fmt::format("{{\"id\":\"e{}\",\"action\":\"view\",\"object\":\"o{}\"}}\n", at, at);
    }
    api_.post_events(body);
    constexpr std::uint64_t most = 8;
    for (int at = 0; at < events; ++at) {
        const auto found =
            api_.send(http_server::Method::get, fmt::format("/api/v1/events/e{}", at));
        ASSERT_EQ(found.status, 200) << found.body;
        if (at % 50 == 0) {
            EXPECT_LE(api_.metric("footfall_log_lanes_open"), most);
        }
    }
    EXPECT_GT(api_.metric("footfall_log_lanes_opened_total"), most) << "more lanes were read";
    EXPECT_TRUE(eventually(
        [&] { return api_.metric("footfall_log_lanes_open") == 0; },
        std::chrono::seconds{90},
        std::chrono::milliseconds{500}
    ));
}

}  // namespace
}  // namespace footfall
