// Objects whose rows lie in more than one partition a span: a cluster, with partitions of few rows.
#include "tokens/levels.h"

#include "tokens/test_world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace footfall::tokens {
namespace {

TEST(Levels, grow_sixteenfold_when_they_are_full) {
    EXPECT_EQ(level_for(1'000'000'000, 0), 0) << "a store that does not care";
    EXPECT_EQ(level_for(10'000, 10'000), 0);
    EXPECT_EQ(level_for(10'001, 10'000), 1);
    EXPECT_EQ(level_for(160'001, 10'000), 2);
    EXPECT_EQ(level_for(2'560'001, 10'000), 3);
    EXPECT_EQ(level_for(largest_limit, 10'000), top_level);
}

TEST(Levels, above_the_limit_one_of_as_many_tokens_as_fit_begins_the_next) {
    std::size_t begun = 0;
    for (std::uint64_t token = 0; token < 200'000; ++token) {
        begun += begins_next_level(token_hash({}, std::to_string(token)), 1, 10) ? 1U : 0U;
    }
    EXPECT_GT(begun, 1100U);  // of 200,000 / 160
    EXPECT_LT(begun, 1400U);
    EXPECT_FALSE(begins_next_level(0, top_level, 10));
    EXPECT_FALSE(begins_next_level(0, 1, 0));
}

class ObjectsInLevels : public testing::Test {
protected:
    class Process {
    public:
        Process(ObjectsInLevels& world, std::size_t rows_a_partition)
            : counters_{
                  world.store_,
                  world.clock_,
                  SipKey{.k0 = 1, .k1 = 2},
                  metrics_,
                  {.counters = world.configs_, .fresh_for = 1s, .rows_a_partition = rows_a_partition
                  }
              } {}

        std::string put(
            const std::string& counter,
            const std::string& token,
            std::optional<std::chrono::seconds> ttl = {}
        ) {
            Result<Count> answer = fail(ErrorKind::cancelled, "it waits");
            counters_.put(config(counter), "page", token, ttl, [&](Result<Count> count) {
                answer = std::move(count);
            });
            return text_of(answer);
        }

        std::string get(const std::string& counter) {
            Result<Count> answer = fail(ErrorKind::cancelled, "it waits");
            counters_.get(config(counter), "page", [&](Result<Count> count) {
                answer = std::move(count);
            });
            return text_of(answer);
        }

    private:
        const CounterConfig& config(const std::string& name) { return **counters_.counter(name); }

        metrics::Metrics metrics_;
        TokenCounters counters_;
    };

    /// The rows of each partition of a level, markers included.
    std::vector<std::size_t> rows(
        const std::string& counter, std::int64_t level, std::int64_t span = never_span
    ) {
        std::vector<std::size_t> found;
        for (std::int64_t bucket = 0; bucket < buckets_of(level); ++bucket) {
            found.push_back(storage::read_all(
                                disk_,
                                {.table = &token_table,
                                 .partition = {counter, "page", level, bucket, span}}
            )->size());
        }
        return found;
    }

    static std::size_t sum(const std::vector<std::size_t>& rows) {
        return std::accumulate(rows.begin(), rows.end(), std::size_t{0});
    }

    const std::vector<CounterConfig> configs_{
        {.name = "open"}, {.name = "brief", .ttl = 100s}, {.name = "few", .limit = 10}
    };
    ManualClock clock_{test_start};
    storage::MemoryStore disk_{token_tables, clock_};
    storage::FaultyStore store_{disk_, 1};
};

TEST_F(ObjectsInLevels, keep_partitions_small_and_count_all_of_them) {
    Process one{*this, 10};
    for (int token = 0; token < 400; ++token) {
        ASSERT_EQ(one.put("open", std::to_string(token)), std::to_string(token + 1));
    }
    EXPECT_EQ(rows("open", 0), std::vector<std::size_t>{11}) << "ten and a marker";
    EXPECT_EQ(sum(rows("open", 1)), 151U) << "up to 160, and a marker";
    EXPECT_EQ(sum(rows("open", 2)), 240U);
    EXPECT_LT(std::ranges::max(rows("open", 1)), 25U);
    Process other{*this, 10};
    EXPECT_EQ(other.get("open"), "400");
    EXPECT_EQ(other.put("open", "7"), "400") << "it has it, in another level";
    Process embedded{*this, 0};
    EXPECT_EQ(embedded.get("open"), "400") << "whoever writes in one level reads all";
    EXPECT_EQ(embedded.put("open", "new"), "401");
    clock_.advance(10s);
    EXPECT_EQ(other.get("open"), "401");
}

TEST_F(ObjectsInLevels, are_found_by_processes_that_do_not_know_of_each_others_levels) {
    Process one{*this, 10};
    Process other{*this, 10};
    for (int token = 0; token < 8; ++token) {
        one.put("open", "one " + std::to_string(token));
    }
    EXPECT_EQ(other.get("open"), "8");
    for (int token = 0; token < 8; ++token) {
        one.put("open", "more " + std::to_string(token));
        other.put("open", "other " + std::to_string(token));
    }
    EXPECT_EQ(sum(rows("open", 0)) + sum(rows("open", 1)), 25U) << "24 and a marker";
    clock_.advance(2s);
    EXPECT_EQ(one.get("open"), "24");
    EXPECT_EQ(other.get("open"), "24");
    EXPECT_EQ(Process(*this, 10).get("open"), "24");
}

TEST_F(ObjectsInLevels, begin_again_with_each_span_and_are_found_when_the_lower_ones_expired) {
    Process one{*this, 10};
    const std::int64_t span = span_of(configs_[1], expiry_of(clock_.now(), 100s));
    for (int token = 0; token < 10; ++token) {
        one.put("brief", "early " + std::to_string(token));
    }
    clock_.advance(30s);
    for (int token = 0; token < 10; ++token) {
        one.put("brief", "late " + std::to_string(token));
    }
    EXPECT_EQ(sum(rows("brief", 1, span)), 10U);
    clock_.advance(75s);
    EXPECT_EQ(Process(*this, 10).get("brief"), "10") << "level 0 holds only what has expired";
    clock_.advance(30s);
    EXPECT_EQ(Process(*this, 10).get("brief"), "0");
}

TEST_F(ObjectsInLevels, never_shorten_a_life_given_in_another_level) {
    Process one{*this, 2};
    for (const char* token : {"a", "b", "c"}) {
        one.put("brief", token, 90s);
    }
    Process other{*this, 2};
    EXPECT_EQ(other.get("brief"), "3");
    EXPECT_EQ(one.put("brief", "d", 95s), "4");
    EXPECT_EQ(other.put("brief", "d", 10s), "4") << "not in its memory, but in level 1";
    clock_.advance(50s);
    EXPECT_EQ(one.get("brief"), "4");
    EXPECT_EQ(other.get("brief"), "4");
}

TEST_F(ObjectsInLevels, grow_above_the_limit_too) {
    for (int round = 0; round < 20; ++round) {
        Process one{*this, 10};  // which has to read how far the levels go, bounded by the limit
        for (int token = 0; token < 100; ++token) {
            one.put("few", std::to_string(round * 100 + token));
        }
    }
    EXPECT_LT(sum(rows("few", 0)), 120U);
    EXPECT_GT(sum(rows("few", 2)), 500U);
    EXPECT_EQ(Process(*this, 10).get("few"), "10+");
}

}  // namespace
}  // namespace footfall::tokens
