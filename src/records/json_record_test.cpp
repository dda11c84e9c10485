#include "records/json_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace footfall::records {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::vector<WantedField> a_and_b(bool b_needed = true) {
    return {{.name = "a"}, {.name = "b", .needed = b_needed}};
}

/// The fields "a" and "b" as "a|b", or "!reason".
std::string read(JsonRecordReader& reader, std::string_view text) {
    const auto fields = reader.parse(text);
    if (!fields) {
        EXPECT_EQ(fields.error().kind, ErrorKind::invalid_input);
        return "!" + fields.error().message;
    }
    return std::string{(*fields)[0]} + "|" + std::string{(*fields)[1]};
}

TEST(JsonRecord, gives_the_wanted_fields_in_the_order_asked_for) {
    JsonRecordReader reader{a_and_b()};

    const struct {
        std::string_view text;
        std::string_view fields;
    } cases[] = {
        {R"({"a":"x","b":"y"})", "x|y"},
        {R"(  { "b" : "y" , "c" : [1,{"a":2}] , "a" : "x" }  )", "x|y"},
        {R"({"c":{"a":"inner","b":"inner"},"a":"x","b":""})", "x|"},
        {R"({"a":"\u00e9\n\"\\","b":"é"})", "é\n\"\\|é"},
        {R"({"\u0061":"x","b":"y"})", "x|y"},
        {R"({"a":1 ,"b":-0.50E+3 })", "1|-0.50E+3"},
        {R"({"a":123456789012345678901234567890,"b":0})", "123456789012345678901234567890|0"},
        {R"({"a":true,"b":false })", "true|false"},
    };

    for (const auto& [text, fields] : cases) {
        EXPECT_EQ(read(reader, text), fields) << text;
    }
}

TEST(JsonRecord, says_which_field_is_not_as_needed) {
    JsonRecordReader reader{a_and_b()};

    const struct {
        std::string_view text;
        std::string_view reason;
    } cases[] = {
        {R"({})", "!the field a is missing"},
        {R"({"a":1,"c":2})", "!the field b is missing"},
        {R"({"a":null,"b":1})", "!the field a is null"},
        {R"({"a":1,"b":{}})", "!the field b is an object; a text or a number is needed"},
        {R"({"a":[],"b":1})", "!the field a is an array; a text or a number is needed"},
        {R"({"a":1,"a":2,"b":1})", "!the field a is there twice"},
        {R"({"a":01,"b":1})", "!the field a is not a valid number"},
        {R"({"a":1.,"b":1})", "!the field a is not a valid number"},
        {R"({"a":1e,"b":1})", "!the field a is not a valid number"},
        {R"({"a":-,"b":1})", "!the field a is not a valid number"},
        {R"({"a":truth,"b":1})", "!the field a is neither true nor false"},
        {R"([{"a":1,"b":2}])", "!is not a JSON object"},
        {R"("a")", "!is not a JSON object"},
    };

    for (const auto& [text, reason] : cases) {
        EXPECT_EQ(read(reader, text), reason) << text;
    }
}

TEST(JsonRecord, refuses_text_that_is_not_one_json_object) {
    JsonRecordReader reader{a_and_b()};
    for (const std::string_view text :
         {"",
          " ",
          "a,b",
          "{",
          R"({"a":1,"b":2)",
          R"({"a":1,"b":2,})",
          R"({"a":1 "b":2})",
          R"({"a":1,"b":"x)",
          R"({"a":1,"b":"\q"})",
          R"({"a":1,"b":"\ud800"})",
          R"({a:1,b:2})",
          R"({"a":1,"b":2}{"a":1,"b":2})",
          R"({"a":1,"b":2} x)",
          R"({"a":1,"b":2}})",
          "{\"a\":1,\"b\":\"\xff\"}",
          "{\"a\":1,\"b\":\"\t\"}"}) {
        EXPECT_THAT(read(reader, text), testing::AnyOf(StartsWith("!is "), StartsWith("!has ")))
            << text;
    }
}

TEST(JsonRecord, leaves_nothing_of_one_line_to_the_next) {
    JsonRecordReader reader{a_and_b()};
    const std::string long_value(100'000, 'x');
    EXPECT_EQ(read(reader, R"({"a":"old","b":"old"})"), "old|old");
    EXPECT_EQ(read(reader, R"({"a":"new"})"), "!the field b is missing");
    EXPECT_EQ(read(reader, R"({"a":")" + long_value + R"(","b":1})"), long_value + "|1");
    EXPECT_THAT(read(reader, R"({"a":"x","b":)"), HasSubstr("not valid JSON"));
    EXPECT_EQ(read(reader, R"({"a":"x","b":"y"})"), "x|y");
}

TEST(JsonRecord, a_field_that_is_not_needed_is_empty_where_it_is_missing_or_null) {
    JsonRecordReader reader{a_and_b(false)};
    EXPECT_EQ(read(reader, R"({"a":1,"b":2})"), "1|2");
    EXPECT_EQ(read(reader, R"({"a":1})"), "1|");
    EXPECT_EQ(read(reader, R"({"b":null,"a":1})"), "1|");
    EXPECT_EQ(read(reader, R"({"b":2})"), "!the field a is missing");
    EXPECT_EQ(
        read(reader, R"({"a":1,"b":[]})"), "!the field b is an array; a text or a number is needed"
    );
}

TEST(JsonRecord, a_list_is_given_as_it_is_written) {
    JsonRecordReader reader{{{.name = "a"}, {.name = "b", .needed = false, .list = true}}};

    const struct {
        std::string_view text;
        std::string_view fields;
    } cases[] = {
        {R"({"b": [ "x","\u00e9]" ] ,"a":1})", R"(1|[ "x","\u00e9]" ])"},
        {R"({"a":1,"b":[]})", "1|[]"},
        {R"({"a":1,"b":[{"c":[1]},[2]]})", R"(1|[{"c":[1]},[2]])"},
        {R"({"a":1,"b":null})", "1|"},
        {R"({"a":1})", "1|"},
        {R"({"a":1,"b":"x"})", R"(!the field b is no list, such as ["a","b"])"},
        {R"({"a":1,"b":{}})", R"(!the field b is no list, such as ["a","b"])"},
        {R"({"a":["x"],"b":[]})", "!the field a is an array; a text or a number is needed"},
    };

    for (const auto& [text, fields] : cases) {
        EXPECT_EQ(read(reader, text), fields) << text;
    }
    for (const std::string_view text :
         {R"({"a":1,"b":[)", R"({"a":1,"b":["x"})", R"({"a":1,"b":["x"]]})", R"({"a":1,"b":["x})"
         }) {
        EXPECT_THAT(read(reader, text), testing::AnyOf(StartsWith("!is "), StartsWith("!has ")))
            << text;
    }
    EXPECT_EQ(read(reader, R"({"a":1,"b":["y"]})"), R"(1|["y"])");
}

}  // namespace
}  // namespace footfall::records
