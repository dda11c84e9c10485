#include "views/test_world.h"
#include "views/views.h"

#include <atomic>
#include <mutex>
#include <thread>

namespace footfall::views {
namespace {

/// Threads hold the same cells, most of them not in memory, while reads fail, rows are written and
/// cells evicted: each event is counted once.
TEST(ViewsThreads, many_hold_the_same_cells_at_once) {
    World world{{.memory_bytes = 4'000, .flush_interval = 1us}};
    world.store().set_options({.lose_only_the_end = true, .fail_read = 0.1});
    constexpr std::size_t lane = 1;
    constexpr std::uint64_t objects = 30;
    constexpr std::uint64_t rounds = 500;
    std::mutex log;  // the lane's, of the owner
    std::uint64_t end = 0;
    std::array<std::uint64_t, objects> views{};
    std::atomic<std::uint64_t> failed = 0;
    std::atomic<int> counting = 4;
    const auto count = [&](std::uint64_t seed) {
        Random random{seed};
        for (std::uint64_t round = 0; round < rounds;) {
            const std::uint64_t chosen = random.below(objects);
            const std::string object(1 + chosen, 'o');
            const std::string another(1 + random.below(objects), 'o');
            const std::array<Touch, 3> touches{
                Touch{.action = "view", .object = object, .time = start},
                Touch{.action = "view", .object = another, .time = start},
                Touch{.action = "view", .object = object, .time = start}
            };
            const Result<Hold> hold = world.views().hold(lane, touches);
            if (!hold) {  // a read failed, or memory is full, which others will change
                failed += hold.error().kind == ErrorKind::timed_out ? 1 : 0;
                continue;
            }
            const std::lock_guard lock{log};
            const Fact fact{.touch = 2, .offset = end++, .time = start, .person = round % 100};
            world.views().apply(*hold, {&fact, 1});
            ++views[chosen];
            ++round;
        }
        --counting;
    };
    {
        std::vector<std::jthread> threads;
        threads.reserve(5);
        for (std::uint64_t thread = 0; thread < 4; ++thread) {
            threads.emplace_back([&count, thread] { count(thread); });
        }
        threads.emplace_back([&] {
            while (counting > 0) {
                EXPECT_TRUE(world.views().flush());
                world.clock().advance(1us);
                world.views().checkpoint(lane);
                world.views().figures();
            }
        });
    }
    EXPECT_GT(failed, 0U);
    EXPECT_EQ(end, 4 * rounds);
    world.store().set_options({});
    ASSERT_TRUE(world.views().flush_all());
    EXPECT_EQ(world.views().checkpoint(lane), end);
    for (std::uint64_t at = 0; at < objects; ++at) {
        const std::string object(1 + at, 'o');
        const auto report = world.views().report(lane, {.action = "view", .object = object});
        ASSERT_TRUE(report);
        EXPECT_EQ(report->counts.counted, views[at]) << at;
    }
}

TEST(ViewsThreads, what_was_read_before_writes_were_lost_is_not_believed) {
    World world;
    const Touch touch{.action = "view", .object = "page", .time = start};
    world.store().set_options({.lose_only_the_end = true, .hold_reads = true});
    std::atomic<bool> refused = false;
    {
        const std::jthread thread{[&] {
            const Result<Hold> hold = world.views().hold(1, {&touch, 1});
            refused = !hold && hold.error().kind == ErrorKind::unavailable;
        }};
        while (world.store().held_reads() == 0) {
            std::this_thread::yield();
        }
        world.views().drop_all();
        world.store().set_options({});
        world.store().release_reads();
    }
    EXPECT_TRUE(refused);
    EXPECT_EQ(world.views().figures().objects, 0U);
    EXPECT_TRUE(world.views().hold(1, {&touch, 1}));
}

}  // namespace
}  // namespace footfall::views
