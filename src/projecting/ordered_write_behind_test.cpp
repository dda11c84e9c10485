#include "projecting/ordered_write_behind.h"

#include "storage/memory_store.h"
#include "storage/testing/faulty_store.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace footfall::projecting {
namespace {

using namespace std::chrono_literals;

const storage::Table seen_table{
    .name = "seen",
    .purpose = "Records that came, of each lane.",
    .partition = {{"lane", storage::ColumnType::integer}},
    .clustering = {{"offset", storage::ColumnType::integer}},
    .values = {}
};
const std::array<const storage::Table*, 1> seen_tables{&seen_table};

struct Seen {
    std::uint64_t offset;

    static std::uint64_t offset_of(const Seen& seen) { return seen.offset; }

    static std::size_t heap_bytes_of(const Seen&) { return 0; }

    static bool concludes(const Seen&) { return false; }
};

using SeenRecords = OrderedWriteBehind<Seen>;

Result<void> merge_seen(std::span<const SeenRecords::Part> parts, storage::Batch& batch) {
    for (const SeenRecords::Part& part : parts) {
        for (const Seen& each : part.entries) {
            batch.upsert(
                seen_table, {std::int64_t{part.lane}, static_cast<std::int64_t>(each.offset)}
            );
        }
    }
    return {};
}

TEST(OrderedWriteBehind, writes_all_also_what_came_after_a_write_that_was_refused) {
    const ManualClock clock{Instant{1'790'000'000s}};
    storage::MemoryStore rows{seen_tables, clock};
    storage::FaultyStore store{rows, 1, {.refuse_submit = 1}};
    SeenRecords records{store, clock, merge_seen, [](const auto&) {}, {}};
    const auto come = [&](std::uint64_t offset) {
        records.add(3, [offset](const auto& add, bool) { add(Seen{offset}); });
    };
    come(0);
    EXPECT_EQ(records.flush(true).error().kind, ErrorKind::overloaded);
    come(1);
    store.set_options({});
    ASSERT_TRUE(records.flush(true));
    EXPECT_EQ(records.waiting(), 0U);
    EXPECT_EQ(records.unsaved(3), std::nullopt);
    const auto found =
        storage::read_all(store, {.table = &seen_table, .partition = {std::int64_t{3}}});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->size(), 2U);
}

TEST(OrderedWriteBehind, merges_all_entries_of_a_record_together) {
    const ManualClock clock{Instant{1'790'000'000s}};
    storage::MemoryStore store{seen_tables, clock};
    std::vector<std::vector<std::uint64_t>> merged;
    const auto note = [&](std::span<const SeenRecords::Part> parts, storage::Batch&) {
        for (const SeenRecords::Part& part : parts) {
            std::vector<std::uint64_t>& offsets = merged.emplace_back();
            for (const Seen& each : part.entries) {
                offsets.push_back(each.offset);
            }
        }
        return Result<void>{};
    };
    SeenRecords records{store, clock, note, [](const auto&) {}, {.entries_at_once = 2}};
    records.add(3, [](const auto& add, bool) {
        for (const std::uint64_t offset : {0U, 1U, 1U, 1U, 2U}) {
            add(Seen{offset});
        }
    });
    ASSERT_TRUE(records.flush(true));
    const std::vector<std::vector<std::uint64_t>> whole{{0, 1, 1, 1}, {2}};
    EXPECT_EQ(merged, whole);
}

}  // namespace
}  // namespace footfall::projecting
