#include "tokens/counter_config.h"

#include "storage_testing/random_rows.h"
#include "tokens/size_class.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

namespace footfall::tokens {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

/// A moment between 2024 and 2040.
Instant moment(Random& random) {
    return Instant{microseconds{1'704'067'200'000'000 + random.below(504'000'000'000'000)}};
}

/// Of any magnitude.
seconds ttl(Random& random) {
    const std::uint64_t most = std::uint64_t{1} << (1 + random.below(30));
    return std::min(seconds{1 + random.below(most)}, longest_ttl);
}

TEST(CounterConfig, checks_name_ttl_and_limit) {
    EXPECT_TRUE(check_config({}));
    EXPECT_TRUE(check_config({.name = "a", .ttl = longest_ttl, .limit = largest_limit}));
    for (const CounterConfig& wrong :
         {CounterConfig{.name = "", .ttl = {}},
          CounterConfig{.name = "a", .ttl = seconds{0}},
          CounterConfig{.name = "a", .ttl = seconds{-1}},
          CounterConfig{.name = "a", .ttl = longest_ttl + seconds{1}},
          CounterConfig{.name = "a", .ttl = {}, .limit = 0},
          CounterConfig{.name = "a", .ttl = {}, .limit = largest_limit + 1}}) {
        EXPECT_FALSE(check_config(wrong));
    }
}

TEST(CounterConfig, lets_a_put_ask_for_less_than_the_counters_ttl) {
    const CounterConfig bounded{.ttl = seconds{60}};
    const CounterConfig open{};
    EXPECT_EQ(*effective_ttl(bounded, {}), seconds{60});
    EXPECT_EQ(*effective_ttl(bounded, seconds{1}), seconds{1});
    EXPECT_EQ(*effective_ttl(bounded, seconds{60}), seconds{60});
    EXPECT_FALSE(effective_ttl(bounded, seconds{61}));
    EXPECT_FALSE(effective_ttl(bounded, seconds{0}));
    EXPECT_FALSE(effective_ttl(open, seconds{-5}));
    EXPECT_FALSE(effective_ttl(open, longest_ttl + seconds{1}));
    EXPECT_EQ(*effective_ttl(open, {}), std::nullopt);
    EXPECT_EQ(*effective_ttl(open, longest_ttl), longest_ttl);
}

TEST(CounterConfig, rounds_an_expiry_up_by_at_most_a_thousandth_and_a_millisecond) {
    const std::uint64_t seed = storage::test_seed();
    SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed));
    Random random{seed};
    EXPECT_EQ(expiry_of(moment(random), {}), never);
    for (int run = 0; run < 100'000; ++run) {
        const Instant now = moment(random);
        const seconds lives = ttl(random);
        const microseconds rounded =
            microseconds{expiry_of(now, lives) * 1000} - (now + lives).time_since_epoch();
        ASSERT_GE(rounded.count(), 0);
        ASSERT_LE(rounded, microseconds{lives} / 1000 + microseconds{1000});
    }
}

TEST(CounterConfig, has_an_objects_tokens_expire_at_no_more_than_a_thousand_moments) {
    std::set<std::int64_t> moments;
    for (microseconds after{0}; after < seconds{100}; after += microseconds{10'007}) {
        moments.insert(expiry_of(Instant{} + after, seconds{100}));
    }
    EXPECT_LE(moments.size(), 1001U);
}

TEST(CounterConfig, finds_every_live_token_in_the_live_spans) {
    const std::uint64_t seed = storage::test_seed();
    SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed));
    Random random{seed};
    for (int run = 0; run < 100'000; ++run) {
        const CounterConfig config{.ttl = ttl(random)};
        const seconds asked{1 + random.below(static_cast<std::uint64_t>(config.ttl->count()))};
        const Instant put = moment(random);
        const std::int64_t expiry = expiry_of(put, asked);
        // Also by a clock that is behind the one that put it.
        const microseconds behind = std::min<microseconds>(*config.ttl, seconds{60});
        const microseconds life = Instant{microseconds{expiry * 1000}} - put;
        const Instant now =
            put - behind +
            microseconds{random.below(static_cast<std::uint64_t>((life + behind).count()))};
        const std::vector<std::int64_t> spans = live_spans(config, now);
        ASSERT_THAT(spans, testing::Contains(span_of(config, expiry)));
        ASSERT_LE(spans.size(), 4U);
    }
}

TEST(CounterConfig, puts_no_token_into_a_span_that_ends_before_it) {
    Random random{1};
    for (int run = 0; run < 10'000; ++run) {
        const seconds lives = ttl(random);
        const std::int64_t expiry = expiry_of(moment(random), lives);
        for (const CounterConfig& config : {CounterConfig{}, CounterConfig{.ttl = lives}}) {
            ASSERT_LT(expiry, span_end(config, span_of(config, expiry)));
            ASSERT_GE(expiry, span_end(config, span_of(config, expiry) - 1));
        }
    }
    EXPECT_EQ(span_of({}, never), never_span);
    EXPECT_EQ(span_of({.ttl = seconds{5}}, never), never_span);
    EXPECT_EQ(span_end({}, never_span), never);
}

TEST(SizeClass, is_a_power_of_four) {
    EXPECT_EQ(size_class_of(1), 0);
    EXPECT_EQ(size_class_of(3), 0);
    EXPECT_EQ(size_class_of(4), 1);
    EXPECT_EQ(top_size_class, 12);
    for (std::int64_t size_class = 0; size_class <= top_size_class; ++size_class) {
        EXPECT_EQ(size_class_of(size_class_bound(size_class)), size_class);
        EXPECT_EQ(size_class_of(size_class_bound(size_class) + 1), size_class + 1);
    }
}

}  // namespace
}  // namespace footfall::tokens
