#include "journal_kafka/topic.h"

#include <gtest/gtest.h>

namespace footfall::journal_kafka {
namespace {

/// By the values of murmur2 that Kafka's own tests name.
TEST(LaneOfKey, is_the_one_that_kafkas_own_clients_choose) {
    constexpr std::uint32_t positive = 0x7fff'ffff;
    EXPECT_EQ(lane_of_key("21", 1000), (static_cast<std::uint32_t>(-973932308) & positive) % 1000);
    EXPECT_EQ(
        lane_of_key("foobar", 1000), (static_cast<std::uint32_t>(-790332482) & positive) % 1000
    );
    EXPECT_EQ(
        lane_of_key("a-little-bit-long-string", 64),
        (static_cast<std::uint32_t>(-985981536) & positive) % 64
    );
    EXPECT_EQ(lane_of_key("abc", 7), 479470107U % 7);
    EXPECT_LT(lane_of_key("", 64), 64U);
}

}  // namespace
}  // namespace footfall::journal_kafka
