#include "views/counts.h"

#include "foundation_testing/repository.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <tuple>
#include <vector>

namespace footfall::views {
namespace {

std::string text_of(const std::string& bytes) {
    std::string text;
    for (const char byte : bytes) {
        text += fmt::format("{}{:02x}", text.empty() ? "" : " ", static_cast<unsigned char>(byte));
    }
    return text;
}

TEST(Counts, are_written_as_their_document_says) {
    Reasons reasons;
    Counts counts;
    counts.add(40, reasons.id_of("repeat"));
    counts.add(40, 0, 299);
    counts.add(0, 0);
    counts.add(40, 0);
    counts.add(0, 0);
    std::ifstream file{in_repository("docs/formats/views.md")};
    std::stringstream document;
    document << file.rdbuf();
    const std::string example = "\n```counts\n" + text_of(counts.written(reasons)) + "\n```\n";
    EXPECT_NE(document.str().find(example), std::string::npos) << example;
}

TEST(Counts, are_the_same_bytes_whatever_order_reasons_came_in) {
    Reasons one;
    Reasons other;
    other.id_of("zebra");
    other.id_of("horse");
    Counts counts;
    Counts same;
    for (const auto& [reason, quarter] :
         {std::pair{"horse", 95U}, std::pair{"zebra", 7U}, std::pair{"", 95U}}) {
        counts.add(quarter, one.id_of(reason), 1000);
        same.add(quarter, other.id_of(reason), 1000);
    }
    EXPECT_EQ(counts.written(one), same.written(other));
    EXPECT_EQ(counts.counted(), 1000U);
    EXPECT_EQ(counts.refused(), 2000U);
}

TEST(Counts, are_the_same_after_reading) {
    Reasons reasons;
    Counts counts;
    for (unsigned at = 0; at < 500; ++at) {
        counts.add(
            at * 7 % Counts::quarters, reasons.id_of(fmt::format("reason {}", at % 9)), at + 1
        );
    }
    const std::string bytes = counts.written(reasons);
    Reasons later;
    const Result<Counts> read = Counts::read(bytes, later);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->written(later), bytes);
    EXPECT_EQ(read->counted() + read->refused(), 500U * 501 / 2);
}

TEST(Counts, are_the_same_under_other_numbers_of_reasons) {
    Reasons reasons;
    Counts counts;
    for (const auto& [reason, quarter] :
         {std::pair{"horse", 95U}, std::pair{"", 7U}, std::pair{"zebra", 7U}}) {
        counts.add(quarter, reasons.id_of(reason), 1000 + quarter);
    }
    Reasons others;
    others.id_of("zebra");
    const Result<Counts> again = Counts::of(counts.told(reasons), others);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->written(others), counts.written(reasons));
    for (std::size_t more = 0; more < Reasons::reasons_max; ++more) {
        std::ignore = others.find_id(fmt::format("reason {}", more));
    }
    EXPECT_FALSE(Counts::of(std::vector{CountOfReason{.reason = "one too many"}}, others));
}

TEST(Counts, that_are_damaged_are_refused) {
    Reasons reasons;
    Counts counts;
    counts.add(95, reasons.id_of("repeat"), 300);
    counts.add(3, 0, 5);
    const std::string bytes = counts.written(reasons);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_FALSE(Counts::read(bytes.substr(0, size), reasons)) << size;
    }
    EXPECT_FALSE(Counts::read(bytes + "a", reasons));
    const auto refused = [&](const std::string& damaged) {
        const Result<Counts> read = Counts::read(damaged, reasons);
        return !read && read.error().kind == ErrorKind::corrupt;
    };
    using namespace std::string_literals;
    EXPECT_FALSE(refused("\1\1\0\1\5\1"s));
    EXPECT_TRUE(refused("\2\1\0\1\5\1"s)) << "version";
    EXPECT_TRUE(refused("\1\1\0\1\x60\1"s)) << "no such quarter-hour";
    EXPECT_TRUE(refused("\1\1\0\1\5\0"s)) << "no event";
    EXPECT_TRUE(refused("\1\1\0\2\5\1\0\1"s)) << "the same quarter-hour twice";
    EXPECT_TRUE(refused("\1\2\0\1\5\1\0\1\6\1"s)) << "the same reason twice";
}

}  // namespace
}  // namespace footfall::views
