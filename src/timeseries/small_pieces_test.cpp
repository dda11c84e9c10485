#include "timeseries/small_pieces.h"

#include "foundation/random.h"
#include "foundation_testing/rounds.h"
#include "foundation_testing/test_seed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <utility>
#include <vector>

namespace footfall::timeseries {
namespace {

/// A piece with its size, all of it of one byte.
struct Held {
    SmallPieces::Ref piece = 0;
    std::size_t bytes = 0;
    unsigned char content = 0;

    bool is_whole(const SmallPieces& pieces) const {
        const auto* const at = static_cast<const unsigned char*>(pieces.at(piece));
        return std::all_of(at, at + bytes, [this](unsigned char byte) { return byte == content; });
    }
};

TEST(SmallPieces, are_each_their_own_while_others_come_and_go) {
    Random random{test_seed()};
    SCOPED_TRACE(test_seed());
    SmallPieces pieces;
    std::vector<Held> held;
    for (std::uint64_t round = 0; round < rounds(20'000); ++round) {
        if (!held.empty() && random.below(5) < 2) {
            std::swap(held[random.below(held.size())], held.back());
            ASSERT_TRUE(held.back().is_whole(pieces));
            pieces.give_back(held.back().piece, held.back().bytes);
            held.pop_back();
            continue;
        }
        Held next{
            .bytes = 1 + random.below(random.below(4) == 0 ? SmallPieces::bytes_max : 60),
            .content = static_cast<unsigned char>(random())
        };
        next.piece = pieces.take(next.bytes);
        ASSERT_EQ(reinterpret_cast<std::uintptr_t>(pieces.at(next.piece)) % SmallPieces::unit, 0);
        std::memset(pieces.at(next.piece), next.content, next.bytes);
        held.push_back(next);
    }
    for (const Held& each : held) {
        ASSERT_TRUE(each.is_whole(pieces));
    }
}

TEST(SmallPieces, what_is_given_back_is_taken_again) {
    SmallPieces pieces;
    std::set<SmallPieces::Ref> first;
    for (int at = 0; at < 1000; ++at) {
        first.insert(pieces.take(100));
    }
    for (const SmallPieces::Ref piece : first) {
        pieces.give_back(piece, 100);
    }
    std::set<SmallPieces::Ref> again;
    for (int at = 0; at < 1000; ++at) {
        again.insert(pieces.take(97));
    }
    EXPECT_EQ(again, first);
    EXPECT_FALSE(first.contains(pieces.take(100)));
}

}  // namespace
}  // namespace footfall::timeseries
