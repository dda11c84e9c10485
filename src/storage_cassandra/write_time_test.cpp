#include "storage_cassandra/write_time.h"

#include <gtest/gtest.h>

namespace footfall::storage_cassandra {
namespace {

Instant at(std::int64_t microseconds) {
    return Instant{std::chrono::microseconds{microseconds}};
}

TEST(WriteTime, follows_the_clock_and_never_stands_still_or_goes_back) {
    WriteTime time{100};
    time.reserved(1000);
    EXPECT_EQ(time.next(at(200)), 200);
    EXPECT_EQ(time.next(at(200)), 201);
    EXPECT_EQ(time.next(at(150)), 202);
    EXPECT_EQ(time.next(at(300)), 300);
}

TEST(WriteTime, begins_behind_what_others_have_reserved) {
    WriteTime time{500};
    time.reserved(1000);
    EXPECT_EQ(time.next(at(200)), 501);
}

TEST(WriteTime, never_passes_what_is_reserved) {
    WriteTime time{0};
    EXPECT_EQ(time.next(at(1)), std::nullopt);
    time.reserved(3);
    EXPECT_EQ(time.next(at(100)), 1);
    EXPECT_EQ(time.next(at(100)), 2);
    EXPECT_EQ(time.next(at(100)), 3);
    EXPECT_EQ(time.next(at(100)), std::nullopt);
    time.reserved(200);
    EXPECT_EQ(time.next(at(100)), 100);
}

TEST(WriteTime, wants_more_before_half_of_it_is_gone) {
    constexpr std::int64_t half = WriteTime::window / 2;
    WriteTime time{0};
    EXPECT_EQ(time.wanted(at(50)), 50 + WriteTime::window);
    time.reserved(WriteTime::window);
    EXPECT_EQ(time.wanted(at(half)), std::nullopt);
    EXPECT_EQ(time.wanted(at(half + 1)), half + 1 + WriteTime::window);
}

}  // namespace
}  // namespace footfall::storage_cassandra
