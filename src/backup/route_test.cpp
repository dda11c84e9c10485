#include "backup/route.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace footfall::backup {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Instant second(double number) {
    return Instant{std::chrono::microseconds{static_cast<std::int64_t>(number * 1e6)}};
}

StoredFile log_file(const char* name, std::uint64_t size, const char* stored = "files/log") {
    return {
        .name = name,
        .stored = stored,
        .sums = {.size = size, .tail = 0, .portions = std::vector<std::uint32_t>(1)}
    };
}

/// A backup that was begun at a second and had its files a tenth of one later.
Manifest made_at(double taken, std::uint64_t history, std::vector<StoredFile> past = {}) {
    return {
        .name = name_of(second(taken)),
        .deployment = "d",
        .format = 5,
        .taken = second(taken),
        .history = history,
        .block = static_cast<std::uint64_t>(taken),
        .past_from = past.empty() ? 0 : static_cast<std::uint64_t>(taken) - 9,
        .past_to = static_cast<std::uint64_t>(taken),
        .until = second(taken + 0.1),
        .past = std::move(past)
    };
}

std::vector<std::string> stored(const Route& route) {
    std::vector<std::string> names;
    names.reserve(route.past.size());
    for (const StoredFile& log : route.past) {
        names.push_back(fmt::format("{} {} {}", log.name, log.stored, log.sums.size));
    }
    return names;
}

TEST(Route, leads_from_the_last_backup_without_anything_later) {
    const Listing listing{
        .whole =
            {made_at(10, 1, {log_file("000001.log", 1)}),
             made_at(20, 1, {log_file("000002.log", 10, "files/a"), log_file("000004.log", 3)}),
             made_at(30, 1, {log_file("000002.log", 15, "files/b"), log_file("000007.log", 2)}),
             made_at(40, 1, {log_file("000009.log", 1)})},
        .unusable = {}
    };
    const auto within = route_to(listing, second(25));
    ASSERT_TRUE(within) << within.error().message;
    EXPECT_EQ(within->base, listing.whole[1]);
    EXPECT_EQ(within->block_min, 30U);
    EXPECT_THAT(stored(*within), ElementsAre("000002.log files/b 15", "000007.log files/log 2"));

    // While the files of a backup were had, others wrote: it may have something later.
    const auto meanwhile = route_to(listing, second(20.05));
    ASSERT_TRUE(meanwhile) << meanwhile.error().message;
    EXPECT_EQ(meanwhile->base, listing.whole[0]);
    EXPECT_THAT(
        stored(*meanwhile),
        ElementsAre("000002.log files/b 15", "000004.log files/log 3", "000007.log files/log 2")
    );
    EXPECT_EQ(route_to(listing, second(20.1))->base, listing.whole[1]);
    EXPECT_EQ(route_to(listing, second(40))->base, listing.whole[2]);
    EXPECT_THAT(spans_of(listing), ElementsAre(Span{.first = second(10.1), .last = second(40)}));
}

TEST(Route, knows_what_was_not_kept_to_the_last_block) {
    Listing listing{
        .whole =
            {made_at(10, 1, {log_file("000001.log", 1)}),
             made_at(20, 1, {log_file("000002.log", 1)}),
             made_at(30, 1, {log_file("000003.log", 1)})},
        .unusable = {}
    };
    listing.whole[1].past_from = 12;  // the one before ended with block 10
    EXPECT_THAT(spans_of(listing), ElementsAre(Span{.first = second(20.1), .last = second(30)}));
    EXPECT_FALSE(route_to(listing, second(15)));
    EXPECT_FALSE(route_to(listing, second(20.05)));
    EXPECT_TRUE(route_to(listing, second(25)));
    listing.whole[2].past_from = 0;  // nothing was written since
    EXPECT_FALSE(route_to(listing, second(25))) << "but blocks were";
    listing.whole[2].block = 20;
    EXPECT_TRUE(route_to(listing, second(25)));
}

TEST(Route, says_which_moments_can_be_reached) {
    const Listing listing{
        .whole =
            {made_at(10, 1),
             made_at(20, 1),  // nothing was kept since the one before
             made_at(30, 1, {log_file("000002.log", 1)}),
             made_at(40, 2, {log_file("000002.log", 9)}),  // restored in between
             made_at(50, 2, {log_file("000003.log", 9)})},
        .unusable = {"the list of x is damaged"}
    };
    EXPECT_THAT(
        spans_of(listing),
        ElementsAre(
            Span{.first = second(20.1), .last = second(30)},
            Span{.first = second(40.1), .last = second(50)}
        )
    );
    EXPECT_TRUE(route_to(listing, second(25)));
    EXPECT_EQ(stored(*route_to(listing, second(45))).size(), 1U);
    for (const double moment : {5.0, 10.0, 15.0, 20.05, 30.5, 35.0, 40.05, 50.5}) {
        const auto refused = route_to(listing, second(moment));
        ASSERT_FALSE(refused) << moment;
        EXPECT_EQ(refused.error().kind, ErrorKind::not_found);
        EXPECT_THAT(
            refused.error().message,
            HasSubstr("1970-01-01T00:00:20.100Z to 1970-01-01T00:00:30Z, and "
                      "1970-01-01T00:00:40.100Z to 1970-01-01T00:00:50Z; the list of x is damaged")
        ) << moment;
    }
    const auto none = route_to({}, second(1));
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().message, HasSubstr("nor can any other moment"));
}

}  // namespace
}  // namespace footfall::backup
