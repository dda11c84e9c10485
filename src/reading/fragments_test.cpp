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
    std::set<std::uint64_t> readers;
    std::uint64_t end = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        EXPECT_EQ(rows.at(row, 3).number(), end) << "each begins where another ends";
        end = static_cast<std::uint64_t>(rows.at(row, 5).number()) + 1;
        std::vector<UrlRead> reads;
        ASSERT_TRUE(take_reads(rows.at(row, 4).text(), reads));
        for (const UrlRead& each : reads) {
            readers.insert(each.reader);
        }
    }
    EXPECT_EQ(end, writes);
    EXPECT_EQ(readers.size(), 1'500);
}

}  // namespace
}  // namespace footfall::reading
