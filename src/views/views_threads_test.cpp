#include "views/test_world.h"
#include "views/views.h"

#include <atomic>
#include <mutex>
#include <thread>

namespace footfall::views {
namespace {

/// Threads count the same objects, some of them busy, while reads fail, rows are written, and
/// others ask: each event is counted once, and what is told never falls.
TEST(ViewsThreads, many_count_the_same_objects_at_once) {
    World world{{.memory_bytes = 100'000, .flush_interval = 1us}};
    world.store().set_options({.lose_only_the_end = true, .fail_read = 0.02});
    constexpr std::size_t lane = 1;
    constexpr std::uint64_t objects = 30;
    constexpr std::uint64_t rounds = 4000;
    std::mutex log;  // the lane's, of the owner
    std::uint64_t end = 0;
    std::array<std::uint64_t, objects> views{};
    std::atomic<int> counting = 4;
    const auto count = [&](std::uint64_t seed) {
        Random random{seed};
        for (std::uint64_t round = 0; round < rounds;) {
            if (!world.views().wait_for_room()) {
                continue;  // a read failed, or memory is full, which others will change
            }
            const std::uint64_t chosen = random.below(1 + random.below(objects));
            const std::string object(1 + chosen, 'o');
            const std::lock_guard lock{log};
            const Fact fact{
                .action = "view",
                .object = object,
                .offset = end++,
                .time = start,
                .person = round % 1000
            };
            world.views().apply(lane, {&fact, 1});
            ++views[chosen];
            ++round;
        }
        --counting;
    };
    {
        std::vector<std::jthread> threads;
        threads.reserve(6);
        for (std::uint64_t thread = 0; thread < 4; ++thread) {
            threads.emplace_back([&count, thread] { count(thread); });
        }
        threads.emplace_back([&] {
            while (counting > 0) {
                std::ignore = world.views().flush();
                world.clock().advance(1us);
                world.views().checkpoint(lane);
                world.views().figures();
            }
        });
        threads.emplace_back([&] {
            std::uint64_t before = 0;
            while (counting > 0) {
                const auto report = world.views().report(lane, {.action = "view", .object = "o"});
                if (report) {
                    EXPECT_GE(report->counts.counted, before);
                    before = report->counts.counted;
                }
            }
        });
    }
    EXPECT_EQ(end, 4 * rounds);
    world.store().set_options({});
    ASSERT_TRUE(world.views().flush_all());
    world.check_account();
    EXPECT_EQ(world.views().checkpoint(lane), end);
    for (std::uint64_t at = 0; at < objects; ++at) {
        const std::string object(1 + at, 'o');
        const auto report = world.views().report(lane, {.action = "view", .object = object});
        ASSERT_TRUE(report);
        EXPECT_EQ(report->counts.counted, views[at]) << at;
    }
}

}  // namespace
}  // namespace footfall::views
