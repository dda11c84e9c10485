// Collectors, guards and projections as processes of their own: they are killed, started again, and
// more of them come.

#include "event_stream.h"
#include "foundation_testing/temporary_directory.h"
#include "test_support/api.h"
#include "test_support/eventually.h"
#include "test_support/footfall_process.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

namespace footfall::cluster_test {
namespace {

using namespace test_support;

using Steady = std::chrono::steady_clock;

constexpr std::uint64_t all_lanes = 64;

class RolesTest : public testing::Test {
protected:
    static void SetUpTestSuite() {
        // Before there are other threads.
        setenv("FOOTFALL_TEST_LOG", "kafka", 1);  // NOLINT(concurrency-mt-unsafe)
    }

    FootfallProcess start(const std::string& roles, const std::string& name) {
        return FootfallProcess{directory_ / "data", {"--roles", roles, "--instance", name}};
    }

    static std::uint64_t lanes(const FootfallProcess& process, const std::string& role) {
        return Api{process}.metric(fmt::format("footfall_lanes{{role=\"{}\"}}", role));
    }

    /// Waits until it is true, and says how long that took since `start`.
    template <class Condition>
    static void within(
        std::chrono::seconds limit,
        const std::string& what,
        const Condition& condition,
        Steady::time_point start = Steady::now()
    ) {
        const bool came = eventually(condition, std::chrono::seconds{60});
        const auto took =
            std::chrono::duration_cast<std::chrono::milliseconds>(Steady::now() - start);
        fmt::print("{}: {} ms\n", what, took.count());
        EXPECT_TRUE(came && took < limit) << what;
    }

    /// Every acknowledged event was counted, once, and is found by whoever asks `query`.
    static void expect_exact(const FootfallProcess& query, const EventStream& stream) {
        for (const auto& [object, events] : stream.of_objects()) {
            Api api{query};
            boost::json::object views;
            eventually([&] {
                views = api.views(object);
                return views.at("events").to_number<std::uint64_t>() >= events;
            });
            ASSERT_EQ(views.at("events").to_number<std::uint64_t>(), events) << object;
            ASSERT_EQ(views.at("counted").to_number<std::uint64_t>(), events) << object;
        }
    }

    TemporaryDirectory directory_;
};

TEST_F(RolesTest, processes_come_and_go_and_everything_is_counted_once) {
    FootfallProcess collector = start("collect,query", "c");
    FootfallProcess guard = start("guard", "g");
    FootfallProcess first = start("project", "p1");
    EXPECT_EQ(lanes(first, "project"), all_lanes);
    EventStream stream{collector};
    const auto moves_on = [&](const std::string& what) {
        const std::uint64_t before = stream.acknowledged();
        within(std::chrono::seconds{20}, "events flow after " + what, [&] {
            return stream.acknowledged() > before + 200;
        });
    };
    moves_on("the start");

    const auto second_begins = Steady::now();
    FootfallProcess second = start("project", "p2");
    const auto have_half = [&] {
        return lanes(first, "project") == all_lanes / 2 &&
               lanes(second, "project") == all_lanes / 2;
    };
    within(
        std::chrono::seconds{10},
        "a second projection starts and has half of the lanes",
        have_half,
        second_begins
    );
    moves_on("the second projection came");

    first.kill();
    within(std::chrono::seconds{30}, "it has all, the first one being killed", [&] {
        return lanes(second, "project") == all_lanes;
    });
    first.restart();
    moves_on("the first projection came again");

    FootfallProcess another = start("guard", "g2");
    guard.kill();
    within(
        std::chrono::seconds{30},
        "the second guard has all lanes, the first one being killed",
        [&] { return lanes(another, "guard") == all_lanes; }
    );
    guard.restart();
    moves_on("the guard came again");

    collector.kill();
    collector.restart();
    moves_on("the collector came again");

    stream.stop();
    fmt::print(
        "{} events acknowledged, {} batches sent again\n", stream.acknowledged(), stream.failures()
    );
    expect_exact(collector, stream);
    for (FootfallProcess* each : {&collector, &guard, &another, &first, &second}) {
        EXPECT_EQ(each->stop(), 0);
    }
}

/// Who was stopped for longer than the others wait comes back with counts that are older than
/// theirs.
TEST_F(RolesTest, a_projection_that_hung_writes_nothing_over_what_others_wrote) {
    const FootfallProcess collector = start("collect,guard,query", "c");
    FootfallProcess first = start("project", "p1");
    EventStream stream{collector};
    within(std::chrono::seconds{20}, "events flow", [&] { return stream.acknowledged() > 1000; });
    FootfallProcess second = start("project", "p2");
    first.process().send_signal(SIGSTOP);
    within(std::chrono::seconds{30}, "the second projection has all lanes", [&] {
        return lanes(second, "project") == all_lanes;
    });
    const std::uint64_t before = stream.acknowledged();
    within(std::chrono::seconds{20}, "events flow", [&] {
        return stream.acknowledged() > before + 200;
    });
    stream.stop();
    expect_exact(collector, stream);
    first.process().send_signal(SIGCONT);
    within(std::chrono::seconds{30}, "it has its half again", [&] {
        return lanes(first, "project") == all_lanes / 2;
    });
    expect_exact(collector, stream);
}

}  // namespace
}  // namespace footfall::cluster_test
