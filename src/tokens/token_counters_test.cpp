#include "tokens/token_counters.h"

#include "tokens/test_world.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <tuple>

namespace footfall::tokens {
namespace {

class TokenCountersTest : public testing::Test {
protected:
    std::string put(
        const std::string& counter,
        const std::string& token,
        std::optional<std::chrono::seconds> ttl = {}
    ) {
        return text_of(world_.put(counter, "page", token, ttl));
    }

    std::string get(const std::string& counter) { return text_of(world_.get(counter, "page")); }

    World world_{
        {{.name = "open"},
         {.name = "brief", .ttl = 10s},
         {.name = "few", .ttl = 100s, .limit = 5},
         {.name = "one", .ttl = 100s, .limit = 1}}
    };
};

TEST_F(TokenCountersTest, counts_each_token_of_an_object_once) {
    EXPECT_EQ(put("open", "a"), "1");
    EXPECT_EQ(put("open", "b"), "2");
    EXPECT_EQ(put("open", "a"), "2");
    EXPECT_EQ(get("open"), "2");
    EXPECT_EQ(get("brief"), "0");
    EXPECT_EQ(text_of(world_.get("open", "other page")), "0");
    world_.restart();
    EXPECT_EQ(get("open"), "2");
}

TEST_F(TokenCountersTest, forgets_a_token_when_its_time_is_over) {
    put("brief", "a");
    world_.clock().advance(5s);
    put("brief", "b");
    put("brief", "c", 2s);
    EXPECT_EQ(get("brief"), "3");
    world_.clock().advance(2s + 2ms);
    EXPECT_EQ(get("brief"), "2");
    world_.clock().advance(3s);
    EXPECT_EQ(get("brief"), "1");
    world_.restart();
    EXPECT_EQ(get("brief"), "1");
    world_.clock().advance(5s);
    EXPECT_EQ(get("brief"), "0");
}

TEST_F(TokenCountersTest, a_clock_that_was_ahead_takes_no_token_away_and_lengthens_none) {
    const Instant right = world_.clock().now();
    put("brief", "a");
    world_.clock().advance(24h);
    EXPECT_EQ(put("brief", "b"), "1") << "the other one is over, by this clock";
    world_.clock().set(right + 2s);
    EXPECT_EQ(get("brief"), "2");
    world_.clock().set(right + 11s);
    EXPECT_EQ(get("brief"), "1") << "as if it had been put when the clock was set back";
    world_.clock().set(right + 12s);
    EXPECT_EQ(get("brief"), "0");
    world_.restart();
    EXPECT_EQ(get("brief"), "0");
}

TEST_F(TokenCountersTest, what_is_put_again_after_the_clock_was_ahead_is_stored) {
    const Instant right = world_.clock().now();
    world_.clock().advance(24h);
    put("brief", "a");
    put("brief", "b");
    world_.clock().set(right);
    EXPECT_EQ(put("brief", "a"), "2");
    world_.restart();
    EXPECT_EQ(get("brief"), "1");
    world_.clock().advance(9s);
    EXPECT_EQ(get("brief"), "1");
    world_.clock().advance(2s);
    EXPECT_EQ(get("brief"), "0");
}

TEST_F(TokenCountersTest, what_is_not_stored_yet_when_the_clock_is_set_back_is_not_forgotten) {
    const Instant right = world_.clock().now();
    put("brief", "a");
    world_.clock().advance(24h);
    world_.store().set_options({.hold_writes = true});
    put("brief", "b");
    world_.clock().set(right + 2s);
    std::ignore = get("brief");  // it waits until that is stored
    world_.store().set_options({});
    world_.store().release_writes();
    EXPECT_EQ(get("brief"), "2");
}

TEST_F(TokenCountersTest, never_shortens_a_token) {
    put("open", "a");
    put("open", "a", 1s);
    put("brief", "a");
    put("brief", "a", 1s);
    put("open", "b", 3600s);
    put("open", "b", 1s);
    world_.clock().advance(5s);
    EXPECT_EQ(get("open"), "2");
    EXPECT_EQ(get("brief"), "1");
    world_.restart();
    EXPECT_EQ(get("open"), "2");
    EXPECT_EQ(get("brief"), "1");
}

TEST_F(TokenCountersTest, is_exact_at_the_limit_and_a_lower_bound_above_it) {
    for (int token = 1; token <= 5; ++token) {
        EXPECT_EQ(put("few", std::to_string(token)), std::to_string(token));
    }
    EXPECT_EQ(put("few", "5"), "5");
    EXPECT_EQ(put("few", "6"), "5+");
    EXPECT_EQ(put("few", "7"), "5+");
    EXPECT_EQ(get("few"), "5+");
    world_.restart();
    EXPECT_EQ(get("few"), "5+");
    world_.configure({{.name = "few", .ttl = 100s}});
    world_.restart();
    EXPECT_EQ(get("few"), "7") << "tokens past the limit are stored as well";
}

TEST_F(TokenCountersTest, is_exact_again_when_enough_tokens_have_expired) {
    for (int token = 0; token < 5; ++token) {
        put("few", fmt::format("early {}", token), 10s);
    }
    put("few", "late 1");
    put("few", "late 2");
    EXPECT_EQ(get("few"), "5+");
    world_.clock().advance(11s);
    EXPECT_EQ(get("few"), "2");
    EXPECT_EQ(world_.loads(), 2U);
    put("one", "a", 10s);
    put("one", "b", 20s);
    EXPECT_EQ(get("one"), "1+");
    world_.clock().advance(11s);
    EXPECT_EQ(get("one"), "1");
}

TEST_F(TokenCountersTest, is_exact_again_when_expired_rows_are_out_of_the_way) {
    // What has expired shares a span with what lives, and there is more than twice the limit of it:
    // the load gives up before it sees the one that lives.
    for (int token = 0; token < 30; ++token) {
        put("few", fmt::format("a{}", token), 10s);
    }
    put("few", "z", 50s);
    world_.clock().advance(20s);
    world_.restart();
    EXPECT_EQ(get("few"), "0+");
    EXPECT_EQ(get("few"), "0+");
    EXPECT_EQ(world_.loads(), 1U) << "what was read is remembered";
    put("few", "y");
    EXPECT_EQ(get("few"), "1+");
    world_.clock().advance(85s);
    EXPECT_EQ(get("few"), "1");
}

TEST_F(TokenCountersTest, never_shortens_a_token_it_does_not_hold_in_memory) {
    for (int token = 0; token < 5; ++token) {
        put("few", std::to_string(token), 40s);
    }
    put("few", "past the limit", 90s);
    EXPECT_EQ(put("few", "past the limit", 60s), "5+");
    EXPECT_EQ(put("few", "new past the limit", 85s), "5+");
    EXPECT_EQ(put("few", "new past the limit", 89s), "5+");
    world_.clock().advance(88s);
    EXPECT_EQ(get("few"), "2");
}

TEST_F(TokenCountersTest, keeps_nothing_of_objects_it_was_only_asked_about) {
    EXPECT_EQ(get("open"), "0");
    EXPECT_EQ(get("open"), "0");
    EXPECT_GE(world_.loads(), 2U);
    EXPECT_EQ(world_.counters().memory_use().objects, 0U);
    put("open", "a");
    EXPECT_EQ(world_.counters().memory_use().objects, 1U);
}

TEST_F(TokenCountersTest, writes_nothing_for_a_get_or_for_a_token_that_lives_long_enough) {
    world_.store().set_options({.refuse_submit = 1});
    EXPECT_EQ(get("open"), "0");
    EXPECT_EQ(put("open", "a"), "overloaded");
    world_.store().set_options({});
    put("open", "a");
    world_.store().set_options({.refuse_submit = 1});
    EXPECT_EQ(get("open"), "1");
    EXPECT_EQ(put("open", "a"), "1");
    EXPECT_EQ(put("open", "a", 5s), "1");
}

TEST_F(TokenCountersTest, answers_at_once_unless_the_store_would_have_to_wait) {
    const CounterConfig& config = world_.config("open");
    world_.store().set_options({.hold_reads = true});
    EXPECT_FALSE(world_.counters().put_now(config, "page", "a", {}));
    world_.store().set_options({});
    world_.store().release_reads();
    EXPECT_EQ(get("open"), "0") << "nothing was put";
    put("open", "a");
    EXPECT_EQ(text_of(world_.counters().put_now(config, "page", "b", {})), "2");
    EXPECT_EQ(text_of(world_.counters().get_now(config, "page")), "2");
}

TEST_F(TokenCountersTest, loads_what_the_store_has_in_memory_within_the_call) {
    metrics::Metrics metrics;
    TokenCounters counters{world_.disk(), world_.clock(), {}, metrics, {}};
    const CounterConfig& config = **counters.counter("default");
    EXPECT_EQ(text_of(counters.put_now(config, "page", "a", {})), "1");
    EXPECT_EQ(text_of(counters.get_now(config, "another page")), "0");
    EXPECT_EQ(text_of(counters.put_now(config, "page", "b", {})), "2");
    EXPECT_EQ(counters.memory_use().objects, 1U);
}

TEST_F(TokenCountersTest, refuses_what_is_no_name_no_token_or_no_ttl) {
    EXPECT_EQ(text_of(world_.put("open", "", "a")), "invalid-input");
    EXPECT_EQ(text_of(world_.get("open", "\xff")), "invalid-input");
    EXPECT_EQ(put("open", ""), "invalid-input");
    EXPECT_EQ(put("brief", "a", 11s), "invalid-input");
    EXPECT_EQ(put("brief", "a", 0s), "invalid-input");
    EXPECT_EQ(world_.counters().counter("none").error().kind, ErrorKind::not_found);
}

TEST_F(TokenCountersTest, shows_what_happened_in_the_seconds_that_are_over) {
    put("open", "a");
    put("open", "a");
    put("brief", "b");
    const std::int64_t second = world_.now_ms() / 1000;
    world_.clock().advance(1s);
    put("open", "c");
    const auto seconds = world_.counters().activity_between(0, second + 1);
    ASSERT_EQ(seconds.size(), 1U);
    EXPECT_EQ(seconds[0].second, second);
    EXPECT_EQ(seconds[0].put, 3U);
    EXPECT_EQ(seconds[0].added, 2U);
}

TEST_F(TokenCountersTest, do_not_call_new_what_they_cannot_tell) {
    for (int token = 1; token <= 6; ++token) {
        put("few", std::to_string(token));
    }
    put("few", "6");  // above the limit, so not in memory
    put("few", "5");
    EXPECT_EQ(world_.metric("footfall_tokens_put_total"), 8U);
    EXPECT_EQ(world_.metric("footfall_tokens_added_total"), 6U);
    EXPECT_EQ(world_.metric("footfall_tokens_unsure_total"), 1U);
    world_.clock().advance(1s);
    const auto seconds = world_.counters().activity_between(0, world_.now_ms() / 1000);
    ASSERT_EQ(seconds.size(), 1U);
    EXPECT_EQ(seconds[0].put, 8U);
    EXPECT_EQ(seconds[0].added, 6U);
    EXPECT_EQ(seconds[0].unsure, 1U);
}

TEST_F(TokenCountersTest, counts_once_what_two_threads_put_at_the_same_time) {
    std::atomic<int> answered = 0;
    const auto put_all = [this, &answered](int first) {
        for (int step = 0; step < 3000; ++step) {
            const int number = (first + step) % 3000;
            const std::string object = "object " + std::to_string(number % 7);
            world_.counters().put(
                world_.config("open"),
                object,
                std::to_string(number),
                {},
                [&answered](const Result<Count>& count) { answered += count ? 1 : 0; }
            );
        }
    };
    {
        const std::jthread one{put_all, 0};
        const std::jthread two{put_all, 10};
    }
    EXPECT_EQ(answered, 6000);
    std::uint64_t sum = 0;
    for (int object = 0; object < 7; ++object) {
        sum += world_.get("open", "object " + std::to_string(object))->count;
    }
    EXPECT_EQ(sum, 3000U);
}

}  // namespace
}  // namespace footfall::tokens
