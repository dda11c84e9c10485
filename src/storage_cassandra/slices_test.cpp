#include "storage_cassandra/slices.h"

#include "foundation/random.h"
#include "storage/key_order.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace footfall::storage_cassandra {
namespace {

using storage::ColumnType;
using storage::Order;
using storage::Table;
using storage::Value;
using testing::ElementsAre;
using testing::IsEmpty;
using Key = std::vector<Value>;

Table table_of(std::vector<Order> orders) {
    static constexpr std::array names{"a", "b", "c", "d"};
    Table table{
        .name = "t", .purpose = "", .partition = {{"p", ColumnType::integer}}, .values = {}
    };
    for (std::size_t at = 0; at < orders.size(); ++at) {
        table.clustering.push_back({names[at], ColumnType::integer, orders[at]});
    }
    return table;
}

const Table mixed = table_of({Order::descending, Order::ascending, Order::ascending});
const Table plain = table_of({Order::ascending, Order::ascending, Order::ascending});

Value number(std::int64_t value) {
    return value;
}

/// Key columns behind the partition, as compare_keys wants them.
bool before(const Table& table, const Key& left, const Key& right) {
    Key whole_left{number(0)};
    Key whole_right{number(0)};
    whole_left.insert(whole_left.end(), left.begin(), left.end());
    whole_right.insert(whole_right.end(), right.begin(), right.end());
    return compare_keys(table, whole_left, whole_right) < 0;
}

/// What the SELECT of a slice would find: as CQL compares, tuple with tuple.
bool contains(const Table& table, const Slice& slice, const Key& row) {
    const auto same_start = [&](const Key& start, std::size_t from) {
        return std::equal(
            start.begin(), start.end(), row.begin() + static_cast<std::ptrdiff_t>(from)
        );
    };
    if (!same_start(slice.equal, 0)) {
        return false;
    }
    const std::size_t from = slice.equal.size();
    const auto tuple = [&](const Key& bound) {
        const auto first = row.begin() + static_cast<std::ptrdiff_t>(from);
        return Key{first, first + static_cast<std::ptrdiff_t>(bound.size())};
    };
    const bool descending =
        from < table.clustering.size() && table.clustering[from].order == Order::descending;
    const auto behind = [&](const Key& bound, bool included) {
        return bound.empty() || (included && tuple(bound) == bound) ||
               (descending ? tuple(bound) < bound : tuple(bound) > bound);
    };
    const auto ahead = [&](const Key& bound, bool included) {
        return bound.empty() || (included && tuple(bound) == bound) ||
               (descending ? tuple(bound) > bound : tuple(bound) < bound);
    };
    return behind(slice.lower, slice.lower_included) && ahead(slice.upper, slice.upper_included);
}

TEST(SlicesBetween, a_whole_partition_is_one_slice) {
    EXPECT_THAT(slices_between(mixed, {}, true, {}), ElementsAre(Slice{}));
}

TEST(SlicesBetween, columns_of_one_order_are_one_slice) {
    EXPECT_THAT(
        slices_between(plain, Key{number(1), number(2)}, false, Key{number(3)}),
        ElementsAre(Slice{
            .equal = {},
            .lower = {number(1), number(2)},
            .upper = {number(3)},
            .lower_included = false
        })
    );
}

TEST(SlicesBetween, what_both_bounds_begin_with_is_given) {
    EXPECT_THAT(
        slices_between(
            mixed, Key{number(1), number(2), number(3)}, false, Key{number(1), number(2)}
        ),
        ElementsAre(Slice{
            .equal = {number(1), number(2)},
            .lower = {number(3)},
            .upper = {},
            .lower_included = false
        })
    );
}

TEST(SlicesBetween, a_change_of_order_takes_another_slice) {
    EXPECT_THAT(
        slices_between(mixed, Key{number(9), number(2), number(3)}, false, Key{number(1)}),
        ElementsAre(
            Slice{
                .equal = {number(9)},
                .lower = {number(2), number(3)},
                .upper = {},
                .lower_included = false
            },
            Slice{.equal = {}, .lower = {number(9)}, .upper = {number(1)}, .lower_included = false}
        )
    );
}

TEST(SlicesBetween, bounds_that_cross_take_none) {
    EXPECT_THAT(slices_between(plain, Key{number(2)}, true, Key{number(1)}), IsEmpty());
    EXPECT_THAT(slices_between(mixed, Key{number(1)}, true, Key{number(2)}), IsEmpty());
    const Key last{number(1), number(1), number(1)};
    EXPECT_THAT(slices_between(mixed, last, false, last), IsEmpty());
}

/// Every row between the bounds lies in exactly one slice, slices follow each other in the table's
/// order, and nothing else lies in any: whatever the orders and the bounds.
TEST(SlicesBetween, are_the_range_in_its_order) {
    Random random{7};
    const auto any_order = [&] {
        return random.below(2) == 0 ? Order::ascending : Order::descending;
    };
    for (int round = 0; round < 3000; ++round) {
        const Table table = table_of({any_order(), any_order(), any_order(), any_order()});
        const auto any_key = [&](std::size_t width) {
            Key key(width);
            for (Value& value : key) {
                value = static_cast<std::int64_t>(random.below(3));
            }
            return key;
        };
        const bool included = random.below(2) == 0;
        const Key start = any_key(included ? random.below(5) : 4);
        const Key end = any_key(random.below(5));
        const std::vector<Slice> slices = slices_between(table, start, included, end);
        std::vector<Key> rows;
        rows.reserve(81);
        for (std::int64_t at = 0; at < 81; ++at) {
            rows.push_back({number(at / 27), number(at / 9 % 3), number(at / 3 % 3), number(at % 3)}
            );
        }
        std::ranges::sort(rows, [&](const Key& left, const Key& right) {
            return before(table, left, right);
        });
        std::size_t last = 0;
        for (const Key& row : rows) {
            const bool inside = !before(table, row, start) && !before(table, end, row) &&
                                (included || row != start);
            std::size_t found = 0;
            for (std::size_t at = 0; at < slices.size(); ++at) {
                if (contains(table, slices[at], row)) {
                    ++found;
                    ASSERT_GE(at, last);
                    last = at;
                }
            }
            ASSERT_EQ(found, inside ? 1U : 0U)
                << testing::PrintToString(row) << " from " << testing::PrintToString(start)
                << " through " << testing::PrintToString(end);
        }
    }
}

}  // namespace
}  // namespace footfall::storage_cassandra
