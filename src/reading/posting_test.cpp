#include "reading/posting.h"

#include "foundation/random.h"
#include "foundation/testing/rounds.h"
#include "foundation/testing/test_seed.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace footfall::reading {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAreArray;

std::vector<ReaderId> matched(const Posting& posting, FriendSet& friends) {
    std::vector<ReaderId> ids;
    posting.match(friends, ids);
    return ids;
}

TEST(Posting, knows_each_reader_once_by_the_latest_read) {
    Posting posting;
    EXPECT_TRUE(posting.empty());
    for (const auto& [reader, latest] :
         {std::pair{7U, 4}, {3U, 9}, {7U, 6}, {7U, 5}, {1U, 1}, {3U, 2}}) {
        posting.add({reader, static_cast<Quarter>(latest)}, 8);
    }
    EXPECT_THAT(
        posting.readings(), ElementsAre(LatestRead{1, 1}, LatestRead{3, 9}, LatestRead{7, 6})
    );
    EXPECT_EQ(posting.readers(), 3);
    FriendSet friends;
    friends.assign(std::vector<ReaderId>{1, 2, 7, 7});
    EXPECT_EQ(friends.size(), 3);
    EXPECT_THAT(matched(posting, friends), testing::UnorderedElementsAre(1, 7));
    friends.clear();
    EXPECT_THAT(matched(posting, friends), IsEmpty());
    posting.keep(8, [](const LatestRead& each) { return each.latest >= 6; });
    EXPECT_THAT(posting.readings(), ElementsAre(LatestRead{3, 9}, LatestRead{7, 6}));
    posting.keep(8, [](const LatestRead&) { return false; });
    EXPECT_TRUE(posting.empty());
    EXPECT_EQ(posting.heap_bytes(), 0);
}

/// A posting and the plain map that it should be.
struct PostingWorld {
    explicit PostingWorld(std::uint64_t seed)
        : random{seed},
          ids_end{1 + static_cast<ReaderId>(random.below(random.below(2) == 0 ? 300 : 50'000))} {}

    void read() {
        const LatestRead reading{
            .reader = static_cast<ReaderId>(random.below(ids_end)),
            .latest = static_cast<Quarter>(random.below(3'000))
        };
        posting.add(reading, ids_end);
        Quarter& latest = plain.try_emplace(reading.reader, reading.latest).first->second;
        latest = std::max(latest, reading.latest);
    }

    void forget() {
        const auto first = static_cast<Quarter>(random.below(2'000));
        const auto is_kept = [&](const LatestRead& each) {
            return each.latest >= first && each.reader % 7 != first % 7;
        };
        posting.keep(ids_end, is_kept);
        std::erase_if(plain, [&](const auto& each) { return !is_kept({each.first, each.second}); });
    }

    void expect_same() {
        std::vector<LatestRead> expected;
        expected.reserve(plain.size());
        for (const auto& [reader, latest] : plain) {
            expected.push_back({reader, latest});
        }
        ASSERT_EQ(posting.readings(), expected);
        ASSERT_EQ(posting.readers(), plain.size());
        std::vector<ReaderId> asked;
        for (std::uint64_t left = random.below(400); left > 0; --left) {
            asked.push_back(static_cast<ReaderId>(random.below(ids_end + 70)));
        }
        std::ranges::sort(asked);
        friends.clear();
        friends.assign(asked);
        std::set<ReaderId> in_both;
        for (const ReaderId each : asked) {
            if (plain.contains(each)) {
                in_both.insert(each);
            }
        }
        for (int again = 0; again < 2; ++again) {
            ASSERT_THAT(matched(posting, friends), UnorderedElementsAreArray(in_both));
        }
    }

    Random random;
    ReaderId ids_end;
    Posting posting;
    std::map<ReaderId, Quarter> plain;
    FriendSet friends;
};

TEST(Posting, is_what_a_plain_map_is) {
    const std::uint64_t first = test_seed();
    for (std::uint64_t round = 0; round < rounds(300); ++round) {
        SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", first + round));
        PostingWorld world{first + round};
        for (std::uint64_t left = world.random.below(8); left > 0; --left) {
            for (std::uint64_t reads = world.random.below(1'000); reads > 0; --reads) {
                world.read();
            }
            ASSERT_NO_FATAL_FAILURE(world.expect_same());
            if (world.random.below(3) == 0) {
                world.forget();
                ASSERT_NO_FATAL_FAILURE(world.expect_same());
            }
            if (world.random.below(3) == 0) {
                Posting moved{std::move(world.posting)};
                world.posting = std::move(moved);
            }
            world.ids_end += static_cast<ReaderId>(world.random.below(1'000));
        }
    }
}

TEST(Posting, takes_little_memory_a_reader) {
    Random random{1};
    const auto bytes_a_reader = [&](std::size_t readers) {
        std::size_t bytes = 0;
        for (int url = 0; url < 100; ++url) {
            Posting posting;
            for (std::size_t at = 0; at < readers; ++at) {
                posting.add({static_cast<ReaderId>(random.below(1'000'000)), 0}, 1'000'000);
            }
            bytes += sizeof(posting) + posting.heap_bytes();
        }
        return static_cast<double>(bytes) / 100 / static_cast<double>(readers);
    };
    EXPECT_LE(sizeof(Posting), 16);
    EXPECT_LE(bytes_a_reader(2), 8);
    EXPECT_LE(bytes_a_reader(10), 11);
    EXPECT_LE(bytes_a_reader(42), 9);
    EXPECT_LE(bytes_a_reader(10'000), 8.1);
    EXPECT_LE(bytes_a_reader(100'000), 9.5);
}

}  // namespace
}  // namespace footfall::reading
