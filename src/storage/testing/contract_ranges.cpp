#include "storage/blocking.h"
#include "storage_testing/contract_parts.h"
#include "storage_testing/store_contract.h"

#include <gmock/gmock.h>

#include <cstddef>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace footfall::storage {

using testing::ElementsAre;
using testing::IsEmpty;

void link_contract_ranges() {}

namespace {

using namespace std::string_literals;

Row visit(std::int64_t day, std::int64_t moment, const std::string& id) {
    return {"s", "o", day, moment, id, "note", std::int64_t{1}, ""};
}

/// Visits of three days, three moments, four ids, in the order the table declares.
std::vector<Row> grid() {
    std::vector<Row> rows;
    for (const std::int64_t day : {2, 0, -2}) {
        for (const std::int64_t moment : {-300, 0, 256}) {
            for (const std::string& id : {""s, "\0"s, "a"s, "\xff"s}) {
                rows.push_back(visit(day, moment, id));
            }
        }
    }
    return rows;
}

std::vector<Row> slice(const std::vector<Row>& rows, std::ptrdiff_t from, std::ptrdiff_t to) {
    return {rows.begin() + from, rows.begin() + to};
}

}  // namespace

TEST_P(StoreContract, a_partition_is_read_in_the_declared_order) {
    for (const Table* table : {&visits, &visits_bulk}) {
        const std::vector<Row> rows = grid();
        // Written backwards and in several batches, so that the order is the store's work.
        for (auto row = rows.rbegin(); row != rows.rend();) {
            Batch batch;
            for (int count = 0; count < 7 && row != rows.rend(); ++count, ++row) {
                batch.upsert(*table, views_of(*row));
            }
            write(batch);
        }
        EXPECT_EQ(all_rows(store(), partition_query(*table, {"s", "o"})), rows);
    }
}

// Bounds may be any number of leading clustering columns; both ends are included; with a
// descending first column `from` is the later day.
TEST_P(StoreContract, a_range_includes_all_rows_that_start_with_its_bounds) {
    const std::vector<Row> rows = grid();

    struct Case {
        Row from;
        Row through;
        std::ptrdiff_t first;
        std::ptrdiff_t end;
    };

    const auto number = [](std::int64_t value) { return Value{value}; };
    const std::vector<Case> cases{
        {{}, {}, 0, 36},
        {{number(0)}, {}, 12, 36},
        {{}, {number(0)}, 0, 24},
        {{number(0)}, {number(0)}, 12, 24},
        {{number(1)}, {number(-1)}, 12, 24},
        {{number(0), number(0)}, {number(0), number(0)}, 16, 20},
        {{number(2), number(1)}, {number(0), number(-300)}, 8, 16},
        {{number(0), number(-299)}, {number(-2)}, 16, 36},
        {{number(2), number(0), "a"}, {number(2), number(0), "a"}, 6, 7},
        {{number(2), number(0), "\0\0"s}, {number(2), number(0), "b"}, 6, 7},
        {{number(2), number(0), ""}, {number(2), number(0), "\xfe"}, 4, 7},
        {{number(-3)}, {}, 36, 36},
        {{}, {number(3)}, 0, 0},
        {{number(-2)}, {number(2)}, 0, 0},
        {{number(2), number(0), "b"}, {number(2), number(0), "a"}, 0, 0},
    };
    for (const Table* table : {&visits, &visits_bulk}) {
        Batch batch;
        for (const Row& row : rows) {
            batch.upsert(*table, views_of(row));
        }
        write(batch);
        for (const Case& bounds : cases) {
            RangeQuery query = partition_query(*table, {"s", "o"});
            query.from = bounds.from;
            query.through = bounds.through;
            for (const std::size_t max_rows : {1000U, 5U, 1U}) {
                query.max_rows = max_rows;
                EXPECT_EQ(all_rows(store(), query), slice(rows, bounds.first, bounds.end))
                    << testing::PrintToString(bounds.from) << " through "
                    << testing::PrintToString(bounds.through) << ", pages of " << max_rows;
            }
        }
    }
}

/// Partitions asked together, in no order, some of them twice or empty: half of the rows stand in
/// files when the rest comes.
TEST_P(StoreContract, many_partitions_are_read_at_once) {
    constexpr std::int64_t objects = 150;
    const auto row_of = [](std::int64_t object, std::int64_t row) -> Row {
        return {"s", std::to_string(object), 5 - row, std::int64_t{0}, "a", "", object, ""};
    };
    std::vector<std::string> names;
    names.reserve(2 * objects);
    for (std::int64_t at = 0; at < 2 * objects; ++at) {
        names.push_back(std::to_string(at * 7 % (objects + 10)));
    }
    std::vector<ValueView> asked;
    for (const std::string& name : names) {
        asked.emplace_back("s");
        asked.emplace_back(name);
    }
    for (const Table* table : {&visits, &visits_bulk}) {
        std::map<std::string, std::vector<Row>> wanted;
        for (std::int64_t object = 0; object < objects; ++object) {
            if (object == objects / 2) {
                ASSERT_TRUE(scan_page(store(), {.table = table}));
            }
            for (std::int64_t row = 0; row < object % 4; ++row) {
                put(*table, row_of(object, row));
                wanted[std::to_string(object)].push_back(row_of(object, row));
            }
        }
        for (std::int64_t object = 3; object < objects; object += 12) {
            const Row gone = row_of(object, 0);
            Batch batch;
            const std::vector<ValueView> columns = views_of(gone);
            batch.erase(*table, std::span{columns}.first(table->key_width()));
            write(batch);
            auto& left = wanted[std::to_string(object)];
            left.erase(left.begin());
        }
        std::size_t answered = 0;
        const auto look = [&](std::size_t at, const Rows& rows, PartitionsFound::Place place
                          ) -> Result<void> {
            EXPECT_EQ(at, answered++);
            const std::vector<Row> all = owned_rows(rows);
            const auto first = all.begin() + static_cast<std::ptrdiff_t>(place.first);
            const auto end = all.begin() + static_cast<std::ptrdiff_t>(place.end);
            EXPECT_EQ((std::vector<Row>{first, end}), wanted[names[at]]) << names[at];
            return {};
        };
        EXPECT_TRUE(read_partitions(store(), *table, asked, look));
        EXPECT_EQ(answered, names.size());
        EXPECT_TRUE(read_partitions(store(), *table, {}, look));
        EXPECT_EQ(answered, names.size());
    }
}

TEST_P(StoreContract, texts_that_are_prefixes_of_each_other_stand_in_byte_order_both_ways) {
    const std::vector<std::string> names{
        "", "\0"s, "\0\0"s, "\0a"s, "\x01", "a", "a\0"s, "a\0\x7f"s, "a\x01", "aa", "b", "\xc2\x80"
    };
    Batch batch;
    std::vector<Row> ascending;
    std::vector<Row> descending;
    for (const std::string& name : names) {
        ascending.push_back({"page", std::int64_t{0}, name, std::int64_t{0}});
        descending.insert(descending.begin(), Row{std::int64_t{1}, name});
        batch.upsert(links, views_of(descending.front()));
        batch.upsert(marks, views_of(ascending.back()));
    }
    write(batch);
    EXPECT_EQ(all_rows(store(), partition_query(marks, {"page", std::int64_t{0}})), ascending);
    EXPECT_EQ(all_rows(store(), partition_query(links, {std::int64_t{1}})), descending);
    RangeQuery query = partition_query(links, {std::int64_t{1}});
    query.from = {"a\0\x7f"s};
    query.through = {"a"};
    EXPECT_EQ(all_rows(store(), query), slice(descending, 4, 7));
}

TEST_P(StoreContract, numbers_stand_in_signed_order_both_ways) {
    constexpr auto low = std::numeric_limits<std::int64_t>::min();
    constexpr auto high = std::numeric_limits<std::int64_t>::max();
    const std::vector<std::int64_t> numbers{
        low,
        low + 1,
        -65537,
        -65536,
        -257,
        -256,
        -255,
        -2,
        -1,
        0,
        1,
        255,
        256,
        257,
        65535,
        65536,
        high - 1,
        high
    };
    Batch batch;
    std::vector<Row> descending;
    std::vector<Row> ascending;
    for (const std::int64_t number : numbers) {
        ascending.push_back(visit(1, number, "id"));
        descending.insert(
            descending.begin(), Row{std::int64_t{1}, number, std::int64_t{0}, "visa"}
        );
        batch.upsert(visits, views_of(ascending.back()));
        batch.upsert(visas, views_of(descending.front()));
    }
    write(batch);
    EXPECT_EQ(all_rows(store(), partition_query(visits, {"s", "o"})), ascending);
    EXPECT_EQ(all_rows(store(), partition_query(visas, {std::int64_t{1}})), descending);
}

TEST_P(StoreContract, rows_of_neighbouring_partitions_never_show) {
    const std::vector<Row> partitions{
        {"", ""},
        {"", "\0"s},
        {"\0"s, ""},
        {"a", ""},
        {"a", "\0"s},
        {"a", "\xff"},
        {"a", "b"},
        {"ab", ""},
        {"a\0"s, "b"},
        {"b", ""},
        {"a\0b"s, ""},
        {"a", "\0b"s},
        {"a", "\xff\xff"}
    };
    for (const Table* table : {&visits, &visits_bulk}) {
        Batch batch;
        const auto row_in = [](const Row& partition, std::int64_t number) {
            Row row = partition;
            row.insert(row.end(), {number, number, "id", "note", number, ""});
            return row;
        };
        for (const Row& partition : partitions) {
            for (const std::int64_t number : {-1, 1}) {
                batch.upsert(*table, views_of(row_in(partition, number)));
            }
        }
        write(batch);
        for (const Row& partition : partitions) {
            EXPECT_THAT(
                all_rows(store(), partition_query(*table, partition)),
                ElementsAre(row_in(partition, 1), row_in(partition, -1))
            ) << testing::PrintToString(partition);
        }
        EXPECT_THAT(all_rows(store(), partition_query(*table, {"a", "a"})), IsEmpty());
    }
}

TEST_P(StoreContract, a_table_without_clustering_columns_has_one_row_a_partition) {
    for (const std::int64_t scope : {-1, 0, 1}) {
        put(settings, {scope, "text"});
    }
    EXPECT_THAT(
        all_rows(store(), partition_query(settings, {std::int64_t{0}})),
        ElementsAre(Row{std::int64_t{0}, "text"})
    );
}

}  // namespace footfall::storage
