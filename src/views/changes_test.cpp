#include "views/changes.h"

#include "foundation/random.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace footfall::views {
namespace {

bool same(const Changes::Entry& left, const Changes::Entry& right) {
    return left.offset == right.offset && left.day == right.day && left.quarter == right.quarter &&
           left.reason == right.reason && left.person == right.person;
}

TEST(Changes, give_back_what_was_put_in_its_order) {
    Random random{1};
    Changes changes;
    std::vector<Changes::Entry> put;
    std::uint64_t offset = std::uint64_t{1} << 40;
    for (int at = 0; at < 10'000; ++at) {
        Changes::Entry entry{
            .offset = offset,
            .day = static_cast<Day>(random.below(5)) - (random.below(50) == 0 ? 30'000 : 0),
            .quarter = static_cast<unsigned>(random.below(96)),
            .reason = random.below(4) == 0 ? static_cast<ReasonId>(random.below(1000)) : 0
        };
        if (random.below(3) != 0) {
            entry.person = static_cast<sketches::HashToken>(random());
        }
        changes.append(entry);
        put.push_back(entry);
        offset += random.below(1000) == 0 ? random.below(1'000'000'000) : random.below(3);
    }
    EXPECT_EQ(changes.size(), put.size());
    EXPECT_EQ(changes.last_offset(), put.back().offset);
    std::size_t at = 0;
    changes.for_each([&](const Changes::Entry& entry) {
        ASSERT_LT(at, put.size());
        EXPECT_TRUE(same(entry, put[at])) << at;
        ++at;
    });
    EXPECT_EQ(at, put.size());
}

TEST(Changes, the_first_needs_nothing_of_the_heap_and_the_next_few_bytes_each) {
    Changes changes;
    const auto seen = [&](std::uint64_t offset) {
        changes.append({.offset = offset, .day = 20'716, .quarter = 40, .person = 0x12345678});
    };
    seen(std::uint64_t{1} << 29);
    EXPECT_EQ(changes.bytes(), 0U);
    for (std::uint64_t at = 1; at < 1000; ++at) {
        seen((std::uint64_t{1} << 29) + 100 * at);
    }
    EXPECT_LE(changes.bytes(), 2 * 1000 * 7U) << "its room doubles";
}

}  // namespace
}  // namespace footfall::views
