#include "reading/fragments.h"

#include "events/event_keys.h"
#include "people/sharers.h"
#include "reading/readership.h"
#include "reading/schema.h"
#include "storage/blocking.h"
#include "storage/memory_store.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>
#include <vector>

namespace footfall::reading {
namespace {

constexpr SipKey fragments_secret{13, 14};
constexpr const char* read_all_day = "https://a.example/";

std::set<std::uint64_t> readers_in(storage::Store& store) {
    const auto hash = static_cast<std::int64_t>(siphash13(fragments_secret, read_all_day));
    const auto rows = *storage::read_all(store, {.table = &read_url_table, .partition = {hash}});
    std::set<std::uint64_t> readers;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        std::vector<UrlRead> reads;
        EXPECT_TRUE(take_reads(rows.at(row, 4).text(), reads));
        for (const UrlRead& each : reads) {
            readers.insert(each.reader);
        }
    }
    return readers;
}

TEST(Fragments, are_merged_with_those_about_as_large) {
    const auto from = [](const std::vector<std::size_t>& sizes) { return merged_from(sizes); };
    EXPECT_EQ(from({}), 0);
    EXPECT_EQ(from({5}), 0);
    EXPECT_EQ(from({5, 5, 5, 5}), 0);
    EXPECT_EQ(from({1'000, 5, 5}), 1);
    EXPECT_EQ(from({1'000, 5}), 1) << "nothing to do";
    EXPECT_EQ(from({20, 5, 5}), 0);
}

TEST(Fragments, are_looked_at_after_every_sixteenth) {
    FragmentCounts counts;
    int looked_at = 0;
    for (int at = 0; at < 160; ++at) {
        looked_at += counts.note(7, 20'000) ? 1 : 0;
    }
    EXPECT_EQ(looked_at, 10);
}

TEST(Fragments, of_a_url_that_is_read_all_day_stay_few_and_lose_nobody) {
    ManualClock clock{Instant{std::chrono::days{20'000}}};
    storage::MemoryStore store{all_tables, clock};
    people::Sharers sharers{fragments_secret};
    Readership readership{store, clock, sharers, {.secret = fragments_secret}};
    const std::uint32_t lane = events::lane_of(read_all_day, fragments_secret);
    constexpr std::uint64_t writes = 2'000;
    for (std::uint64_t at = 0; at < writes; ++at) {
        events::JudgedEvent judged;
        judged.event = {.time = clock.now(), .action = "read", .object = read_all_day};
        judged.read = events::ReadBy{.reader = at % 1'500};
        const projecting::JudgedRecord record{.offset = at, .judged = &judged, .person = {}};
        readership.apply(lane, {&record, 1});
        ASSERT_TRUE(readership.flush(true));
        clock.advance(std::chrono::seconds{30});
    }
    const auto hash = static_cast<std::int64_t>(siphash13(fragments_secret, read_all_day));
    const auto rows = *storage::read_all(store, {.table = &read_url_table, .partition = {hash}});
    EXPECT_LT(rows.size(), 40);
    std::uint64_t end = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        EXPECT_EQ(rows.at(row, 3).number(), end) << "each begins where another ends";
        end = static_cast<std::uint64_t>(rows.at(row, 5).number()) + 1;
    }
    EXPECT_EQ(end, writes);
    EXPECT_EQ(readers_in(store).size(), 1'500);
}

/// A lane goes to another process and comes back, with its checkpoint where it was: what that one
/// wrote one by one is written again in one piece.
TEST(Fragments, that_a_replay_writes_again_lose_nobody) {
    constexpr std::uint64_t checkpoint = 15;
    constexpr std::uint64_t end = 40;
    for (std::uint64_t written_alone = checkpoint; written_alone < end; ++written_alone) {
        ManualClock clock{Instant{std::chrono::days{20'000}}};
        storage::MemoryStore store{all_tables, clock};
        people::Sharers sharers{fragments_secret};
        Readership one{store, clock, sharers, {.secret = fragments_secret}};
        Readership other{store, clock, sharers, {.secret = fragments_secret}};
        const std::uint32_t lane = events::lane_of(read_all_day, fragments_secret);
        const auto read = [&](Readership& by, std::uint64_t at) {
            events::JudgedEvent judged;
            judged.event = {.time = clock.now(), .action = "read", .object = read_all_day};
            judged.read = events::ReadBy{.reader = at};
            const projecting::JudgedRecord record{.offset = at, .judged = &judged, .person = {}};
            by.apply(lane, {&record, 1});
        };
        for (std::uint64_t at = 0; at < checkpoint; ++at) {
            read(one, at);
            ASSERT_TRUE(one.flush(true));
        }
        for (std::uint64_t at = checkpoint; at < written_alone; ++at) {
            read(other, at);
            ASSERT_TRUE(other.flush(true));
        }
        for (std::uint64_t at = checkpoint; at < end; ++at) {
            read(one, at);
        }
        ASSERT_TRUE(one.flush(true));
        EXPECT_EQ(readers_in(store).size(), end) << written_alone;
    }
}

}  // namespace
}  // namespace footfall::reading
