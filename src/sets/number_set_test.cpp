#include "sets/number_set.h"

#include "foundation/crc32c.h"
#include "foundation/fixed_bytes.h"
#include "foundation/memory_cost.h"
#include "foundation/testing/repository.h"
#include "foundation/testing/rounds.h"
#include "foundation/testing/test_seed.h"
#include "sets/test_sets.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <numeric>
#include <sstream>

namespace footfall::sets {
namespace {

std::vector<Number> in_order(const std::set<Number>& numbers) {
    return {numbers.begin(), numbers.end()};
}

void expect_same(const NumberSet& ours, const std::set<Number>& theirs) {
    ASSERT_EQ(ours.size(), theirs.size());
    ASSERT_EQ(numbers_of(ours), in_order(theirs));
    for (const Block& block : ours.blocks()) {
        ASSERT_GT(block.size(), 0U);
        if (block.is_bitmap()) {
            ASSERT_GE(block.size(), Block::bitmap_min);
        } else {
            ASSERT_LE(block.size(), Block::array_max);
        }
    }
    const NumberSet built = NumberSet::of_sorted(in_order(theirs));
    ASSERT_TRUE(ours == built);
    ASSERT_EQ(ours.written(), built.written());
    const Result<NumberSet> read = NumberSet::read(ours.written());
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_TRUE(*read == ours);
}

TEST(NumberSet, does_what_a_set_of_the_standard_library_does) {
    const std::uint64_t seed = test_seed();
    SCOPED_TRACE(seed);
    Random random{seed};
    for (std::uint64_t round = 0; round < rounds(20); ++round) {
        TestSet set;
        // Up and down through what an array holds, in blocks that begin and end.
        const auto numbers = static_cast<Number>(5'000 + random.below(200'000));
        const auto first = static_cast<Number>(random());
        for (int phase = 0; phase < 4; ++phase) {
            const std::uint64_t of_ten = phase % 2 == 0 ? 9 : 1 + random.below(3);
            for (std::uint64_t step = 0; step < 12'000; ++step) {
                const Number number = first + static_cast<Number>(random.below(numbers));
                ASSERT_EQ(set.ours.contains(number), set.theirs.contains(number));
                if (random.below(10) < of_ten) {
                    ASSERT_EQ(set.ours.add(number), set.theirs.insert(number).second);
                } else {
                    ASSERT_EQ(set.ours.remove(number), set.theirs.erase(number) == 1);
                }
            }
            ASSERT_NO_FATAL_FAILURE(expect_same(set.ours, set.theirs));
        }
        for (const Number number : in_order(set.theirs)) {
            ASSERT_TRUE(set.ours.remove(number));
        }
        ASSERT_TRUE(set.ours.empty());
        ASSERT_TRUE(set.ours.blocks().empty());
    }
}

TEST(NumberSet, goes_from_array_to_bitmap_and_back_without_a_loss) {
    TestSet set;
    for (Number number = 0; number < Block::array_max; ++number) {
        set.add(number * 7);
    }
    EXPECT_FALSE(set.ours.blocks()[0].is_bitmap());
    EXPECT_FALSE(set.ours.add(7));
    EXPECT_FALSE(set.ours.blocks()[0].is_bitmap());
    set.add(65'535);
    ASSERT_TRUE(set.ours.blocks()[0].is_bitmap());
    expect_same(set.ours, set.theirs);
    for (Number number = 0; set.ours.size() > Block::bitmap_min; ++number) {
        EXPECT_TRUE(set.ours.remove(number * 7));
        set.theirs.erase(number * 7);
    }
    EXPECT_TRUE(set.ours.blocks()[0].is_bitmap());
    NumberSet trimmed = set.ours;
    trimmed.trim();
    EXPECT_FALSE(trimmed.blocks()[0].is_bitmap());
    EXPECT_TRUE(trimmed == set.ours);
    EXPECT_EQ(trimmed.written(), set.ours.written());
    EXPECT_TRUE(set.ours.remove(65'535));
    set.theirs.erase(65'535);
    EXPECT_FALSE(set.ours.blocks()[0].is_bitmap());
    expect_same(set.ours, set.theirs);
}

TEST(NumberSet, has_first_and_last_numbers_and_copies_of_its_own) {
    NumberSet set;
    EXPECT_TRUE(set.add(0xffff'ffff));
    EXPECT_TRUE(set.add(0));
    EXPECT_TRUE(set.add(0x8000'0000));
    EXPECT_FALSE(set.add(0));
    EXPECT_EQ(numbers_of(set), (std::vector<Number>{0, 0x8000'0000, 0xffff'ffff}));
    NumberSet copy = set;
    EXPECT_TRUE(copy == set);
    EXPECT_TRUE(copy.remove(0));
    EXPECT_FALSE(copy == set);
    EXPECT_TRUE(set.contains(0));
    const NumberSet moved = std::move(copy);
    EXPECT_EQ(moved.size(), 2U);
    copy = set;
    EXPECT_TRUE(copy.contains(0));
}

TEST(NumberSet, takes_two_bytes_a_member_or_an_eighth_of_a_byte_a_number) {
    Random random{1};
    for (const Number one_of : {2U, 5U, 20U, 150U, 1'000U}) {
        NumberSet grown;
        constexpr Number numbers = 3'000'000;
        std::uint64_t capacities = 0;
        for (Number number = 0; number < numbers; ++number) {
            if (random.below(one_of) == 0) {
                grown.add(number);
            }
        }
        const auto members = static_cast<double>(grown.size());
        const auto blocks = static_cast<double>(grown.blocks().size());
        const double wanted = std::min(members * 2, blocks * 8'192) + blocks * 40;
        EXPECT_LE(static_cast<double>(grown.bytes()), wanted * 1.07 + 64) << one_of;
        grown.trim();
        EXPECT_LE(static_cast<double>(grown.bytes()), wanted) << one_of;
        for (const Block& block : grown.blocks()) {
            capacities +=
                allocated_bytes(block.is_bitmap() ? 8'192 : usable_bytes(block.size() * 2));
        }
        EXPECT_EQ(
            grown.bytes(), capacities + allocated_bytes(grown.blocks().size() * sizeof(Block))
        );
    }
    static_assert(sizeof(Block) == 16);
}

TEST(NumberSet, is_written_as_its_documentation_says) {
    std::vector<Number> numbers{1, 2, 3, 5, 65'536};
    numbers.resize(5 + block_numbers);
    std::iota(numbers.begin() + 5, numbers.end(), 131'072U);
    std::string bytes;
    for (const char byte : NumberSet::of_sorted(numbers).written()) {
        bytes +=
            fmt::format("{}{:02x}", bytes.empty() ? "" : " ", static_cast<unsigned char>(byte));
    }
    std::ifstream file{in_repository("docs/formats/number_set.md")};
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_NE(text.str().find("```number_set\n" + bytes + "\n```"), std::string::npos) << bytes;
}

TEST(NumberSet, is_small_where_it_is_stored) {
    Random random{3};
    NumberSet sparse;
    NumberSet most;
    for (Number number = 0; number < 3'000'000; ++number) {
        if (random.below(150) == 0) {
            sparse.add(number);
        }
        if (random.below(2'000) != 0) {
            most.add(number);
        }
    }
    EXPECT_LT(static_cast<double>(sparse.written().size()), 1.5 * 20'300);
    EXPECT_LT(most.written().size(), 2.0 * 2 * 1'600);  // runs
    EXPECT_EQ(NumberSet{}.written().size(), 6U);
}

TEST(NumberSet, comes_back_from_its_bytes_and_from_no_others) {
    const std::uint64_t seed = test_seed();
    SCOPED_TRACE(seed);
    Random random{seed};
    for (std::uint64_t round = 0; round < rounds(40); ++round) {
        const TestSet set = test_set(random, 3);
        const std::string bytes = set.ours.written();
        const Result<NumberSet> read = NumberSet::read(bytes);
        ASSERT_TRUE(read) << read.error().message;
        ASSERT_TRUE(*read == set.ours);
        for (int damage = 0; damage < 20; ++damage) {
            std::string damaged = bytes;
            damaged[random.below(bytes.size())] ^= static_cast<char>(1 + random.below(255));
            ASSERT_FALSE(NumberSet::read(damaged));
            ASSERT_FALSE(NumberSet::read(bytes.substr(0, random.below(bytes.size()))));
        }
        ASSERT_FALSE(NumberSet::read(bytes + '\0'));
    }
}

/// As somebody would write them who knows the checksum: read() must not trust what it says.
TEST(NumberSet, is_not_misled_by_bytes_with_a_right_checksum) {
    const std::uint64_t seed = test_seed();
    SCOPED_TRACE(seed);
    Random random{seed};
    const auto sealed = [](std::string bytes) {
        append_fixed(crc32c(bytes), bytes);
        return bytes;
    };
    std::vector<std::string> sets;
    sets.reserve(20);
    for (int at = 0; at < 20; ++at) {
        sets.push_back(test_set(random, 2).ours.written());
    }
    for (std::uint64_t round = 0; round < rounds(3'000); ++round) {
        std::string bytes = sets[round % sets.size()];
        bytes.resize(std::min<std::size_t>(bytes.size() - 4, 1 + random.below(9'000)));
        for (std::uint64_t damage = 0; damage <= random.below(4); ++damage) {
            bytes[random.below(std::min<std::size_t>(bytes.size(), 40))] =
                static_cast<char>(random());
        }
        // Either it is refused, or it is a set like any other.
        if (const Result<NumberSet> read = NumberSet::read(sealed(bytes))) {
            const std::vector<Number> numbers = numbers_of(*read);
            ASSERT_EQ(numbers.size(), read->size());
            ASSERT_TRUE(std::ranges::is_sorted(numbers));
            ASSERT_EQ(std::ranges::adjacent_find(numbers), numbers.end());
            ASSERT_TRUE(*NumberSet::read(read->written()) == *read);
        }
    }
    using namespace std::string_literals;
    for (const std::string& wrong :
         {""s,
          "\2\0"s,
          "\1"s,
          "\1\1"s,
          "\1\1\0"s,
          "\1\1\0\3"s,
          "\1\2\0\0\0\1"s,
          "\1\1\0\0\0"s,                        // a member is missing
          "\1\1\0\0\1\0\xff\xff\3"s,            // the second is beyond the block
          "\1\1\0\1\0\0\xff\xff\7"s,            // a run that is too long
          "\1\1\0\1\1\0\xff\xff\3\0\0"s,        // a run behind one to the end
          "\1\1\0\1\xff\xff\3\0\0"s,            // more runs than a block can have
          "\1\1\xff\xff\7\0\0\0"s,              // no such block
          "\1\2\xff\xff\3\0\0\0\0\0\0\0"s,      // one more behind the last
          "\1\1\0\2"s + std::string(8'192, 0),  // a bitmap without a bit
          "\1\1\0\2"s + std::string(8'191, 1),
          "\1\1\0\0\0\0\0"s}) {
        EXPECT_FALSE(NumberSet::read(sealed(wrong))) << wrong.size();
    }
    EXPECT_TRUE(NumberSet::read(sealed("\1\1\0\0\0\0"s)));
}

}  // namespace
}  // namespace footfall::sets
