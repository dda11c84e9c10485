#include "showing/find_rows.h"

#include "showing/test_table.h"
#include "storage/batch.h"
#include "storage/blocking.h"
#include "storage/decimal.h"
#include "storage/memory_store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace footfall::showing {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

/// Pages a to c of rooms 1 and 2, of days 1 to 3: 18 rows.
class FindRows : public testing::Test {
protected:
    FindRows() {
        storage::Batch batch;
        for (const char* page : {"a", "b", "c"}) {
            for (std::int64_t room = 1; room <= 2; ++room) {
                for (std::int64_t day = 1; day <= 3; ++day) {
                    const std::string note = fmt::format("{}{}{}", page, room, day);
                    const storage::DecimalBytes paid{5'000 * day};
                    batch.upsert(
                        visit_table,
                        {page, room, day, std::int64_t{0}, "w", note, std::int64_t{0}, paid.view()}
                    );
                }
            }
        }
        EXPECT_TRUE(storage::write_durably(store_, batch));
    }

    RowsFound find(
        const std::vector<std::string>& words, std::uint64_t rows = 100, std::uint64_t looks = 100
    ) {
        notes_.clear();
        const auto found = find_rows(
            store_,
            {.table = &visit_table,
             .conditions = *parse_conditions(visit_table, words),
             .rows_max = rows,
             .looks_max = looks},
            [this](RowInPage row) { notes_.emplace_back(row.value(5).text()); }
        );
        EXPECT_TRUE(found);
        EXPECT_EQ(found->rows, notes_.size());
        return *found;
    }

    const ManualClock clock_{Instant{}};
    const std::array<const storage::Table*, 1> tables_{&visit_table};
    storage::MemoryStore store_{tables_, clock_};
    std::vector<std::string> notes_;
};

TEST_F(FindRows, of_a_partition_are_read_in_order_and_no_other_is_looked_at) {
    const RowsFound found = find({"room=2", "page=b"});
    EXPECT_THAT(notes_, ElementsAre("b21", "b22", "b23"));
    EXPECT_EQ(found.looks, 3U);
    EXPECT_EQ(found.end, RowsFound::End::all_seen);
}

TEST_F(FindRows, leading_columns_of_the_key_narrow_what_is_looked_at) {
    EXPECT_EQ(find({"page=b", "room=2", "day=2"}).looks, 1U);
    EXPECT_THAT(notes_, ElementsAre("b22"));
    // Others are compared row by row.
    EXPECT_EQ(find({"page=b", "room=2", "note=b23"}).looks, 3U);
    EXPECT_THAT(notes_, ElementsAre("b23"));
    find({"page=b", "room=2", "paid=0.01"});
    EXPECT_THAT(notes_, ElementsAre("b22"));
}

TEST_F(FindRows, are_looked_for_in_the_whole_table_without_a_partition) {
    const RowsFound found = find({"room=1", "day=3"});
    EXPECT_THAT(notes_, UnorderedElementsAre("a13", "b13", "c13"));
    EXPECT_EQ(found.looks, 18U);
    EXPECT_EQ(found.end, RowsFound::End::all_seen);
}

TEST_F(FindRows, end_after_as_many_as_are_wanted) {
    EXPECT_EQ(find({"page=a", "room=1"}, 2).end, RowsFound::End::rows_max);
    EXPECT_THAT(notes_, ElementsAre("a11", "a12"));
    EXPECT_EQ(find({"page=a", "room=1"}, 3).end, RowsFound::End::all_seen);
    EXPECT_EQ(find({}, 5).end, RowsFound::End::rows_max);
}

TEST_F(FindRows, end_after_as_many_looks_as_are_wanted) {
    const RowsFound found = find({"note=nowhere"}, 100, 7);
    EXPECT_EQ(found.looks, 7U);
    EXPECT_EQ(found.end, RowsFound::End::looks_max);
    EXPECT_EQ(find({"note=nowhere"}, 100, 18).end, RowsFound::End::all_seen);
}

}  // namespace
}  // namespace footfall::showing
