#include "guard/rate.h"

#include "foundation/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace footfall::guard {
namespace {

using namespace std::chrono_literals;

constexpr SipKey secret{.k0 = 1, .k1 = 2};
constexpr RateLimit three_a_minute{.count = 3, .window = 1min};

Instant rate_time(std::chrono::microseconds time) {
    return Instant{time};
}

EventPlace place_at(std::uint64_t offset) {
    return {.lane = 7, .offset = offset};
}

TEST(Rate, counts_the_window_that_ends_with_the_event) {
    RateState rates{secret, 1 << 20};
    EXPECT_EQ(rates.counted(1, three_a_minute, rate_time(10min), {}), 0U);
    rates.note(1, three_a_minute, rate_time(10min), place_at(0));
    rates.note(1, three_a_minute, rate_time(10min + 30s), place_at(1));
    EXPECT_EQ(rates.counted(1, three_a_minute, rate_time(10min), {}), 1U) << "not what is later";
    EXPECT_EQ(rates.counted(1, three_a_minute, rate_time(10min + 30s), {}), 2U);
    EXPECT_EQ(rates.counted(1, three_a_minute, rate_time(11min - 1us), {}), 2U);
    EXPECT_EQ(rates.counted(1, three_a_minute, rate_time(11min), {}), 1U);
    EXPECT_EQ(rates.counted(2, three_a_minute, rate_time(11min), {}), 0U) << "somebody else";
}

TEST(Rate, an_event_is_there_once_and_never_counts_itself) {
    RateState rates{secret, 1 << 20};
    for (int again = 0; again < 2; ++again) {
        for (std::uint64_t offset = 0; offset < 4; ++offset) {
            rates.note(1, three_a_minute, rate_time(10min + offset * 1s), place_at(offset));
        }
    }
    EXPECT_EQ(rates.counted(1, three_a_minute, rate_time(10min + 3s), {}), 4U);
    EXPECT_EQ(rates.counted(1, three_a_minute, rate_time(10min + 3s), place_at(3)), 3U);
    rates.clear();
    EXPECT_EQ(rates.counted(1, three_a_minute, rate_time(10min + 3s), {}), 0U);
    EXPECT_EQ(rates.bytes(), 0U);
    EXPECT_EQ(rates.recount(), 0U);
}

TEST(Rate, events_of_a_clock_that_was_ahead_do_not_end_the_limit) {
    RateState rates{secret, 1 << 20};
    std::uint64_t offset = 0;
    for (; offset < 10; ++offset) {
        rates.note(1, three_a_minute, rate_time(24h + offset * 1s), place_at(offset));
    }
    for (int view = 0; view < 10; ++view, ++offset) {
        const Instant time = rate_time(10min + view * 1s);
        EXPECT_EQ(
            rates.counted(1, three_a_minute, time, {}), static_cast<std::size_t>(std::min(view, 4))
        );
        rates.note(1, three_a_minute, time, place_at(offset));
    }
    EXPECT_EQ(rates.counted(1, three_a_minute, rate_time(24h + 10s), {}), 4U);
    EXPECT_EQ(rates.bytes(), rates.recount());
}

TEST(Rate, counts_a_window_across_two_parts_of_time) {
    RateState rates{secret, 1 << 20};
    rates.note(1, three_a_minute, rate_time(9min + 50s), place_at(0));
    rates.note(1, three_a_minute, rate_time(9min + 59s), place_at(1));
    rates.note(1, three_a_minute, rate_time(10min), place_at(2));
    EXPECT_EQ(rates.counted(1, three_a_minute, rate_time(10min + 49s), {}), 3U);
    EXPECT_EQ(rates.counted(1, three_a_minute, rate_time(10min + 50s), {}), 2U);
    EXPECT_EQ(rates.counted(1, three_a_minute, rate_time(10min + 49s), place_at(0)), 2U);
    EXPECT_EQ(rate_part(Instant{-1us}, 1min), -1);
    EXPECT_EQ(rate_part(Instant{-1min}, 1min), -1);
}

TEST(Rate, places_of_other_logs_are_others) {
    RateState rates{secret, 1 << 20};
    rates.note(1, three_a_minute, rate_time(10min), {.lane = 7, .offset = 0});
    rates.note(1, three_a_minute, rate_time(10min), {.lane = 7, .log = 5, .offset = 0});
    EXPECT_EQ(rates.counted(1, three_a_minute, rate_time(10min), {}), 2U);
    EXPECT_EQ(rates.counted(1, three_a_minute, rate_time(10min), place_at(0)), 1U);
}

TEST(Rate, rules_do_not_see_what_others_noted) {
    const RateState rates{secret, 1 << 20};
    const std::set<std::uint64_t> keys{
        rates.key_of("a", "u1"), rates.key_of("b", "u1"), rates.key_of("a", "u2")
    };
    EXPECT_EQ(keys.size(), 3U);
    EXPECT_EQ(rates.key_of("a", "u1"), rates.key_of("a", "u1"));
    EXPECT_NE(rates.key_of("a", "u1"), (RateState{{1, 3}, 1 << 20}.key_of("a", "u1")));
}

/// Whatever order events are noted in, and however often: the answer is that of the newest of them.
TEST(Rate, does_not_depend_on_the_order_of_noting) {
    constexpr RateLimit limit{.count = 20, .window = 100us};
    Random random{5};
    for (int round = 0; round < 300; ++round) {
        std::vector<std::pair<Instant, EventPlace>> events;
        events.reserve(70);
        for (std::uint64_t offset = 0; offset < 60; ++offset) {
            events.emplace_back(
                rate_time(std::chrono::microseconds{random.below(400)}), place_at(offset)
            );
        }
        const Instant newest = std::ranges::max(events).first;
        RateState first{secret, 1 << 20};
        RateState second{secret, 1 << 20};
        for (const auto& [time, where] : events) {
            first.note(1, limit, time, where);
            ASSERT_EQ(first.bytes(), first.recount());
        }
        for (std::size_t swap = events.size(); swap-- > 1;) {
            std::swap(events[swap], events[random.below(swap + 1)]);
        }
        events.insert(events.end(), events.begin(), events.begin() + 10);
        for (const auto& [time, where] : events) {
            second.note(1, limit, time, where);
            ASSERT_EQ(second.bytes(), second.recount());
        }
        events.resize(60);
        const auto in_window = std::ranges::count_if(events, [&](const auto& event) {
            return newest - event.first < limit.window;
        });
        EXPECT_EQ(
            first.counted(1, limit, newest, {}),
            std::min<std::size_t>(static_cast<std::size_t>(in_window), limit.count + 1)
        );
        for (int time = 0; time < 420; time += 7) {
            const Instant when = rate_time(std::chrono::microseconds{time});
            ASSERT_EQ(first.counted(1, limit, when, {}), second.counted(1, limit, when, {}));
        }
    }
}

TEST(Rate, forgets_who_was_not_seen_for_long_when_memory_is_short) {
    constexpr std::size_t memory = 1 << 20;
    RateState rates{secret, memory};
    const auto key = [&](std::uint64_t who) { return rates.key_of("a", std::to_string(who)); };
    for (std::uint64_t who = 0; who < 50'000; ++who) {
        const Instant time = rate_time(std::chrono::microseconds{who});
        rates.note(key(who), three_a_minute, time, place_at(who));
        if (who % 100 == 0) {
            rates.note(key(0), three_a_minute, time, place_at(who));
        }
        ASSERT_EQ(rates.counted(key(who), three_a_minute, time, {}), 1U);
        ASSERT_EQ(rates.bytes(), rates.recount());
    }
    EXPECT_LE(rates.bytes(), memory + 64 * 512);
    EXPECT_GT(rates.bytes(), memory / 3);
    EXPECT_EQ(rates.counted(key(0), three_a_minute, rate_time(1s), {}), 4U) << "seen all the time";
    EXPECT_EQ(rates.counted(key(1), three_a_minute, rate_time(1s), {}), 0U);
    EXPECT_EQ(rates.counted(key(49'000), three_a_minute, rate_time(1s), {}), 1U);
}

}  // namespace
}  // namespace footfall::guard
