#include "owners/cells_wire.h"

#include "foundation/random.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace footfall::owners {
namespace {

constexpr std::uint16_t key = 7;

WireAsked asked_of(std::size_t lane, std::string_view object) {
    return {
        .cells =
            {.lane = lane,
             .action = "view",
             .object = object,
             .days = {.first = views::lifetime + 1, .last = 20'000, .most = 366}},
        .generation = 1'790'000'000'000'000
    };
}

views::CellCopy cell_of(std::uint64_t people) {
    views::Reasons reasons;
    views::Counts counts;
    counts.add(3, reasons.id_of(""), people);
    counts.add(4, reasons.id_of("repeat"), 2);
    views::CellCopy cell{
        .whole = true,
        .counts = counts.written(reasons),
        .people = {},
        .through = 99,
        .changes =
            {{.offset = 99, .quarter = 5, .reason = "", .person = 0x80000001},
             {.offset = 120, .quarter = 95, .reason = "repeat", .person = {}}}
    };
    for (std::uint64_t person = 1; person <= people; ++person) {
        cell.people.add(person * 0x9e3779b97f4a7c15);
    }
    return cell;
}

WireAnswer an_answer() {
    WireAnswer answer(3);
    answer[0].emplace().counted = std::numeric_limits<std::uint64_t>::max();
    auto& cells = answer[2].emplace(views::OwnedCells{.cells = {}, .counted = 100}).cells;
    cells[views::lifetime].emplace("writer", cell_of(500));
    cells[20'000].emplace("writer", cell_of(3));
    cells[-1].emplace("other", cell_of(1));
    return answer;
}

TEST(CellsWire, a_question_comes_as_it_was_asked) {
    const std::vector<WireAsked> asked{asked_of(0, "page"), asked_of(63, ""), asked_of(7, "\xff")};
    const std::string bytes = written_question(asked);
    const auto read = read_question(bytes);
    ASSERT_TRUE(read);
    ASSERT_EQ(read->size(), asked.size());
    for (std::size_t at = 0; at < asked.size(); ++at) {
        EXPECT_EQ((*read)[at].cells.lane, asked[at].cells.lane);
        EXPECT_EQ((*read)[at].cells.action, asked[at].cells.action);
        EXPECT_EQ((*read)[at].cells.object, asked[at].cells.object);
        EXPECT_EQ((*read)[at].cells.days, asked[at].cells.days);
        EXPECT_EQ((*read)[at].generation, asked[at].generation);
    }
}

TEST(CellsWire, an_answer_comes_as_it_was_told) {
    const WireAnswer answer = an_answer();
    const auto read = read_answer(written_answer(answer, key), 3, key);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ((*read)[0]->counted, answer[0]->counted);
    EXPECT_TRUE((*read)[0]->cells.empty());
    EXPECT_FALSE((*read)[1]);
    ASSERT_TRUE((*read)[2]);
    ASSERT_EQ((*read)[2]->cells.size(), 3U);
    for (const auto& [day, cells] : answer[2]->cells) {
        for (const auto& [writer, cell] : cells) {
            const views::CellCopy& other = (*read)[2]->cells.at(day).at(writer);
            EXPECT_EQ(other.counts, cell.counts);
            EXPECT_EQ(other.through, cell.through);
            EXPECT_TRUE(other.whole);
            ASSERT_EQ(other.changes.size(), 2U);
            for (std::size_t at = 0; at < 2; ++at) {
                EXPECT_EQ(other.changes[at].offset, cell.changes[at].offset);
                EXPECT_EQ(other.changes[at].quarter, cell.changes[at].quarter);
                EXPECT_EQ(other.changes[at].reason, cell.changes[at].reason);
                EXPECT_EQ(other.changes[at].person, cell.changes[at].person);
            }
            EXPECT_EQ(other.people.written(key), cell.people.written(key));
        }
    }
}

TEST(CellsWire, refuses_what_is_asked_of_nothing_and_too_much) {
    EXPECT_FALSE(read_question(written_question({{asked_of(64, "page")}})));
    EXPECT_FALSE(read_question(written_question({{asked_of(1, std::string(2000, 'o'))}})));
    WireAsked far = asked_of(1, "page");
    far.cells.days.most = std::size_t{1} << 40;
    EXPECT_FALSE(read_question(written_question({{far}})));
    const std::vector<WireAsked> many(asked_max + 1, asked_of(1, "page"));
    EXPECT_FALSE(read_question(written_question(many)));
    EXPECT_EQ(asked_at_once(many), asked_max);
    const std::string long_name(1024, 'o');
    const std::vector<WireAsked> long_ones(asked_max, asked_of(1, long_name));
    const std::size_t at_once = asked_at_once(long_ones);
    EXPECT_LT(at_once, asked_max);
    const auto bytes = written_question(std::span{long_ones}.first(at_once));
    EXPECT_LE(bytes.size(), question_bytes_max);
    EXPECT_TRUE(read_question(bytes));
}

TEST(CellsWire, an_answer_to_another_question_is_none) {
    const std::string bytes = written_answer(an_answer(), key);
    EXPECT_FALSE(read_answer(bytes, 2, key));
    EXPECT_FALSE(read_answer(bytes, 4, key));
    EXPECT_FALSE(read_answer(bytes, 3, key + 1)) << "people hashed with another secret";
}

/// Bytes that are cut or changed are refused or read, but never more than that.
TEST(CellsWire, survives_damage) {
    const std::string answer = written_answer(an_answer(), key);
    const std::string question = written_question({{asked_of(0, "page"), asked_of(63, "other")}});
    Random random{5};
    for (int round = 0; round < 2000; ++round) {
        for (const std::string& whole : {answer, question}) {
            std::string bytes = whole.substr(0, random.below(whole.size() + 1));
            if (!bytes.empty()) {
                bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
            }
            if (const auto read = read_answer(bytes, 3, key)) {
                EXPECT_EQ(read->size(), 3U);
            }
            if (const auto read = read_question(bytes)) {
                EXPECT_LE(read->size(), asked_max);
            }
        }
    }
}

}  // namespace
}  // namespace footfall::owners
