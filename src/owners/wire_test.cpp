#include "owners/wire.h"

#include "foundation/random.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace footfall::owners {
namespace {

WirePart part_of(std::uint32_t lane, std::string_view bytes) {
    return {.lane = lane, .generation = 1'790'000'000'000'000, .bytes = bytes};
}

std::string question_of(const std::vector<WirePart>& parts) {
    return written_question({.projection = "views", .of_all = "of all", .parts = parts});
}

WireAnswer an_answer() {
    WireAnswer answer(3);
    answer[0].emplace().counted = std::numeric_limits<std::uint64_t>::max();
    answer[2] = projecting::LaneAnswer{.bytes = std::string{"\0told", 5}, .counted = 100};
    return answer;
}

TEST(OwnersWire, a_question_comes_as_it_was_asked) {
    const std::vector<WirePart> asked{part_of(0, "page"), part_of(63, ""), part_of(7, "\xff")};
    const std::string bytes =
        written_question({.projection = "views", .of_all = "all", .parts = asked});
    const auto read = read_question(bytes);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->projection, "views");
    EXPECT_EQ(read->of_all, "all");
    ASSERT_EQ(read->parts.size(), asked.size());
    for (std::size_t at = 0; at < asked.size(); ++at) {
        EXPECT_EQ(read->parts[at].lane, asked[at].lane);
        EXPECT_EQ(read->parts[at].generation, asked[at].generation);
        EXPECT_EQ(read->parts[at].bytes, asked[at].bytes);
    }
}

TEST(OwnersWire, an_answer_comes_as_it_was_told) {
    const WireAnswer read = read_answer(written_answer(an_answer()), 3).value();
    EXPECT_EQ(
        read[0].value_or(projecting::LaneAnswer{}).counted,
        std::numeric_limits<std::uint64_t>::max()
    );
    EXPECT_TRUE(read[0].value_or(projecting::LaneAnswer{}).bytes.empty());
    EXPECT_TRUE(read[0] && !read[1] && read[2]);
    EXPECT_EQ(
        read[2].value_or(projecting::LaneAnswer{}).bytes,
        an_answer()[2].value_or(projecting::LaneAnswer{}).bytes
    );
    EXPECT_EQ(read[2].value_or(projecting::LaneAnswer{}).counted, 100U);
}

TEST(OwnersWire, refuses_what_is_asked_of_nothing_and_too_much) {
    EXPECT_FALSE(read_question(question_of({part_of(64, "page")})));
    const std::vector<WirePart> many(asked_max + 1, part_of(1, "page"));
    EXPECT_FALSE(read_question(question_of(many)));
    EXPECT_EQ(asked_at_once(many, {}), asked_max);
    const std::string long_name(1024, 'o');
    const std::vector<WirePart> long_ones(asked_max, part_of(1, long_name));
    for (const std::size_t of_all : {std::size_t{0}, std::size_t{100'000}}) {
        const std::string beside(of_all, 'b');
        const std::size_t at_once = asked_at_once(long_ones, beside);
        EXPECT_LT(at_once, asked_max);
        const std::vector<WirePart> some(at_once, part_of(1, long_name));
        const auto bytes =
            written_question({.projection = "views", .of_all = beside, .parts = some});
        EXPECT_LE(bytes.size(), question_bytes_max);
        EXPECT_GT(bytes.size(), question_bytes_max - 2 * long_name.size() - asked_max * 32);
        EXPECT_TRUE(read_question(bytes));
    }
}

TEST(OwnersWire, an_answer_to_another_question_is_none) {
    const std::string bytes = written_answer(an_answer());
    EXPECT_FALSE(read_answer(bytes, 2));
    EXPECT_FALSE(read_answer(bytes, 4));
}

/// Bytes that are cut or changed are refused or read, but never more than that.
TEST(OwnersWire, survives_damage) {
    const std::string answer = written_answer(an_answer());
    const std::string question = question_of({part_of(0, "page"), part_of(63, "other")});
    Random random{5};
    for (int round = 0; round < 2000; ++round) {
        for (const std::string& whole : {answer, question}) {
            std::string bytes = whole.substr(0, random.below(whole.size() + 1));
            if (!bytes.empty()) {
                bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
            }
            if (const auto read = read_answer(bytes, 3)) {
                EXPECT_EQ(read->size(), 3U);
            }
            if (const auto read = read_question(bytes)) {
                EXPECT_LE(read->parts.size(), asked_max);
            }
        }
    }
}

}  // namespace
}  // namespace footfall::owners
