#include "reading/who_read.h"

#include "events/event_keys.h"
#include "foundation/random.h"
#include "foundation/testing/rounds.h"
#include "foundation/testing/test_seed.h"
#include "reading/random_world.h"
#include "reading/readership.h"
#include "reading/schema.h"
#include "storage/blocking.h"
#include "storage/memory_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <string>
#include <vector>

namespace footfall::reading {
namespace {

using namespace std::chrono_literals;

TEST(WhoRead, is_what_brute_force_says_to_the_name) {
    const std::uint64_t first = test_seed();
    std::uint64_t verified = 0;
    ReadsOfOthers::Figures asked;
    for (std::uint64_t round = 0; round < rounds(1'000); ++round) {
        SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", first + round));
        World world{first + round};
        for (int step = 0; step < 120; ++step) {
            world.step();
            if (step % 3 == 0) {
                ASSERT_NO_FATAL_FAILURE(world.expect_same());
            }
        }
        ASSERT_NO_FATAL_FAILURE(world.expect_verified());
        verified += world.verified();
        asked.told += world.asked().told;
        asked.left += world.asked().left;
        asked.by_key += world.asked().by_key;
        asked.sent += world.asked().sent;
        asked.sent_again += world.asked().sent_again;
    }
    EXPECT_GT(verified, rounds(1'000));
    // Each way to an answer was gone often.
    for (const std::uint64_t times :
         {asked.told, asked.left, asked.by_key, asked.sent, asked.sent_again}) {
        EXPECT_GT(times, rounds(1'000));
    }
}

TEST(WhoRead, a_fact_ends_with_the_last_second_of_its_last_day) {
    ManualClock clock{Instant{std::chrono::days{20'000}} + 5h};
    storage::MemoryStore store{tables_of_world(), clock};
    people::Sharers sharers{world_secret};
    sharers.put("ann", {.number = 7}, {.reading = people::Reading::shared});
    AskedFriends friends;
    friends.ids.assign(std::vector<ReaderId>{0});
    for (const bool flushed : {false, true}) {
        Readership readership{store, clock, sharers, {.secret = world_secret, .ttl = facts_live}};
        events::JudgedEvent judged;
        judged.event = {.time = clock.now(), .action = "read", .object = "https://news.example/"};
        judged.read = events::ReadBy{.reader = 7};
        const projecting::JudgedRecord record{.offset = 0, .judged = &judged, .person = {}};
        readership.apply(events::lane_of(judged.event.object, world_secret), {&record, 1});
        if (flushed) {
            ASSERT_TRUE(readership.flush(true));
        }
        const auto read = [&] {
            return readership.who(std::vector{judged.event.object}, friends)->front().size();
        };
        const auto day = std::chrono::floor<std::chrono::days>(clock.now());
        clock.set(day + facts_live + std::chrono::days{1} - 1us);
        EXPECT_EQ(read(), 1) << flushed;
        clock.advance(1us);
        EXPECT_EQ(read(), 0) << flushed;
    }
}

TEST(WhoRead, is_told_of_more_urls_than_are_asked_for_together_and_of_more_rows_than_a_page_has) {
    constexpr std::uint64_t a_day = 28'000;
    constexpr std::uint64_t of_the_first = 2 * a_day + 1;
    ManualClock clock{Instant{std::chrono::days{20'000}} + 5h};
    storage::MemoryStore store{tables_of_world(), clock};
    people::Sharers sharers{world_secret};
    for (std::uint64_t at = 0; at < of_the_first; ++at) {
        sharers.put(
            fmt::format("u{}", at), {.number = Random{at}()}, {.reading = people::Reading::shared}
        );
    }
    std::vector<std::string> urls;
    urls.reserve(urls_max);
    for (std::size_t at = 0; at < urls_max; ++at) {
        urls.push_back(fmt::format("https://news.example/{}", at));
    }
    Readership readership{store, clock, sharers, {.secret = world_secret, .ttl = facts_live}};
    const auto read = [&](std::uint64_t reader, std::size_t url, Instant time) {
        events::JudgedEvent judged;
        judged.event = {.time = time, .action = "read", .object = urls[url]};
        judged.read = events::ReadBy{.reader = Random{reader}()};
        const projecting::JudgedRecord record{.offset = reader, .judged = &judged, .person = {}};
        readership.apply(events::lane_of(urls[url], world_secret), {&record, 1});
    };
    for (std::uint64_t at = 0; at < of_the_first; ++at) {
        read(at, 0, clock.now() - 24h * (2 - at / a_day));
    }
    for (std::uint64_t at = 1; at < urls_max; ++at) {
        read(at, at, clock.now());
    }
    ASSERT_TRUE(readership.flush(true));
    std::vector<ReaderId> asked(urls_max);
    std::iota(asked.begin(), asked.end(), ReaderId{0});
    asked.push_back(of_the_first - 1);
    AskedFriends friends;
    friends.ids.assign(asked);
    for (const bool in_memory : {false, true}) {
        SCOPED_TRACE(in_memory);
        EXPECT_EQ(readership.hot_urls(), in_memory ? urls_max : 0);
        const auto answer = readership.who(urls, friends);
        ASSERT_TRUE(answer);
        EXPECT_EQ(answer->front().size(), asked.size()) << "also who came on the last day";
        for (ReaderId at = 1; at < urls_max; ++at) {
            EXPECT_EQ((*answer)[at], std::vector{at});
        }
    }
}

TEST(WhoRead, what_waits_stays_within_its_bound) {
    ManualClock clock{Instant{std::chrono::days{20'000}}};
    storage::MemoryStore store{tables_of_world(), clock};
    const people::Sharers sharers{world_secret};
    Readership readership{
        store, clock, sharers, {.secret = world_secret, .ttl = facts_live, .interval = 24h}
    };
    constexpr std::size_t bound = 32 << 20;
    std::size_t highest = 0;
    for (std::uint64_t at = 0; at < 150'000; ++at) {
        ASSERT_TRUE(readership.wait_for_room());
        events::JudgedEvent judged;
        judged.event = {
            .time = clock.now(),
            .action = "read",
            .object = fmt::format("https://news.example/{}", at)
        };
        judged.read = events::ReadBy{.reader = at};
        const projecting::JudgedRecord record{.offset = at, .judged = &judged, .person = {}};
        readership.apply(0, {&record, 1});
        highest = std::max(highest, readership.bytes());
    }
    EXPECT_GT(highest, bound / 2) << "it waits for nothing while there is room";
    EXPECT_LT(highest, bound + (1 << 20));
    ASSERT_TRUE(readership.flush(true));
    EXPECT_EQ(readership.bytes(), 0);
    EXPECT_FALSE(readership.unsaved(0));
}

TEST(WhoRead, a_page_is_written_once_a_day_and_kept_as_long_as_its_latest_fact) {
    ManualClock clock{Instant{std::chrono::days{20'000}} + 5h};
    storage::MemoryStore store{tables_of_world(), clock};
    const people::Sharers sharers{world_secret};
    Readership readership{store, clock, sharers, {.secret = world_secret, .ttl = facts_live}};
    const auto read = [&](Instant time) {
        events::JudgedEvent judged;
        judged.event = {.time = time, .action = "read", .object = "https://news.example/"};
        judged.read = events::ReadBy{.reader = 7};
        const projecting::JudgedRecord record{.offset = 0, .judged = &judged, .person = {}};
        readership.apply(0, {&record, 1});
        ASSERT_TRUE(readership.flush(true));
    };
    for (int again = 0; again < 100; ++again) {
        read(clock.now());
    }
    read(clock.now() - 48h);
    EXPECT_EQ(readership.rows_written(), 100 + 1 + 100 + 2) << "facts, the page, a URL each write";
    const auto page = storage::scan_page(store, {.table = &read_page_table});
    ASSERT_TRUE(page);
    ASSERT_EQ(page->rows.size(), 1);
    const Instant end{std::chrono::days{20'001} + facts_live};
    EXPECT_EQ(page->rows.at(0, 2).number(), end.time_since_epoch().count());
    readership.drop();
    read(clock.now());
    EXPECT_EQ(readership.rows_written(), 203 + 3) << "what was lost comes again";
}

TEST(WhoRead, quarters_are_of_their_day) {
    for (const auto& [time, day] :
         {std::pair{Instant{}, 0},
          {Instant{24h - 1us}, 0},
          {Instant{24h}, 1},
          {Instant{-1us}, -1},
          {Instant{-24h}, -1},
          {Instant{-24h - 1us}, -2}}) {
        EXPECT_EQ(day_of(quarter_of(time)), day) << time.time_since_epoch().count();
    }
}

}  // namespace
}  // namespace footfall::reading
