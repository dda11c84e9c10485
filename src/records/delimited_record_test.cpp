#include "records/delimited_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace footfall::records {
namespace {

using testing::ElementsAreArray;

/// Each record as "line|field|field", or "line!reason".
std::vector<std::string> records_of(
    const std::string& text, std::size_t chunk_size, DelimitedOptions options = {}
) {
    const auto source = bytes_in_memory("test", text, chunk_size);
    DelimitedReader reader{*source, options};
    std::vector<std::string> records;
    for (;;) {
        const auto record = reader.next().value();
        if (!record) {
            return records;
        }
        std::string shown = std::to_string(record->line);
        for (const auto field : record->fields) {
            shown.append("|").append(field);
        }
        if (!record->rejected.empty()) {
            shown.append("!").append(record->rejected);
        }
        records.push_back(std::move(shown));
    }
}

struct Case {
    std::string text;
    std::vector<std::string> records;
};

void expect_records(std::span<const Case> cases, DelimitedOptions options = {}) {
    for (const auto& [text, records] : cases) {
        for (const std::size_t chunk_size : {1UZ, 2UZ, 5UZ, 1000UZ}) {
            EXPECT_THAT(records_of(text, chunk_size, options), ElementsAreArray(records))
                << text << " in chunks of " << chunk_size;
        }
    }
}

TEST(Delimited, reads_the_fields_of_rfc_4180) {
    const Case cases[] = {
        {"a,b\nc,d\n", {"1|a|b", "2|c|d"}},
        {"a,b\r\nc,d", {"1|a|b", "2|c|d"}},
        {"a,,\n,\n", {"1|a||", "2||"}},
        {"\n\na\n\r\n\nb\n\n", {"3|a", "6|b"}},
        {"\xef\xbb\xbf\"a\",b\n", {"1|a|b"}},
        {"\"a\",\"b c\"\n", {"1|a|b c"}},
        {"\"\",\"\"\n", {"1||"}},
        {"\"a,b\",c\n", {"1|a,b|c"}},
        {"\"a\"\"b\",\"\"\"\",\"c\"\"\"\n", {"1|a\"b|\"|c\""}},
        {"\"a\nb\",c\nd,e\n", {"1|a\nb|c", "3|d|e"}},
        {"\"a\r\n\r\n\"\"b\"\r\nd\r\n", {"1|a\r\n\r\n\"b", "4|d"}},
        {"x,\"a\nb\n\nc\",\"d\ne\"\nf", {"1|x|a\nb\n\nc|d\ne", "6|f"}},
        {"5\" disk,a\"b\"\n", {"1|5\" disk|a\"b\""}},
        {" \"a\"\n", {"1| \"a\""}},
    };
    expect_records(cases);
}

TEST(Delimited, rejects_what_cannot_be_read_and_goes_on_behind_it) {
    const Case cases[] = {
        {"\"a\"b,c\nd\n", {"1!text follows a closing quote", "2|d"}},
        {"\"a\" ,c\nd\n", {"1!text follows a closing quote", "2|d"}},
        {"x\n\"a\nb\"c\nd\n", {"1|x", "2!text follows a closing quote", "4|d"}},
        {"a\n\"b", {"1|a", "2!a quote is still open at the end of the file"}},
        {"a\n\"b\nc\n\n",
         {"1|a", "2!a quote is still open at the end of the file; lines 2 to 4 are lost"}},
    };
    expect_records(cases);
}

TEST(Delimited, bounds_a_record_and_resumes_where_the_bound_was_passed) {
    const Case cases[] = {
        {"12345678\n123456789\na\n", {"1|12345678", "2!the line is longer than 8 bytes", "3|a"}},
        {"\"23\n567\"\n", {"1|23\n567"}},
        {"\"23\n5678\"\na\n",
         {"1!a quote is still open after 8 bytes; lines 1 to 2 are lost", "3|a"}},
        {"\"\n\n\n\n\n\n\n\n\n\na\n",
         {"1!a quote is still open after 8 bytes; lines 1 to 9 are lost", "11|a"}},
        {"\"2\n123456789\na\n",
         {"1!a quote is still open after 8 bytes; lines 1 to 2 are lost", "3|a"}},
    };
    expect_records(cases, {.record_bytes_max = 8});
}

TEST(Delimited, takes_quotes_as_data_where_there_is_no_quoting) {
    const Case cases[] = {
        {"a\t\"b\tc\"\n\"\n", {"1|a|\"b|c\"", "2|\""}},
        {"a\\tb\t\n", {"1|a\\tb|"}},
        {"a,b\n", {"1|a,b"}},
    };
    expect_records(cases, {.delimiter = '\t', .quoting = Quoting::none});
}

TEST(Delimited, takes_any_delimiter) {
    const Case cases[] = {{"a;b,c;\"d;e\"\n", {"1|a|b,c|d;e"}}};
    expect_records(cases, {.delimiter = ';'});
}

TEST(Delimited, a_record_of_very_many_lines_takes_linear_time) {
    // Were each line to start the record anew, this would take minutes.
    const std::string text = "\"" + std::string(900'000, '\n') + "\",b\n";
    EXPECT_EQ(records_of(text, 4096).at(0).size(), 900'004U);
}

}  // namespace
}  // namespace footfall::records
