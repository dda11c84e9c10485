#include "segments/segments.h"
#include "segments/test_segments.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace footfall::segments {
namespace {

/// Some fill, some settle, some ask, one derives; at the end all is as if it had been one behind
/// the other.
TEST(SegmentsThreadsTest, what_many_do_at_once_is_counted) {
    constexpr int writers = 3;
    constexpr int rounds_each = 40;
    constexpr int ids = 300;
    ManualClock clock{Instant{std::chrono::seconds{1'790'000'000}}};
    storage::MemoryStore store{tables_of_test(), clock};
    const identities::Settling settling{
        store, {.secret = identities::rows_secret, .clock = &clock, .shared = false}
    };
    Segments segments{
        store, settling, clock, {.shared = false, .ids_at_once = 100, .waiting_max = 3}
    };
    ASSERT_TRUE(segments.begin());
    ASSERT_TRUE(segments.create("s"));
    std::atomic<bool> is_over = false;
    std::vector<std::jthread> others;
    others.emplace_back([&] {
        while (!is_over) {
            EXPECT_TRUE(segments.derive({}));
        }
    });
    others.emplace_back([&] {
        while (!is_over) {
            EXPECT_TRUE(segments.size("s"));
            EXPECT_TRUE(segments.count({.all = {"s"}}));
            (void)segments.figures();
            const auto [booked, counted] = segments.memory();
            EXPECT_EQ(booked, counted);
        }
    });
    {
        std::vector<std::jthread> writing;
        for (int writer = 0; writer < writers; ++writer) {
            writing.emplace_back([&, writer] {
                Random random{static_cast<std::uint64_t>(writer)};
                const auto some_id = [&] { return fmt::format("app:{}", random.below(ids)); };
                for (int round = 0; round < rounds_each; ++round) {
                    EXPECT_TRUE(
                        segments.add("s", std::vector<Member>{{.id = identities::id_of(some_id())}})
                    );
                    const identities::Fact fact =
                        identities::link(1'790'000'000 + round, {some_id(), some_id()});
                    storage::Batch batch;
                    identities::add_rows({.writer = "writer", .fact = fact}, batch);
                    EXPECT_TRUE(storage::write_durably(store, batch));
                    EXPECT_TRUE(settling.settle(fact.ids, "writer"));
                }
            });
        }
    }
    is_over = true;
    others.clear();
    // What did not wait in memory is read from notes, again and again for two minutes.
    for (int moment = 0; moment < 40; ++moment) {
        clock.advance(std::chrono::seconds{5});
        while (segments.derive({})->count() == 0) {
        }
    }
    const auto found = verify(store, {.secret = identities::rows_secret}, clock.now());
    ASSERT_TRUE(found);
    EXPECT_EQ(found->count, 0) << found->differences.front();
    EXPECT_EQ(segments.size("s")->people, found->people);
}

}  // namespace
}  // namespace footfall::segments
