#include "storage/rows.h"

#include <gtest/gtest.h>

#include <string>

namespace footfall::storage {
namespace {

using namespace std::string_literals;

const Table& notes() {
    static const Table table = {
        .name = "notes",
        .purpose = "",
        .partition = {{"owner", ColumnType::integer}},
        .clustering = {{"title", ColumnType::text}},
        .values = {{"body", ColumnType::bytes}, {"written", ColumnType::timestamp}}
    };
    return table;
}

TEST(ValueView, keeps_number_or_text_and_knows_which) {
    EXPECT_EQ(ValueView{std::int64_t{-1}}.owned(), Value{std::int64_t{-1}});
    EXPECT_EQ(ValueView{"a\0b"s}.owned(), Value{"a\0b"s});
    EXPECT_EQ(ValueView{""}.owned(), Value{""s});
    EXPECT_NE(ValueView{""}, ValueView{std::int64_t{0}});
    const std::vector<Value> values{std::int64_t{7}, "text"s, ""s};
    EXPECT_EQ(owned_values(views_of(values)), values);
}

TEST(Rows, give_back_what_was_appended_in_its_order) {
    Rows rows{notes()};
    EXPECT_TRUE(rows.empty());
    std::vector<std::string> bodies;
    for (std::int64_t number = 0; number < 200; ++number) {
        bodies.push_back(std::string(static_cast<std::size_t>(number * 3), '\xff') + "\0"s);
        rows.append(std::vector<ValueView>{number, "title", bodies.back(), -number});
    }
    ASSERT_EQ(rows.size(), 200U);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        EXPECT_EQ(rows.at(row, 0).number(), static_cast<std::int64_t>(row));
        EXPECT_EQ(rows.at(row, 1).text(), "title");
        EXPECT_EQ(rows.at(row, 2).text(), bodies[row]);
        EXPECT_EQ(rows.at(row, 3).number(), -static_cast<std::int64_t>(row));
    }
    EXPECT_GE(rows.bytes(), 200U * 300);
}

TEST(RowsDeathTest, refuse_rows_that_do_not_fit_the_table) {
    Rows rows{notes()};
    EXPECT_DEATH(rows.append(std::vector<ValueView>{std::int64_t{1}}), "all columns");
    EXPECT_DEATH(
        rows.append(std::vector<ValueView>{"1", "title", "body", std::int64_t{0}}), "wrong type"
    );
}

}  // namespace
}  // namespace footfall::storage
