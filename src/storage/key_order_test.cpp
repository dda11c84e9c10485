#include "storage/key_order.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace footfall::storage {
namespace {

using namespace std::string_literals;

TEST(CompareKeys, goes_by_the_first_column_that_differs_in_its_declared_order) {
    const Table table = {
        .name = "table",
        .purpose = "",
        .partition = {{"p", ColumnType::text}},
        .clustering = {{"down", ColumnType::integer, Order::descending}, {"up", ColumnType::bytes}},
        .values = {}
    };
    const std::vector<std::vector<Value>> in_order{
        {"a", std::int64_t{2}, ""},
        {"a", std::int64_t{2}, "\0"s},
        {"a", std::int64_t{2}, "a"},
        {"a", std::int64_t{2}, "a\0"s},
        {"a", std::int64_t{2}, "ab"},
        {"a", std::int64_t{2}, "\x80"},
        {"a", std::int64_t{2}, "\xff"},
        {"a", std::int64_t{0}, ""},
        {"a", std::int64_t{-1}, ""},
        {"a", std::numeric_limits<std::int64_t>::min(), ""},
        {"b", std::numeric_limits<std::int64_t>::max(), ""},
    };
    for (std::size_t left = 0; left < in_order.size(); ++left) {
        for (std::size_t right = 0; right < in_order.size(); ++right) {
            EXPECT_EQ(compare_keys(table, in_order[left], in_order[right]), left <=> right);
        }
    }
    const std::vector<Value> prefix{"a", std::int64_t{2}};
    EXPECT_EQ(compare_keys(table, prefix, in_order[3]), std::strong_ordering::equal);
    EXPECT_EQ(compare_keys(table, prefix, in_order[7]), std::strong_ordering::less);
    EXPECT_EQ(compare_keys(table, {}, in_order[0]), std::strong_ordering::equal);
}

}  // namespace
}  // namespace footfall::storage
