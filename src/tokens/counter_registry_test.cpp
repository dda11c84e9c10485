#include "tokens/counter_registry.h"

#include "tokens/test_world.h"

#include <gtest/gtest.h>

namespace footfall::tokens {
namespace {

class CounterRegistryTest : public testing::Test {
protected:
    ManualClock clock_{test_start};
    storage::MemoryStore store_{token_tables, clock_};
};

TEST_F(CounterRegistryTest, remembers_the_ttl_a_counter_was_made_with) {
    const std::vector<CounterConfig> made{{.name = "a", .ttl = {}}, {.name = "b", .ttl = 10s}};
    ASSERT_TRUE(register_counters(store_, made));
    ASSERT_TRUE(register_counters(store_, made));
    const std::vector<CounterConfig> changed{{.name = "b", .ttl = 11s}};
    const Result<void> refused = register_counters(store_, changed);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::conflict);
    EXPECT_NE(refused.error().message.find("a ttl of 10 s"), std::string::npos);
    const std::vector<CounterConfig> bounded{{.name = "a", .ttl = 10s}};
    EXPECT_FALSE(register_counters(store_, bounded));
}

TEST_F(CounterRegistryTest, lets_the_limit_change_and_counters_come_and_go) {
    ASSERT_TRUE(register_counters(store_, std::vector<CounterConfig>{{.name = "a", .ttl = 5s}}));
    ASSERT_TRUE(register_counters(
        store_, std::vector<CounterConfig>{{.name = "a", .ttl = 5s, .limit = 7}, {.name = "c"}}
    ));
    ASSERT_TRUE(register_counters(store_, std::vector<CounterConfig>{}));
    EXPECT_FALSE(register_counters(store_, std::vector<CounterConfig>{{.name = "a", .ttl = 6s}}));
}

TEST_F(CounterRegistryTest, adds_nothing_when_one_counter_is_wrong) {
    for (const std::vector<CounterConfig>& wrong : std::vector<std::vector<CounterConfig>>{
             {{.name = "a", .ttl = 5s}, {.name = "a", .ttl = 6s}},
             {{.name = "a", .ttl = 5s}, {.name = "b", .limit = 0}},
         }) {
        const Result<void> refused = register_counters(store_, wrong);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().kind, ErrorKind::invalid_input);
    }
    EXPECT_TRUE(register_counters(store_, std::vector<CounterConfig>{{.name = "a", .ttl = 9s}}));
}

}  // namespace
}  // namespace footfall::tokens
