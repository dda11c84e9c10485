// Two processes that put tokens on the same objects: each with its own memory, on one store.
#include "tokens/test_world.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace footfall::tokens {
namespace {

class SharedCounters : public testing::Test {
protected:
    /// A process of its own, but for the store.
    class Process {
    public:
        explicit Process(SharedCounters& world) : Process{world, world.store_} {}

        Process(SharedCounters& world, storage::Store& store)
            : counters_{
                  store,
                  world.clock_,
                  SipKey{.k0 = 1, .k1 = 2},
                  metrics_,
                  {.counters = world.configs_, .fresh_for = 1s}
              } {}

        std::string put(
            const std::string& token,
            std::optional<std::chrono::seconds> ttl = {},
            const std::string& counter = "open"
        ) {
            Result<Count> answer = fail(ErrorKind::cancelled, "it waits");
            counters_.put(config(counter), "page", token, ttl, [&](Result<Count> count) {
                answer = std::move(count);
            });
            return text_of(answer);
        }

        std::string get(const std::string& counter = "open") {
            Result<Count> answer = fail(ErrorKind::cancelled, "it waits");
            counters_.get(config(counter), "page", [&](Result<Count> count) {
                answer = std::move(count);
            });
            return text_of(answer);
        }

        std::int64_t lane() { return counters_.lane_of(config("open"), "page"); }

        /// The answer of memory alone.
        std::string get_now() { return text_of(counters_.get_now(config("open"), "page")); }

    private:
        const CounterConfig& config(const std::string& name) { return **counters_.counter(name); }

        metrics::Metrics metrics_;
        TokenCounters counters_;
    };

    const std::vector<CounterConfig> configs_{
        {.name = "open"}, {.name = "brief", .ttl = 100s}, {.name = "few", .limit = 3}
    };
    ManualClock clock_{test_start};
    storage::MemoryStore disk_{token_tables, clock_};
    storage::FaultyStore store_{disk_, 1};
    Process one_{*this};
    Process other_{*this};
};

TEST_F(SharedCounters, see_their_own_tokens_at_once_and_those_of_others_within_a_second) {
    EXPECT_EQ(one_.put("a"), "1");
    EXPECT_EQ(other_.put("b"), "2") << "loaded just now";
    EXPECT_EQ(one_.put("c"), "2") << "in memory, and fresh";
    EXPECT_EQ(one_.get(), "2");
    clock_.advance(1s);
    EXPECT_EQ(one_.get(), "3");
    EXPECT_EQ(other_.put("d"), "4");
    clock_.advance(1s);
    EXPECT_EQ(one_.put("a"), "4");
}

TEST_F(SharedCounters, keep_objects_in_memory_as_long_as_they_are_fresh) {
    one_.put("a");
    clock_.advance(999ms);
    EXPECT_EQ(one_.get_now(), "1");
    clock_.advance(1ms);
    store_.set_options({.hold_reads = true});
    EXPECT_EQ(one_.get_now(), "absent");
}

TEST_F(SharedCounters, take_longer_to_look_again_at_objects_that_take_long_to_load) {
    constexpr int tokens = 8000;
    for (int token = 0; token < tokens; ++token) {
        one_.put(std::to_string(token));
    }
    clock_.advance(1s);
    EXPECT_EQ(one_.get(), "8000") << "fresh since it was loaded with one token; now with all";
    other_.put("new");
    clock_.advance(1999ms);
    EXPECT_EQ(one_.get(), "8000");
    clock_.advance(1ms);
    EXPECT_EQ(one_.get(), "8001");
}

TEST_F(SharedCounters, never_shorten_a_life_that_another_one_gave) {
    for (const char* counter : {"open", "brief"}) {
        SCOPED_TRACE(counter);
        EXPECT_EQ(one_.put("first", 90s, counter), "1");
        EXPECT_EQ(other_.get(counter), "1");
        EXPECT_EQ(one_.put("second", 90s, counter), "2");
        EXPECT_EQ(one_.put("third", 20s, counter), "3");
        EXPECT_EQ(other_.put("second", 10s, counter), "3") << "not in its memory, but stored";
        EXPECT_EQ(other_.put("third", 90s, counter), "3") << "lengthened";
        EXPECT_EQ(one_.put("third", 30s, counter), "3") << "in its memory with less";
        clock_.advance(50s);
        EXPECT_EQ(one_.get(counter), "3");
        EXPECT_EQ(other_.get(counter), "3");
    }
}

TEST_F(SharedCounters, write_the_directory_once_though_they_load_an_object_again) {
    storage::FaultyStore parting{disk_, 1, {.lose_only_the_end = false}};
    Process third{*this, parting};
    const std::vector<storage::Value> directory{"open", std::int64_t{0}, third.lane()};
    const auto entries = [&] {
        return storage::read_all(disk_, {.table = &token_object_table, .partition = directory})
            ->size();
    };
    EXPECT_EQ(third.put("a"), "1");
    ASSERT_EQ(entries(), 1U);
    storage::Batch batch;
    batch.erase(token_object_table, {"open", std::int64_t{0}, third.lane(), "page"});
    ASSERT_TRUE(storage::write_durably(disk_, batch));  // to see who writes it again
    clock_.advance(1s);
    EXPECT_EQ(third.put("b"), "2");
    EXPECT_EQ(entries(), 0U) << "it knows what it wrote";
    Process fourth{*this, parting};
    EXPECT_EQ(fourth.put("c"), "3");
    EXPECT_EQ(entries(), 1U) << "where what was written together may be parted nobody else knows";
}

TEST_F(SharedCounters, above_the_limit_say_so_to_each_other) {
    EXPECT_EQ(one_.put("a", {}, "few"), "1");
    EXPECT_EQ(other_.put("b", {}, "few"), "2");
    EXPECT_EQ(other_.put("c", {}, "few"), "3");
    EXPECT_EQ(other_.put("d", {}, "few"), "3+");
    clock_.advance(1s);
    EXPECT_EQ(one_.get("few"), "3+");
}

}  // namespace
}  // namespace footfall::tokens
