#include "records/line_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace footfall::records {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

/// Each line as "number|text|ending", with the bytes of the ending shown.
std::vector<std::string> lines_of(
    const std::string& text,
    std::size_t chunk_size,
    std::size_t line_bytes_max = LineReader::default_line_bytes_max
) {
    const auto source = bytes_in_memory("test", text, chunk_size);
    LineReader reader{*source, line_bytes_max};
    std::vector<std::string> lines;
    for (;;) {
        const auto line = reader.next().value();
        if (!line) {
            return lines;
        }
        std::string shown = std::to_string(line->number) + "|";
        shown += line->too_long ? "too long" : line->text;
        shown += "|";
        for (const char byte : line->ending) {
            shown += byte == '\n' ? "n" : "r";
        }
        lines.push_back(std::move(shown));
    }
}

TEST(LineReader, cuts_at_newlines_wherever_the_chunks_end) {
    const struct {
        std::string text;
        std::vector<std::string> lines;
    } cases[] = {
        {"", {}},
        {"\n", {"1||n"}},
        {"a", {"1|a|"}},
        {"a\n", {"1|a|n"}},
        {"a\r\nbc\r\n", {"1|a|rn", "2|bc|rn"}},
        {"a\n\n\r\nb", {"1|a|n", "2||n", "3||rn", "4|b|"}},
        {"a\rb\n", {"1|a\rb|n"}},
        {"a\r\r\n", {"1|a\r|rn"}},
        {"a\r", {"1|a|r"}},
        {std::string{"a\0b\nc\0", 6}, {std::string{"1|a\0b|n", 7}, std::string{"2|c\0|", 5}}},
        {"\xef\xbb\xbfid\nx", {"1|id|n", "2|x|"}},
        {"a\n\xef\xbb\xbf"
         "b",
         {"1|a|n",
          "2|\xef\xbb\xbf"
          "b|"}},
    };

    for (const auto& [text, lines] : cases) {
        for (std::size_t chunk_size = 1; chunk_size < 9; ++chunk_size) {
            EXPECT_THAT(lines_of(text, chunk_size), ElementsAreArray(lines)) << chunk_size;
        }
    }
}

TEST(LineReader, skips_a_line_above_the_bound_and_goes_on_behind_it) {
    for (std::size_t chunk_size = 1; chunk_size < 40; ++chunk_size) {
        EXPECT_THAT(
            lines_of(
                "12345\n123456\n12345\r\n123456\r\n1234567890123456789\nab\n123456", chunk_size, 5
            ),
            ElementsAre(
                "1|12345|n",
                "2|too long|",
                "3|12345|rn",
                "4|too long|",
                "5|too long|",
                "6|ab|n",
                "7|too long|"
            )
        ) << chunk_size;
    }
}

class FailingSource final : public ByteSource {
public:
    Result<std::string_view> next() override {
        if (++calls_ == 1) {
            return chunk_;
        }
        // Nothing may be left of a chunk once the next one was asked for.
        std::string{}.swap(chunk_);
        return fail(ErrorKind::corrupt, "damaged");
    }

    std::uint64_t stored_position() const override { return 0; }

    std::optional<std::uint64_t> stored_size() const override { return std::nullopt; }

    const std::string& name() const override { return name_; }

private:
    int calls_ = 0;
    std::string chunk_ = "a\nthe half of a rather long line";
    std::string name_ = "failing";
};

TEST(LineReader, hands_on_the_error_of_its_source_and_not_the_half_line_in_front_of_it) {
    FailingSource source;
    LineReader reader{source};
    EXPECT_EQ(reader.next().value().value_or(Line{}).text, "a");
    for (int repeat = 0; repeat < 2; ++repeat) {
        const auto line = reader.next();
        ASSERT_FALSE(line);
        EXPECT_EQ(line.error().message, "damaged");
    }
}

/// LineReader::prefix() behind each line.
std::vector<std::uint64_t> prefixes_of(const std::string& text, std::size_t chunk_size = 7) {
    const auto source = bytes_in_memory("x", text, chunk_size);
    LineReader reader{*source, 10, PrefixHash::kept};
    std::vector<std::uint64_t> prefixes;
    while (reader.next().value()) {
        prefixes.push_back(reader.prefix());
    }
    return prefixes;
}

TEST(LineReader, files_have_a_prefix_in_common_for_as_long_as_they_are_alike) {
    const auto whole = prefixes_of("a\nb\n\na line that is too long\nb\n");
    ASSERT_EQ(whole.size(), 5U);
    EXPECT_NE(whole[1], whole[4]);  // the same line elsewhere
    EXPECT_EQ(prefixes_of("a\nb\n\na line that is too long\nb\n", 1'000), whole);
    EXPECT_EQ(
        prefixes_of("\xef\xbb\xbf"
                    "a\r\nb\r\n\r\na line that is too long\r\nb"),
        whole
    );

    auto shorter = prefixes_of("a\nb\n");
    EXPECT_TRUE(std::ranges::equal(shorter, std::span{whole}.first(2)));

    const auto changed = prefixes_of("a\nB\n\na line that is too long\nb\n");
    EXPECT_EQ(changed[0], whole[0]);
    for (const std::size_t behind : {1U, 2U, 3U, 4U}) {
        EXPECT_NE(changed[behind], whole[behind]);
    }
}

TEST(LineReader, keeps_no_prefix_unasked) {
    const auto source = bytes_in_memory("x", "a\n", 7);
    LineReader reader{*source};
    EXPECT_TRUE(reader.next().value());
    EXPECT_EQ(reader.prefix(), 0U);
}

}  // namespace
}  // namespace footfall::records
