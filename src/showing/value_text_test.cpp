#include "showing/value_text.h"

#include "showing/test_table.h"
#include "storage/decimal.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace footfall::showing {
namespace {

using storage::Value;

constexpr std::size_t page = 0;
constexpr std::size_t room = 1;
constexpr std::size_t day = 2;
constexpr std::size_t time = 3;
constexpr std::size_t who = 4;
constexpr std::size_t until = 6;
constexpr std::size_t paid = 7;

std::string json(std::size_t column, const Value& value) {
    return value_json(visit_table, column, value);
}

TEST(ValueText, is_json_that_a_person_can_read) {
    EXPECT_EQ(json(page, "a \"page\"\n"), R"("a \"page\"\u000a")");
    EXPECT_EQ(json(room, std::int64_t{-7}), "-7");
    EXPECT_EQ(json(day, std::int64_t{20'778}), R"("2026-11-21")");
    EXPECT_EQ(json(day, std::numeric_limits<std::int64_t>::max()), "9223372036854775807");
    EXPECT_EQ(json(time, std::int64_t{1'795'255'200'000'001}), R"("2026-11-21T10:00:00.000001Z")");
    EXPECT_EQ(json(time, std::int64_t{-1}), "-1");
    EXPECT_EQ(json(time, std::numeric_limits<std::int64_t>::max()), "9223372036854775807");
}

TEST(ValueText, a_time_that_never_comes_is_null_but_in_a_key_it_is_a_time) {
    EXPECT_EQ(json(until, std::int64_t{0}), "null");
    EXPECT_EQ(json(time, std::int64_t{0}), R"("1970-01-01T00:00:00Z")");
}

TEST(ValueText, a_decimal_is_text_with_six_decimals) {
    EXPECT_EQ(json(paid, storage::decimal_bytes(5'000)), R"("0.005000")");
    EXPECT_EQ(json(paid, storage::decimal_bytes(-12'340'000)), R"("-12.340000")");
}

TEST(ValueText, bytes_are_a_text_or_hexadecimal) {
    EXPECT_EQ(json(who, "t1"), R"("t1")");
    EXPECT_EQ(json(who, ""), R"("")");
    EXPECT_EQ(json(who, std::string{"\x00\xff", 2}), R"("0x00ff")");
    EXPECT_EQ(json(who, "a\nb"), R"("0x610a62")");
    EXPECT_EQ(json(who, "0xff"), R"("0x30786666")") << "else it would be read as one byte";
}

TEST(ValueText, is_read_as_it_is_written) {
    const auto reads = [](std::size_t column, std::string_view text, const Value& value) {
        const auto read = parse_value(visit_table.column(column), text);
        ASSERT_TRUE(read) << text << ": " << read.error().message;
        EXPECT_EQ(*read, value) << text;
    };
    reads(page, "a=b", std::string{"a=b"});
    reads(page, "", std::string{});
    reads(room, "-9223372036854775808", std::numeric_limits<std::int64_t>::min());
    reads(day, "2026-11-21", std::int64_t{20'778});
    reads(day, "-1", std::int64_t{-1});
    reads(time, "2026-11-21T10:00:00.000001Z", std::int64_t{1'795'255'200'000'001});
    reads(time, "1795255200000001", std::int64_t{1'795'255'200'000'001});
    reads(until, "null", std::int64_t{0});
    reads(paid, "0.005000", storage::decimal_bytes(5'000));
    reads(paid, "-7.5", storage::decimal_bytes(-7'500'000));
    reads(who, "t1", std::string{"t1"});
    reads(who, "0x00fF", std::string("\x00\xff", 2));
    reads(who, "0x30786666", std::string{"0xff"});
}

TEST(ValueText, says_what_a_column_takes) {
    const auto says = [](std::size_t column, std::string_view text, std::string_view why) {
        const auto read = parse_value(visit_table.column(column), text);
        ASSERT_FALSE(read) << text;
        EXPECT_EQ(read.error().kind, ErrorKind::invalid_input);
        EXPECT_EQ(read.error().message, why);
    };
    says(room, "", "column room takes a whole number, not ''");
    says(room, "7 ", "column room takes a whole number, not '7 '");
    says(
        room, "9223372036854775808", "column room takes a whole number, not '9223372036854775808'"
    );
    says(day, "monday", "column day takes a day such as 2026-11-21, not 'monday'");
    says(
        time, "10:00", "column time takes a time such as 2026-11-21T10:00:00Z, or null, not '10:00'"
    );
    says(
        who,
        "0xabc",
        "column who takes a text, or 0x and two hexadecimal digits a byte, not '0xabc'"
    );
    says(
        who, "0xzz", "column who takes a text, or 0x and two hexadecimal digits a byte, not '0xzz'"
    );
    says(
        paid,
        "0.0000005",
        "column paid takes a decimal with at most six decimals, such as 0.005, not '0.0000005'"
    );
    says(page, "\xff", "column page takes a text in UTF-8, not '0xff'");
}

}  // namespace
}  // namespace footfall::showing
