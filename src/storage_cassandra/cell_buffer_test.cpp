#include "storage_cassandra/cell_buffer.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>
#include <string_view>

namespace footfall::storage_cassandra {
namespace {

using storage::ColumnType;
using storage::ValueView;
using storage::Wide;
using namespace std::string_literals;

constexpr Wide wide_max = std::numeric_limits<Wide>::max();

std::string bytes_of(const CellBuffer& cells, std::size_t index) {
    std::vector<cql_cell> views;
    cells.append_views(index, 1, views);
    return {
        reinterpret_cast<const char*>(views[0].data), static_cast<std::size_t>(views[0].length)
    };
}

cql_cell cell_of(const std::string& bytes) {
    return {
        .data = reinterpret_cast<const std::uint8_t*>(bytes.data()),
        .length = static_cast<std::int32_t>(bytes.size())
    };
}

/// For what needs no other decimals.
Result<ValueView> read_value(ColumnType type, const cql_cell& cell) {
    OtherDecimals decimals;
    Result<ValueView> value = value_of(type, cell, decimals);
    EXPECT_TRUE(decimals.empty());
    return value;
}

TEST(CellBuffer, writes_numbers_big_endian_and_days_around_the_middle) {
    CellBuffer cells;
    cells.push(ColumnType::integer, std::int64_t{-2});
    cells.push(ColumnType::timestamp, std::int64_t{258});
    cells.push(ColumnType::day, std::int64_t{0});
    cells.push(ColumnType::day, std::int64_t{-1});
    cells.push(ColumnType::text, "a\0b"s);
    cells.push(ColumnType::bytes, "");
    cells.push_int(258);
    cells.push(ColumnType::decimal, "\x13\x88");
    ASSERT_EQ(cells.size(), 8U);
    EXPECT_EQ(bytes_of(cells, 0), "\xff\xff\xff\xff\xff\xff\xff\xfe"s);
    EXPECT_EQ(bytes_of(cells, 1), "\0\0\0\0\0\0\x01\x02"s);
    EXPECT_EQ(bytes_of(cells, 2), "\x80\0\0\0"s);
    EXPECT_EQ(bytes_of(cells, 3), "\x7f\xff\xff\xff"s);
    EXPECT_EQ(bytes_of(cells, 4), "a\0b"s);
    EXPECT_EQ(bytes_of(cells, 5), "");
    EXPECT_EQ(bytes_of(cells, 6), "\0\0\x01\x02"s);
    EXPECT_EQ(bytes_of(cells, 7), "\0\0\0\x06\x13\x88"s);
}

TEST(CellBuffer, puts_a_number_in_the_place_of_another) {
    CellBuffer cells;
    cells.push(ColumnType::text, "before");
    cells.push_bigint(0);
    cells.push(ColumnType::text, "behind");
    cells.set_bigint(1, 258);
    EXPECT_EQ(bytes_of(cells, 0), "before");
    EXPECT_EQ(bytes_of(cells, 1), "\0\0\0\0\0\0\x01\x02"s);
    EXPECT_EQ(bytes_of(cells, 2), "behind");
}

TEST(CellBuffer, what_was_written_is_read) {
    constexpr auto low = std::numeric_limits<std::int64_t>::min();
    constexpr auto high = std::numeric_limits<std::int64_t>::max();
    for (const std::int64_t number : {low, std::int64_t{-1}, std::int64_t{0}, high}) {
        CellBuffer cells;
        cells.push(ColumnType::integer, number);
        EXPECT_EQ(read_value(ColumnType::integer, cell_of(bytes_of(cells, 0))), ValueView{number});
    }
    for (const std::int64_t day : {-2'147'483'648L, -1L, 0L, 2'147'483'647L}) {
        CellBuffer cells;
        cells.push(ColumnType::day, day);
        EXPECT_EQ(read_value(ColumnType::day, cell_of(bytes_of(cells, 0))), ValueView{day});
    }
    EXPECT_EQ(read_value(ColumnType::bytes, cell_of("\xff\0"s)), ValueView{"\xff\0"s});
    for (const Wide millionths : {Wide{0}, Wide{5'000}, Wide{low}, wide_max, ~wide_max}) {
        const std::string decimal = storage::decimal_bytes(millionths);
        CellBuffer cells;
        cells.push(ColumnType::decimal, decimal);
        const std::string bytes = bytes_of(cells, 0);
        EXPECT_EQ(read_value(ColumnType::decimal, cell_of(bytes)), ValueView{decimal});
    }
}

TEST(CellBuffer, a_column_that_an_old_row_has_not_reads_as_nothing) {
    const cql_cell null{.data = nullptr, .length = CQL_NULL};
    EXPECT_EQ(read_value(ColumnType::integer, null), ValueView{std::int64_t{0}});
    EXPECT_EQ(read_value(ColumnType::text, null), ValueView{""});
    EXPECT_EQ(read_value(ColumnType::decimal, null), ValueView{"\0"s});
    EXPECT_EQ(int_of(null), 0);
}

TEST(CellBuffer, numbers_of_a_wrong_length_are_corrupt) {
    for (const ColumnType type : {ColumnType::integer, ColumnType::day}) {
        const auto value = read_value(type, cell_of("abc"));
        ASSERT_FALSE(value);
        EXPECT_EQ(value.error().kind, ErrorKind::corrupt);
    }
    EXPECT_FALSE(int_of(cell_of("abc")));
}

/// The cell of a decimal, as whoever is not Footfall may write it.
std::string decimal_cell(std::int32_t scale, std::string_view unscaled) {
    CellBuffer cells;
    cells.push_int(scale);
    return bytes_of(cells, 0).append(unscaled);
}

TEST(CellBuffer, a_decimal_of_another_scale_is_brought_to_millionths) {
    struct Case {
        std::string cell;
        Wide millionths;
    };

    for (const auto& [cell, millionths] :
         {Case{decimal_cell(1, "\x4b"), 7'500'000},
          Case{decimal_cell(0, "\xfe"), -2'000'000},
          Case{decimal_cell(-3, "\x02"), 2'000'000'000},
          Case{decimal_cell(8, "\x01\xf4"), 5},
          Case{decimal_cell(6, "\0\0\x05"s), 5},
          Case{decimal_cell(std::numeric_limits<std::int32_t>::max(), "\0"s), 0},
          Case{decimal_cell(std::numeric_limits<std::int32_t>::min(), "\0"s), 0}}) {
        OtherDecimals decimals;
        const Result<ValueView> value = value_of(ColumnType::decimal, cell_of(cell), decimals);
        ASSERT_TRUE(value) << testing::PrintToString(cell);
        EXPECT_EQ(*value, ValueView{storage::decimal_bytes(millionths)})
            << testing::PrintToString(cell);
    }
}

TEST(CellBuffer, a_decimal_that_is_no_number_of_millionths_is_corrupt) {
    for (const std::string& cell :
         {""s,
          "\0\0\x06"s,
          decimal_cell(6, ""),
          decimal_cell(6, std::string(17, '\x01')),
          decimal_cell(7, "\x05"),
          decimal_cell(5, storage::decimal_bytes(wide_max)),
          decimal_cell(std::numeric_limits<std::int32_t>::max(), "\x0a"),
          decimal_cell(std::numeric_limits<std::int32_t>::min(), "\x01")}) {
        const auto value = read_value(ColumnType::decimal, cell_of(cell));
        ASSERT_FALSE(value) << testing::PrintToString(cell);
        EXPECT_EQ(value.error().kind, ErrorKind::corrupt);
    }
}

TEST(CellBuffer, a_map_of_texts_is_read_to_its_end) {
    const std::string bytes = "\0\0\0\2\0\0\0\1a\0\0\0\2bc\0\0\0\0\0\0\0\1d"s;
    const std::map<std::string, std::string> expected{{"a", "bc"}, {"", "d"}};
    EXPECT_EQ(text_map_of(cell_of(bytes)), expected);
    EXPECT_EQ(text_map_of({.data = nullptr, .length = CQL_NULL}).value().size(), 0U);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        const std::string cut = bytes.substr(0, length);
        const auto refused = text_map_of(cell_of(cut));
        ASSERT_FALSE(refused) << length;
        EXPECT_EQ(refused.error().kind, ErrorKind::corrupt);
    }
}

TEST(CellBufferDeathTest, stops_at_a_value_of_another_type_and_at_a_day_too_far) {
    CellBuffer cells;
    EXPECT_DEATH(cells.push(ColumnType::text, std::int64_t{1}), "another type");
    EXPECT_DEATH(cells.push(ColumnType::decimal, ""), "no decimal");
    EXPECT_DEATH(cells.push(ColumnType::day, std::int64_t{1} << 31), "beyond 32 bits");
}

}  // namespace
}  // namespace footfall::storage_cassandra
