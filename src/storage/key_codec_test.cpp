#include "storage/key_codec.h"

#include "foundation_testing/repository.h"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>

namespace footfall::storage {
namespace {

using namespace std::string_literals;

/// One line of docs/formats/keys.md: columns with their values, and the bytes they become.
struct Example {
    std::string line;
    std::vector<Column> columns;
    std::vector<Value> values;
    std::string bytes;
};

std::string from_hex(const std::string& digits) {
    return {static_cast<char>(std::stoi(digits, nullptr, 16))};
}

/// "a\x00b" in quotes.
std::string unquoted(const std::string& quoted) {
    EXPECT_TRUE(quoted.size() >= 2 && quoted.front() == '"' && quoted.back() == '"') << quoted;
    std::string text;
    for (std::size_t at = 1; at + 1 < quoted.size(); ++at) {
        const bool escaped = quoted.compare(at, 2, "\\x") == 0;
        text += escaped ? from_hex(quoted.substr(at + 2, 2)) : quoted.substr(at, 1);
        at += escaped ? 3 : 0;
    }
    return text;
}

Example parse(const std::string& line) {
    static const std::map<std::string, ColumnType> types{
        {"text", ColumnType::text},
        {"bytes", ColumnType::bytes},
        {"integer", ColumnType::integer},
        {"day", ColumnType::day},
        {"timestamp", ColumnType::timestamp},
        {"decimal", ColumnType::decimal}
    };
    Example example{.line = line, .columns = {}, .values = {}, .bytes = {}};
    std::istringstream words{line};
    std::string word;
    while (words >> word && word != "=") {
        if (word == ",") {
            continue;
        }
        Column column{.name = "column", .type = types.at(word)};
        words >> word;
        if (word == "desc") {
            column.order = Order::descending;
            words >> word;
        }
        example.columns.push_back(column);
        example.values.push_back(
            is_number(column.type) ? Value{std::stoll(word)} : Value{unquoted(word)}
        );
    }
    while (words >> word) {
        example.bytes += from_hex(word);
    }
    return example;
}

/// The lines of the block that opens with ```name.
std::vector<Example> documented(const std::string& name) {
    std::ifstream file{in_repository("docs/formats/keys.md")};
    EXPECT_TRUE(file.is_open()) << in_repository("docs/formats/keys.md");
    std::vector<Example> examples;
    std::string line;
    while (std::getline(file, line) && line != "```" + name) {
    }
    while (std::getline(file, line) && line != "```") {
        examples.push_back(parse(line));
    }
    return examples;
}

Table key_table(std::vector<Column> columns) {
    Table table{.name = "keys", .purpose = "", .partition = {}, .clustering = {}, .values = {}};
    table.partition.assign(columns.begin(), columns.begin() + 1);
    table.clustering.assign(columns.begin() + 1, columns.end());
    return table;
}

Table value_table(std::vector<Column> columns) {
    Table table = key_table({{"id", ColumnType::integer}});
    table.values = std::move(columns);
    return table;
}

bool decodes(const Table& table, std::string_view key) {
    std::vector<ValueView> values;
    std::string texts;
    const Result<void> decoded = decode_key(table, key, values, texts);
    EXPECT_TRUE(decoded || decoded.error().kind == ErrorKind::corrupt);
    return decoded.has_value();
}

TEST(KeyCodec, writes_and_reads_the_documented_keys) {
    const std::vector<Example> examples = documented("keys");
    ASSERT_GE(examples.size(), 25U);
    for (const Example& example : examples) {
        const Table table = key_table(example.columns);
        std::string bytes;
        append_key(table, views_of(example.values), bytes);
        EXPECT_EQ(bytes, example.bytes) << example.line;
        std::vector<ValueView> values;
        std::string texts;
        ASSERT_TRUE(decode_key(table, example.bytes, values, texts)) << example.line;
        EXPECT_EQ(owned_values(values), example.values) << example.line;
    }
}

TEST(KeyCodec, writes_and_reads_the_documented_rows) {
    const std::vector<Example> examples = documented("rows");
    ASSERT_GE(examples.size(), 9U);
    for (const Example& example : examples) {
        const Table table = value_table(example.columns);
        std::string bytes;
        append_row_values(table, views_of(example.values), bytes);
        EXPECT_EQ(bytes, example.bytes) << example.line;
        std::vector<ValueView> values;
        ASSERT_TRUE(decode_row_values(table, example.bytes, values)) << example.line;
        EXPECT_EQ(owned_values(values), example.values) << example.line;
    }
}

TEST(KeyCodec, refuses_every_other_spelling_of_a_number) {
    const Table up = key_table({{"n", ColumnType::integer}});
    for (const std::string& bad :
         {""s,
          "\x81"s,
          "\x81\x00"s,
          "\x82\x00\x01"s,
          "\x82\x01"s,
          "\x89\x01\x01\x01\x01\x01\x01\x01\x01\x01"s,
          "\x88\x80\x00\x00\x00\x00\x00\x00\x00"s,
          "\x7e\xff"s,
          "\x7d\xff\x00"s,
          "\x77\x7f\xff\xff\xff\xff\xff\xff\xff"s,
          "\x76\x80\x00\x00\x00\x00\x00\x00\x00\x00"s,
          "\x80\x80"s,
          "\x00"s,
          "\xff"s}) {
        EXPECT_FALSE(decodes(up, bad)) << testing::PrintToString(bad);
        EXPECT_TRUE(bad.size() > 1 || !partition_length(up, bad));
    }
    const Table down = key_table({{"n", ColumnType::integer, Order::descending}});
    EXPECT_TRUE(decodes(down, "\x7e\xfe"s));
    EXPECT_FALSE(decodes(down, "\x7e\xff"s));
}

TEST(KeyCodec, refuses_texts_that_do_not_end_or_escape_wrongly) {
    const Table table = key_table({{"t", ColumnType::text}});
    for (const std::string& bad :
         {""s,
          "a"s,
          "a\0"s,
          "\0\0"s,
          "\0\x02"s,
          "\0\xff"s,
          "\0\xfe\0\x01"s,
          "a\0\x01\0"s,
          "a\0\x01\0\x01"s}) {
        EXPECT_FALSE(decodes(table, bad)) << testing::PrintToString(bad);
    }
}

TEST(KeyCodec, finds_where_the_partition_ends) {
    Table table = key_table({{"a", ColumnType::text}, {"b", ColumnType::integer}});
    table.partition.push_back({"c", ColumnType::integer});
    std::string bytes;
    append_key(table, std::vector<ValueView>{"x\0y"s, std::int64_t{300}}, bytes);
    const std::size_t partition = bytes.size();
    append_clustering(table, std::vector<ValueView>{std::int64_t{7}}, bytes);
    EXPECT_EQ(partition_length(table, bytes), partition);
    // What follows is not looked at: the caller may hold a prefix.
    EXPECT_EQ(partition_length(table, bytes.substr(0, partition)), partition);
    EXPECT_FALSE(partition_length(table, bytes.substr(0, partition - 1)));
}

TEST(KeyCodecDeathTest, stops_at_values_that_do_not_fit_the_table) {
    const Table table = key_table({{"a", ColumnType::text}, {"b", ColumnType::integer}});
    std::string bytes;
    EXPECT_DEATH(append_key(table, std::vector<ValueView>{std::int64_t{1}}, bytes), "wrong type");
    const std::vector<ValueView> three{"a", std::int64_t{1}, std::int64_t{1}};
    EXPECT_DEATH(append_key(table, three, bytes), "more values than key columns");
    EXPECT_DEATH(append_clustering(table, three, bytes), "more values than clustering");
    EXPECT_DEATH(append_row_values(table, three, bytes), "all value columns");
}

TEST(EndOfPrefix, is_the_first_string_above_all_that_start_with_it) {
    EXPECT_EQ(end_of_prefix("a"), "b");
    EXPECT_EQ(end_of_prefix("a\xff"), "b");
    EXPECT_EQ(end_of_prefix("a\xff\xff"), "b");
    EXPECT_EQ(end_of_prefix("a\x7f"), "a\x80");
    EXPECT_EQ(end_of_prefix("\0"s), "\x01");
    EXPECT_EQ(end_of_prefix(""), "");
    EXPECT_EQ(end_of_prefix("\xff\xff"), "");
}

TEST(RowValues, of_columns_added_later_read_as_zero_or_empty) {
    const Table before = value_table({{"note", ColumnType::text}});
    Table after = value_table(
        {{"note", ColumnType::text},
         {"more", ColumnType::bytes},
         {"until", ColumnType::timestamp},
         {"amount", ColumnType::decimal}}
    );
    after.expires = "until";
    std::string bytes;
    append_row_values(before, std::vector<ValueView>{"text"}, bytes);
    std::vector<ValueView> values{std::int64_t{5}};  // decoded values are put behind what is there
    ASSERT_TRUE(decode_row_values(after, bytes, values));
    EXPECT_EQ(
        values, (std::vector<ValueView>{std::int64_t{5}, "text", "", std::int64_t{0}, "\0"s})
    );
    EXPECT_EQ(decode_expires(after, bytes), 0);
    // A row of a newer program is not half understood.
    bytes.clear();
    append_row_values(after, std::vector<ValueView>{"text", "", std::int64_t{1}, "\x01"}, bytes);
    EXPECT_FALSE(decode_row_values(before, bytes, values));
}

TEST(RowValues, with_bytes_that_are_no_decimal_are_refused) {
    const Table table = value_table({{"amount", ColumnType::decimal}});
    std::vector<ValueView> values;
    EXPECT_TRUE(decode_row_values(table, "\x01\x01\x05", values));
    for (const std::string& bad :
         {"\x01\0"s, "\x01\x02\0\x05"s, "\x01\x11" + std::string(17, 'a')}) {
        const Result<void> decoded = decode_row_values(table, bad, values);
        ASSERT_FALSE(decoded) << testing::PrintToString(bad);
        EXPECT_EQ(decoded.error().kind, ErrorKind::corrupt);
    }
}

TEST(RowValuesDeathTest, stops_at_bytes_that_are_no_decimal) {
    const Table table = value_table({{"amount", ColumnType::decimal}});
    std::string bytes;
    EXPECT_DEATH(append_row_values(table, std::vector<ValueView>{""}, bytes), "no decimal");
}

TEST(RowValues, that_end_early_or_late_or_lie_about_a_length_are_refused) {
    const Table table = value_table({{"note", ColumnType::text}, {"number", ColumnType::integer}});
    for (const std::string& bad :
         {""s,
          "\x03\0\0"s,
          "\x03\0\0\0"s,
          "\x02\0"s,
          "\x02\0\0\0"s,
          "\x02\x05"
          "abcd\x02"s,
          "\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x02"s,
          "\x02\0\x80"s,
          "\x02\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"s,
          "\x80"s}) {
        std::vector<ValueView> values;
        const Result<void> decoded = decode_row_values(table, bad, values);
        ASSERT_FALSE(decoded) << testing::PrintToString(bad);
        EXPECT_EQ(decoded.error().kind, ErrorKind::corrupt);
    }
}

TEST(DecodeExpires, finds_the_column_wherever_it_stands) {
    for (std::size_t place = 0; place < 4; ++place) {
        std::vector<Column> columns(4, {"note", ColumnType::text});
        columns[place] = {"until", ColumnType::timestamp};
        Table table = value_table(columns);
        std::vector<ValueView> values(4, "some text");
        values[place] = std::numeric_limits<std::int64_t>::min();
        std::string bytes;
        append_row_values(table, values, bytes);
        EXPECT_EQ(decode_expires(table, bytes), 0);
        table.expires = "until";
        EXPECT_EQ(decode_expires(table, bytes), std::numeric_limits<std::int64_t>::min());
    }
    Table table = value_table({{"until", ColumnType::timestamp}});
    table.expires = "until";
    EXPECT_FALSE(decode_expires(table, ""));
    EXPECT_FALSE(decode_expires(table, "\x01"));
}

TEST(DecodeRecord, finds_the_record_that_a_row_follows_from) {
    Table table = value_table(
        {{"log", ColumnType::integer},
         {"lane", ColumnType::integer},
         {"offset", ColumnType::integer},
         {"note", ColumnType::text}}
    );
    std::string bytes;
    append_row_values(
        table,
        std::vector<ValueView>{std::int64_t{-1}, std::int64_t{63}, std::int64_t{1} << 60, "text"},
        bytes
    );
    EXPECT_FALSE(decode_record(table, bytes)) << "the table says nothing of it";
    table.of_record = true;
    const auto record = decode_record(table, bytes);
    ASSERT_TRUE(record);
    EXPECT_EQ(record->log, std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(record->lane, 63U);
    EXPECT_EQ(record->offset, std::uint64_t{1} << 60);
    for (std::size_t length = 0; length < 4; ++length) {
        EXPECT_FALSE(decode_record(table, std::string_view{bytes}.substr(0, length)));
    }
}

}  // namespace
}  // namespace footfall::storage
