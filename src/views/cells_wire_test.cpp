#include "views/cells_wire.h"

#include "foundation/random.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace footfall::views {
namespace {

constexpr std::uint16_t key = 7;

CellsAsked asked_of(std::string_view object) {
    return {
        .lane = 5,
        .action = "view",
        .object = object,
        .days = {.first = lifetime + 1, .last = 20'000, .most = 366}
    };
}

CellCopy cell_of(std::uint64_t people) {
    Reasons reasons;
    Counts counts;
    counts.add(3, reasons.id_of(""), people);
    counts.add(4, reasons.id_of("repeat"), 2);
    CellCopy cell{
        .whole = true,
        .counts = counts.told(reasons),
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

CellCopies some_cells() {
    CellCopies cells;
    cells[lifetime].emplace("writer", cell_of(500));
    cells[20'000].emplace("writer", cell_of(3));
    cells[-1].emplace("other", cell_of(1));
    return cells;
}

TEST(CellsWire, a_question_comes_as_it_was_asked) {
    for (const std::string_view object : {"page", "", "\xff"}) {
        const CellsAsked asked = asked_of(object);
        const std::string bytes = written_question(asked);
        const auto read = read_question(asked.lane, bytes);
        ASSERT_TRUE(read);
        EXPECT_EQ(read->lane, asked.lane);
        EXPECT_EQ(read->action, asked.action);
        EXPECT_EQ(read->object, asked.object);
        EXPECT_EQ(read->days, asked.days);
    }
}

TEST(CellsWire, cells_come_as_they_were_told) {
    const CellCopies copies = some_cells();
    const auto read = read_cells(written_cells(copies, key), key);
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->size(), copies.size());
    for (const auto& [day, cells] : copies) {
        for (const auto& [writer, cell] : cells) {
            const CellCopy& other = read->at(day).at(writer);
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
    EXPECT_TRUE(read_cells("", key)->empty());
}

TEST(CellsWire, refuses_what_is_too_much_and_people_of_another_secret) {
    EXPECT_FALSE(read_question(1, written_question(asked_of(std::string(2000, 'o')))));
    CellsAsked far = asked_of("page");
    far.days.most = std::size_t{1} << 40;
    EXPECT_FALSE(read_question(1, written_question(far)));
    EXPECT_FALSE(read_cells(written_cells(some_cells(), key), key + 1));
}

/// Bytes that are cut or changed are refused or read, but never more than that.
TEST(CellsWire, survives_damage) {
    const std::string told = written_cells(some_cells(), key);
    const std::string question = written_question(asked_of("page"));
    Random random{5};
    std::size_t refused = 0;
    for (int round = 0; round < 2000; ++round) {
        for (const std::string& whole : {told, question}) {
            std::string bytes = whole.substr(0, random.below(whole.size() + 1));
            if (!bytes.empty()) {
                bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
            }
            refused += read_cells(bytes, key) ? 0 : 1;
            if (const auto read = read_question(5, bytes)) {
                EXPECT_LE(read->object.size(), bytes.size());
            }
        }
    }
    EXPECT_GT(refused, 100U);
}

}  // namespace
}  // namespace footfall::views
