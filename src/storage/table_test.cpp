#include "storage/table.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace footfall::storage {
namespace {

Table sound() {
    return {
        .name = "token",
        .purpose = "Tokens.",
        .partition = {{"counter", ColumnType::text}, {"level", ColumnType::integer}},
        .clustering = {{"token", ColumnType::text}},
        .values = {{"note", ColumnType::text}, {"expires", ColumnType::timestamp}},
        .expires = "expires"
    };
}

TEST(Table, counts_partition_clustering_and_value_columns_in_this_order) {
    const Table table = sound();
    std::string names;
    for (std::size_t at = 0; at < table.width(); ++at) {
        names += table.column(at).name;
        names += ' ';
    }
    EXPECT_EQ(names, "counter level token note expires ");
    EXPECT_EQ(table.key_width(), 3U);
    EXPECT_EQ(table.width(), 5U);
    EXPECT_EQ(table.expires_index(), 4U);
}

TEST(Table, without_expiry_points_behind_its_columns) {
    Table table = sound();
    table.expires = "";
    EXPECT_EQ(table.expires_index(), table.width());
}

TEST(TableDeathTest, has_no_column_behind_the_last) {
    EXPECT_DEATH((void)sound().column(5), "no such column");
}

TEST(Table, texts_bytes_and_decimals_travel_as_no_numbers) {
    EXPECT_TRUE(is_number(ColumnType::integer));
    EXPECT_TRUE(is_number(ColumnType::day));
    EXPECT_TRUE(is_number(ColumnType::timestamp));
    EXPECT_FALSE(is_number(ColumnType::text));
    EXPECT_FALSE(is_number(ColumnType::bytes));
    EXPECT_FALSE(is_number(ColumnType::decimal));
}

TEST(Table, what_an_old_row_lacks_is_zero_or_nothing) {
    EXPECT_EQ(absent_value(ColumnType::integer), ValueView{std::int64_t{0}});
    EXPECT_EQ(absent_value(ColumnType::timestamp), ValueView{std::int64_t{0}});
    EXPECT_EQ(absent_value(ColumnType::text), ValueView{""});
    EXPECT_EQ(absent_value(ColumnType::decimal), ValueView{std::string(1, '\0')});
}

TEST(CheckTable, accepts_a_sound_declaration) {
    EXPECT_TRUE(check_table(sound()));
    Table least = sound();
    least.clustering.clear();
    least.values.clear();
    least.expires = "";
    EXPECT_TRUE(check_table(least));
    Table money = sound();
    money.values.push_back({"amount", ColumnType::decimal});
    EXPECT_TRUE(check_table(money));
}

TEST(CheckTable, names_what_is_at_fault) {
    struct Case {
        std::function<void(Table&)> spoil;
        std::string_view named;
    };

    const std::string long_name(41, 'a');
    const Case cases[] = {
        {[](Table& table) { table.name = ""; }, "table name"},
        {[](Table& table) { table.name = "Token"; }, "Token"},
        {[](Table& table) { table.name = "1token"; }, "1token"},
        {[](Table& table) { table.name = "to-ken"; }, "to-ken"},
        {[&](Table& table) { table.name = long_name; }, long_name},
        {[](Table& table) { table.partition.clear(); }, "no partition column"},
        {[](Table& table) { table.clustering[0].name = "counter"; }, "counter"},
        {[](Table& table) { table.values[0].name = "a b"; }, "a b"},
        {[](Table& table) { table.partition[1].name = ""; }, "column"},
        {[](Table& table) { table.expires = "absent"; }, "expires"},
        {[](Table& table) { table.expires = "note"; }, "expires"},
        {[](Table& table) { table.expires = "token"; }, "expires"},
        {[](Table& table) { table.partition[1].type = ColumnType::decimal; }, "column level"},
        {[](Table& table) { table.clustering[0].type = ColumnType::decimal; }, "column token"},
        {[](Table& table) { table.of_record = true; }, "of_record"},
        {[](Table& table) { table.secret = table.bulk = true; }, "secret"},
        {[](Table& table) {
             table.of_record = true;
             table.values = {
                 {"log", ColumnType::integer},
                 {"lane", ColumnType::integer},
                 {"offset", ColumnType::timestamp}
             };
             table.expires = "";
         },
         "of_record"},
    };
    for (const Case& bad : cases) {
        Table table = sound();
        bad.spoil(table);
        const Result<void> checked = check_table(table);
        ASSERT_FALSE(checked) << bad.named;
        EXPECT_EQ(checked.error().kind, ErrorKind::invalid_input);
        EXPECT_NE(checked.error().message.find(bad.named), std::string::npos)
            << checked.error().message;
    }
}

}  // namespace
}  // namespace footfall::storage
