#include "tokens/token_set.h"

#include "storage_testing/random_rows.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace footfall::tokens {
namespace {

using Added = TokenSet::Added;

constexpr std::int64_t start = 1'800'000'000'000;

TEST(TokenSet, counts_a_token_once_until_it_expires) {
    TokenSet set;
    EXPECT_EQ(set.count(start), 0U);
    EXPECT_EQ(set.add(7, start + 10, start, 100).added, Added::is_new);
    EXPECT_EQ(set.add(7, start + 10, start, 100).added, Added::unchanged);
    EXPECT_EQ(set.add(7, start + 5, start, 100).added, Added::unchanged);
    EXPECT_EQ(set.count(start + 9), 1U);
    EXPECT_EQ(set.add(7, start + 20, start + 9, 100).added, Added::extended);
    EXPECT_EQ(set.count(start + 19), 1U);
    EXPECT_EQ(set.count(start + 20), 0U);
    EXPECT_EQ(set.latest_expiry(), 0);
}

TEST(TokenSet, refuses_new_tokens_at_the_limit_and_still_extends_old_ones) {
    TokenSet set;
    set.add(1, start + 10, start, 2);
    set.add(2, start + 10, start, 2);
    EXPECT_EQ(set.add(3, start + 10, start, 2).added, Added::refused);
    EXPECT_EQ(set.add(2, never, start, 2).added, Added::extended);
    EXPECT_EQ(set.count(start + 10), 1U);
    EXPECT_EQ(set.add(3, start + 20, start + 10, 2).added, Added::is_new);
    EXPECT_EQ(set.latest_expiry(), never);
}

TEST(TokenSet, keeps_the_hash_that_marks_an_empty_slot) {
    TokenSet set;
    EXPECT_EQ(set.add(0, never, start, 10).added, Added::is_new);
    EXPECT_EQ(set.add(0, never, start, 10).added, Added::unchanged);
    EXPECT_EQ(set.count(start), 1U);
}

TEST(TokenSet, leaves_a_dead_token_dead_when_the_clock_goes_back) {
    TokenSet set;
    set.add(1, start + 10, start, 10);
    EXPECT_EQ(set.count(start + 10), 0U);
    EXPECT_EQ(set.count(start), 0U);
    EXPECT_EQ(set.add(1, start + 12, start + 2, 10).added, Added::is_new);
    EXPECT_EQ(set.count(start + 2), 1U);
}

/// A set beside a std::map that says what it should hold.
class CheckedSet {
public:
    /// Of `tokens` different ones at most `limit` are live at once; each lives for at most
    /// `longest`.
    CheckedSet(std::uint64_t seed, std::uint64_t tokens, std::size_t limit, std::uint64_t longest)
        : random_{seed}, tokens_{tokens}, limit_{limit}, longest_{longest} {}

    void step() {
        if (random_.below(tokens_ / 30) == 0) {
            now_ += static_cast<std::int64_t>(random_.below(60));
            std::erase_if(oracle_, [this](const auto& token) { return token.second <= now_; });
        }
        const std::uint64_t hash = random_.below(tokens_) * 0x9e3779b97f4a7c15;
        const std::int64_t expiry =
            random_.below(40) == 0 ? never
                                   : now_ + 1 + static_cast<std::int64_t>(random_.below(longest_));
        const auto found = oracle_.find(hash);
        const Added expected = found != oracle_.end()
                                   ? (expiry > found->second ? Added::extended : Added::unchanged)
                                   : (oracle_.size() >= limit_ ? Added::refused : Added::is_new);
        const TokenSet::AddResult result = set_.add(hash, expiry, now_, limit_);
        ASSERT_EQ(result.added, expected);
        if (random_.below(5) == 0) {
            set_.undo(hash, result);
        } else if (expected == Added::is_new || expected == Added::extended) {
            oracle_[hash] = expiry;
        }
        ASSERT_EQ(set_.count(now_), oracle_.size());
    }

    void check_latest() {
        std::int64_t latest = 0;
        for (const auto& [hash, expiry] : oracle_) {
            latest = std::max(latest, expiry);
        }
        ASSERT_EQ(set_.latest_expiry(), latest);
    }

private:
    Random random_;
    const std::uint64_t tokens_;
    const std::size_t limit_;
    const std::uint64_t longest_;
    std::int64_t now_ = start;
    TokenSet set_;
    std::map<std::uint64_t, std::int64_t> oracle_;
};

TEST(TokenSet, agrees_with_a_map_after_every_add_undo_and_expiry) {
    const std::uint64_t seed = storage::test_seed();
    SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed));
    for (std::uint64_t run = 0; run < 20; ++run) {
        CheckedSet checked{seed + run, 300, 120, 90};
        for (int step = 0; step < 5000; ++step) {
            ASSERT_NO_FATAL_FAILURE(checked.step());
        }
        ASSERT_NO_FATAL_FAILURE(checked.check_latest());
    }
}

TEST(TokenSet, agrees_with_a_map_when_it_is_large) {
    const std::uint64_t seed = storage::test_seed();
    SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed));
    CheckedSet checked{seed, 30'000, 20'000, 4000};
    for (int step = 0; step < 200'000; ++step) {
        ASSERT_NO_FATAL_FAILURE(checked.step());
    }
    ASSERT_NO_FATAL_FAILURE(checked.check_latest());
}

/// The most bytes a token takes between `tokens` / 2 and `tokens`, whatever the growth has come to.
double bytes_a_token(std::size_t tokens, bool expiring) {
    Random random{tokens};
    TokenSet set;
    double worst = 0;
    for (std::size_t token = 1; token <= tokens; ++token) {
        set.add(random(), expiring ? start + 1000 : never, start, tokens);
        if (token * 2 > tokens) {
            worst = std::max(worst, static_cast<double>(set.bytes()) / static_cast<double>(token));
        }
    }
    return worst;
}

TEST(TokenSet, takes_at_most_14_bytes_a_token_and_22_with_expiry) {
    for (const std::size_t tokens : {1UZ, 10UZ, 1000UZ, 100'000UZ, 1'000'000UZ}) {
        const double plain = bytes_a_token(tokens, false);
        const double expiring = bytes_a_token(tokens, true);
        fmt::print(
            "{} tokens: at most {:.1f} bytes a token, {:.1f} with expiry\n", tokens, plain, expiring
        );
        if (tokens >= 1000) {
            EXPECT_LE(plain, 14);
            EXPECT_LE(expiring, most_bytes_a_token);
        }
    }
}

/// What a set of so many tokens takes from the heap, for sets made by a fixed seed.
std::size_t bytes_of(std::size_t tokens, bool expiring) {
    Random random{42};
    TokenSet set;
    for (std::size_t token = 0; token < tokens; ++token) {
        set.add(random(), expiring ? start + 1000 : never, start, tokens);
    }
    return set.bytes();
}

TEST(TokenSet, takes_exactly_as_much_as_it_did_when_this_was_written) {
    EXPECT_EQ(sizeof(TokenSet), 40U);
    EXPECT_EQ(bytes_of(1, false), 32U);
    EXPECT_EQ(bytes_of(3, false), 32U);
    EXPECT_EQ(bytes_of(4, false), 48U);
    EXPECT_EQ(bytes_of(1, true), 32U);
    EXPECT_EQ(bytes_of(3, true), 48U);
    EXPECT_EQ(bytes_of(1000, false), 12'032U);
    EXPECT_EQ(bytes_of(1000, true), 16'816U);
    EXPECT_EQ(bytes_of(1'000'000, false), 11'306'960U);
    EXPECT_EQ(bytes_of(1'000'000, true), 18'349'664U);
}

TEST(TokenSet, does_not_grow_while_tokens_come_and_go) {
    Random random{1};
    TokenSet set;
    for (std::int64_t step = 0; step < 200'000; ++step) {
        set.add(random(), start + step / 10 * 10 + 1000, start + step, 100'000);
    }
    EXPECT_EQ(set.count(start + 200'000 - 1), 1000U);
    EXPECT_LE(set.bytes(), most_bytes_a_token * 1100);
}

}  // namespace
}  // namespace footfall::tokens
