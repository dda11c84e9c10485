#include "storage_cassandra/write_time.h"

#include <gtest/gtest.h>

namespace footfall::storage_cassandra {
namespace {

Instant at(std::int64_t microseconds) {
    return Instant{std::chrono::microseconds{microseconds}};
}

/// Of rows that have an owner.
std::optional<std::int64_t> next(WriteTime& time, Instant now) {
    const auto stamps = time.next(now);
    return stamps ? std::optional{stamps->owned} : std::nullopt;
}

TEST(WriteTime, follows_the_clock_and_never_stands_still_or_goes_back) {
    WriteTime time{100, at(0)};
    time.reserved(1000);
    EXPECT_EQ(next(time, at(200)), 200);
    EXPECT_EQ(next(time, at(200)), 201);
    EXPECT_EQ(next(time, at(150)), 202);
    EXPECT_EQ(next(time, at(300)), 300);
}

TEST(WriteTime, begins_behind_what_others_have_reserved) {
    WriteTime time{500, at(0)};
    time.reserved(1000);
    EXPECT_EQ(next(time, at(200)), 501);
}

TEST(WriteTime, never_passes_what_is_reserved) {
    WriteTime time{0, at(0)};
    EXPECT_EQ(next(time, at(1)), std::nullopt);
    time.reserved(3);
    EXPECT_EQ(next(time, at(100)), 1);
    EXPECT_EQ(next(time, at(100)), 2);
    EXPECT_EQ(next(time, at(100)), 3);
    EXPECT_EQ(next(time, at(100)), std::nullopt);
    time.reserved(200);
    EXPECT_EQ(next(time, at(100)), 100);
}

TEST(WriteTime, wants_more_before_half_of_it_is_gone) {
    constexpr std::int64_t half = WriteTime::window / 2;
    WriteTime time{0, at(0)};
    EXPECT_EQ(time.wanted(at(50)), 50 + WriteTime::window);
    time.reserved(WriteTime::window);
    EXPECT_EQ(time.wanted(at(half)), std::nullopt);
    EXPECT_EQ(time.wanted(at(half + 1)), half + 1 + WriteTime::window);
}

/// Asked for every few seconds, it is the clock's time however seldom somebody writes.
TEST(WriteTime, follows_the_clock_of_a_process_that_seldom_writes) {
    WriteTime time{0, at(0)};
    for (std::int64_t now = 0; now <= 100 * WriteTime::window; now += WriteTime::window / 4) {
        if (const auto through = time.wanted(at(now))) {
            time.reserved(*through);
        }
        EXPECT_GE(time.wanted(at(now + WriteTime::window / 4)).value_or(now), now);
    }
    EXPECT_EQ(next(time, at(100 * WriteTime::window)), 100 * WriteTime::window);
}

TEST(WriteTime, of_shared_rows_is_the_clock_from_the_start) {
    WriteTime time{1000, at(200)};
    time.reserved(5000);
    EXPECT_EQ(time.next(at(200)), (WriteTime::Stamps{.owned = 1001, .shared = 200}));
    EXPECT_EQ(time.next(at(200)), (WriteTime::Stamps{.owned = 1002, .shared = 201}));
    time.begin_behind(2000);
    EXPECT_EQ(time.next(at(300)), (WriteTime::Stamps{.owned = 2001, .shared = 300}));
    EXPECT_EQ(time.next(at(100)), (WriteTime::Stamps{.owned = 2002, .shared = 301}));
    EXPECT_EQ(time.next(at(3000)), (WriteTime::Stamps{.owned = 3000, .shared = 3000}));
}

TEST(WriteTime, of_shared_rows_begins_behind_others_where_the_clock_has_gone_back) {
    constexpr std::int64_t far = 100 * WriteTime::window;
    WriteTime time{far, at(far - WriteTime::gone_back - 1)};
    time.reserved(far + WriteTime::step);
    EXPECT_EQ(time.next(at(0)), (WriteTime::Stamps{.owned = far + 1, .shared = far + 1}));
}

TEST(WriteTime, of_shared_rows_is_never_later_than_what_is_reserved) {
    WriteTime time{1000, at(5000)};
    time.reserved(1002);
    EXPECT_EQ(time.next(at(5000)), (WriteTime::Stamps{.owned = 1001, .shared = 1001}));
}

TEST(WriteTime, many_starts_at_once_do_not_move_it_far_ahead) {
    std::int64_t reserved = 0;
    for (int start = 0; start < 50; ++start) {
        reserved = WriteTime::behind(reserved, at(1000));
        WriteTime time{reserved, at(1000)};
        time.reserved(WriteTime::behind(reserved, at(1000)));
        EXPECT_GT(next(time, at(1000)).value_or(0), reserved);
        reserved = time.wanted(at(1000)).value_or(reserved);
    }
    EXPECT_LE(reserved, 1000 + 2 * WriteTime::window);
}

}  // namespace
}  // namespace footfall::storage_cassandra
