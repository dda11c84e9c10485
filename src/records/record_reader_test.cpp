#include "records/record_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace footfall::records {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

FieldMap map_of(std::string map, InputFormat format) {
    auto parsed = FieldMap::parse({.format = format, .map = std::move(map)});
    EXPECT_TRUE(parsed);
    return *std::move(parsed);
}

/// Each record as "line|object|token" (as the map has it), "line!reason", and "!error" at the end.
std::vector<std::string> records_of(
    const std::string& text, const std::string& map, const ReadOptions& options
) {
    const auto source = bytes_in_memory("x.csv", text, 7);
    auto reader = open_record_reader(*source, map_of(map, options.format), options);
    if (!reader) {
        return {"!" + reader.error().message};
    }
    std::vector<std::string> records;
    for (;;) {
        const auto record = (*reader)->next();
        if (!record) {
            records.push_back("!" + record.error().message);
            return records;
        }
        const auto& found = record.value();
        if (!found) {
            return records;
        }
        std::string shown = std::to_string(found->line);
        for (const auto field : found->fields) {
            shown.append("|").append(field);
        }
        if (!found->rejected.empty()) {
            shown.append("!").append(found->rejected);
        }
        records.push_back(std::move(shown));
    }
}

TEST(RecordReader, gives_the_mapped_fields_of_every_format) {
    const struct {
        InputFormat format;
        const char* text;
        const char* map;
        std::vector<std::string> records;
    } cases[] = {
        {InputFormat::csv, "u,x,o\n1,2,\"3,4\"\n", "object=o,token=u", {"2|3,4|1"}},
        {InputFormat::tsv, "u\tx\to\n1\t2\t\"3\n", "object=o,token=u", {"2|\"3|1"}},
        {InputFormat::ndjson,
         "{\"u\":1,\"o\":\"b\"}\n\n{\"u\":2}",
         "object=o,token=u",
         {"1|b|1", "3!the field o is missing"}},
        {InputFormat::ndjson, "{\"u\":1}", "object=u,token=u", {"1|1|1"}},
        {InputFormat::common, "::1 - - [t] \"GET /a\" 200 1\n", "", {"1|/a|::1"}},
        {InputFormat::combined,
         "::1 - - [t] \"GET /a\" 200 1 \"r\" \"m\"\nbad\n",
         "object=referrer,token=9",
         {"1|r|m", "2!the line ends after the address"}},
    };

    for (const auto& [format, text, map, records] : cases) {
        EXPECT_THAT(records_of(text, map, {.format = format}), ElementsAreArray(records)) << text;
    }
}

TEST(RecordReader, rejects_records_of_another_width_than_the_header) {
    EXPECT_THAT(
        records_of("a,b,c,d\n1,2,3\n1,2,3,4\n1\n1,2,3,4,5\n", "object=a,token=b", {}),
        ElementsAre(
            "2!has 3 columns, the header has 4",
            "3|1|2",
            "4!has 1 column, the header has 4",
            "5!has 5 columns, the header has 4"
        )
    );
}

TEST(RecordReader, without_a_header_the_first_record_counts_and_sets_the_width) {
    const ReadOptions options{.header = Header::none};
    EXPECT_THAT(
        records_of("a,b\nc\nd,e\n", "object=2,token=1", options),
        ElementsAre("1|b|a", "2!has 1 column, the first record has 2", "3|e|d")
    );
    EXPECT_THAT(
        records_of("\"a\nb\"\"\",c\nd,e\n", "object=1,token=2", options),
        ElementsAre("1|a\nb\"|c", "3|d|e")
    );
    EXPECT_THAT(
        records_of("a,b\n", "object=o,token=1", options),
        ElementsAre(
            "!x.csv: --map object=o: without a header a column is given by its number, from "
            "1 to 2"
        )
    );
}

TEST(RecordReader, fails_where_the_header_does_not_have_what_is_mapped) {
    EXPECT_THAT(
        records_of("a,b\n1,2\n", "object=a,token=c", {}),
        ElementsAre("!x.csv: --map token=c: there is no column c; the columns are a, b")
    );
    EXPECT_THAT(
        records_of("a,\"b\n1,2\n", "object=a,token=b", {}),
        ElementsAre("!x.csv line 1: the header cannot be read: a quote is still open at the end of "
                    "the file; lines 1 to 2 are lost")
    );
    EXPECT_THAT(
        records_of("", "object=url,token=agent", {.format = InputFormat::common}),
        ElementsAre("!--map token=agent: there is no column agent; the columns are address, user, "
                    "time, method, url, status, bytes")
    );
}

TEST(RecordReader, an_empty_file_has_no_records) {
    for (const auto format : {InputFormat::csv, InputFormat::ndjson, InputFormat::combined}) {
        EXPECT_THAT(records_of("\n\n", "object=url,token=agent", {.format = format}), IsEmpty());
    }
}

TEST(RecordReader, takes_a_delimiter_that_can_be_one) {
    EXPECT_THAT(
        records_of("a;b\n1;\"2;3\"\n", "object=a,token=b", {.delimiter = ';'}),
        ElementsAre("2|1|2;3")
    );
    for (const char delimiter : {'"', '\n', '\r'}) {
        EXPECT_THAT(
            records_of("", "object=a,token=b", {.delimiter = delimiter}),
            ElementsAre("!--delimiter: a quote or a newline cannot separate columns")
        );
    }
}

TEST(RecordReader, rejects_lines_above_the_bound) {
    EXPECT_THAT(
        records_of(
            "{\"a\":\"0123456789\"}\n{\"a\":1}\n",
            "object=a,token=a",
            {.format = InputFormat::ndjson, .record_bytes_max = 10}
        ),
        ElementsAre("1!the line is longer than 10 bytes", "2|1|1")
    );
}

TEST(RecordReader, ends_with_the_error_of_its_source) {
    const std::string cut_gzip{"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", 10};
    const auto source = decompressed(bytes_in_memory("x.gz", cut_gzip, 4096));
    ASSERT_TRUE(source);
    const auto reader =
        open_record_reader(**source, map_of("object=a,token=a", InputFormat::csv), {});
    ASSERT_FALSE(reader);
    EXPECT_EQ(reader.error().kind, ErrorKind::corrupt);
}

TEST(RecordReader, keeps_the_prefix_of_every_format) {
    const struct {
        InputFormat format;
        const char* text;
    } cases[] = {
        {InputFormat::csv, "u,o\n1,2\n\"1\n\",2\n1,2\n"},
        {InputFormat::ndjson, "{\"u\":1,\"o\":2}\n{\"u\":1,\"o\":2}\n{\"u\":1,\"o\":2}\n"}
    };

    for (const auto& [format, text] : cases) {
        const auto source = bytes_in_memory("x", text, 7);
        const auto reader = open_record_reader(
            *source,
            map_of("object=o,token=u", format),
            {.format = format, .prefix_hash = PrefixHash::kept}
        );
        ASSERT_TRUE(reader);
        std::vector<std::uint64_t> prefixes;
        while (const auto record = (*reader)->next().value()) {
            prefixes.push_back(record->prefix);
        }
        ASSERT_EQ(prefixes.size(), 3U);
        EXPECT_NE(prefixes[0], 0U);
        EXPECT_NE(prefixes[0], prefixes[1]);
        EXPECT_NE(prefixes[1], prefixes[2]);
    }
}

TEST(RecordReader, the_prefix_of_a_first_record_without_a_header_is_its_own) {
    const auto source = bytes_in_memory("x", "1,2\n3,4\n", 7);
    const auto reader = open_record_reader(
        *source,
        map_of("object=1,token=2", InputFormat::csv),
        {.header = Header::none, .prefix_hash = PrefixHash::kept}
    );
    ASSERT_TRUE(reader);
    const std::optional<Record> first = (*reader)->next().value();
    const std::optional<Record> second = (*reader)->next().value();
    EXPECT_NE(first.value_or(Record{}).prefix, second.value_or(Record{}).prefix);
}

TEST(RecordReader, what_is_not_needed_may_be_missing_from_an_ndjson_line) {
    EXPECT_THAT(
        records_of(
            "{\"o\":1,\"t\":2}\n{\"t\":2}\n",
            "object=o,token=t,ttl=l",
            {.format = InputFormat::ndjson}
        ),
        ElementsAre("1|1|2|", "2!the field o is missing")
    );
}

}  // namespace
}  // namespace footfall::records
