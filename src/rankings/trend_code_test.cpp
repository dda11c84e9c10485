#include "foundation/crc32c.h"
#include "foundation/varint.h"
#include "rankings/test_trends.h"
#include "rankings/trending.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace footfall::rankings {
namespace {

std::string with_checksum(std::string bytes) {
    const std::uint32_t checksum = crc32c(bytes);
    for (unsigned at = 0; at < 4; ++at) {
        bytes.push_back(static_cast<char>(checksum >> (8 * at)));
    }
    return bytes;
}

TrendCandidates crowded(Random& random, const TrendSettings& settings) {
    TrendCandidates candidates{settings};
    for (const Event& event : random_events(random, 3000, 400, 3 * 24h)) {
        add(candidates, event);
    }
    return candidates;
}

TEST(TrendCode, gives_back_the_state_which_goes_on_as_it_would_have) {
    Random random{1};
    for (int round = 0; round < 20; ++round) {
        const TrendSettings settings{.counters = 60, .names_bytes = 8 << 10};
        TrendCandidates went_on = crowded(random, settings);
        const std::string bytes = went_on.encode();
        Result<TrendCandidates> restored = TrendCandidates::decode(bytes, settings);
        ASSERT_TRUE(restored);
        EXPECT_EQ(restored->encode(), bytes);
        EXPECT_EQ(restored->bytes(), restored->recount());
        for (Event event : random_events(random, 3000, 400, 24h)) {
            event.time += 24h;
            add(went_on, event);
            add(*restored, event);
        }
        ASSERT_EQ(restored->encode(), went_on.encode()) << round;
    }
}

TEST(TrendCode, of_nothing_is_something) {
    const std::string bytes = TrendCandidates{}.encode();
    const auto restored = TrendCandidates::decode(bytes, {});
    ASSERT_TRUE(restored);
    EXPECT_EQ(restored->size(), 0U);
    EXPECT_EQ(restored->encode(), bytes);
}

/// The example of docs/formats/trending.md.
TEST(TrendCode, is_as_documented) {
    TrendCandidates candidates;
    candidates.add(0x0123456789abcdef, "/a", noon, 2);
    candidates.add(0x0123456789abcdef, "/a", noon - 1h);
    std::string text;
    for (const char byte : candidates.encode()) {
        text += fmt::format("{}{:02x}", text.empty() ? "" : " ", static_cast<unsigned char>(byte));
    }
    EXPECT_EQ(
        text,
        "01 80 c8 ce b4 0d 98 cc 3a 80 c0 dd ee c1 02 c0 b8 02 01 80 80 80 80 28 80 80 e0 9d 43 00 "
        "01 "
        "ef cd ab 89 67 45 23 01 80 80 80 80 28 80 80 e0 9d 43 00 02 2f 61 a6 0b 82 a0"
    );
}

TEST(TrendCode, says_so_when_a_byte_is_damaged_missing_or_too_many) {
    Random random{2};
    const std::string bytes = crowded(random, {.counters = 20, .names_bytes = 8 << 10}).encode();
    const auto is_corrupt = [](std::string_view damaged) {
        const auto read = TrendCandidates::decode(damaged, {});
        return !read && read.error().kind == ErrorKind::corrupt;
    };
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ (1 << random.below(8)));
        ASSERT_TRUE(is_corrupt(damaged)) << at;
        ASSERT_TRUE(is_corrupt(std::string_view{bytes}.substr(0, at))) << at;
    }
    EXPECT_TRUE(is_corrupt(bytes + '\0'));
    EXPECT_TRUE(is_corrupt(with_checksum(bytes.substr(0, bytes.size() - 4) + '\0')));
}

/// Whoever can write the checksum, too.
TEST(TrendCode, survives_hostile_bytes) {
    Random random{3};
    const TrendSettings settings{.counters = 20, .names_bytes = 8 << 10};
    std::string bytes = crowded(random, settings).encode();
    bytes.resize(bytes.size() - 4);
    std::size_t read_some = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::string damaged = bytes;
        for (std::uint64_t left = 1 + random.below(4); left > 0; --left) {
            damaged[random.below(damaged.size())] = static_cast<char>(random());
        }
        damaged.resize(random.below(4) == 0 ? random.below(damaged.size()) : damaged.size());
        auto read = TrendCandidates::decode(with_checksum(damaged), settings);
        if (read) {
            ++read_some;
            EXPECT_EQ(read->bytes(), read->recount());
            add(*read, {.object = "new", .time = noon});
            (void)read->candidates(noon);
        }
    }
    EXPECT_GT(read_some, 0U);
}

TEST(TrendCode, refuses_more_candidates_than_there_can_be) {
    std::string head = TrendCandidates{}.encode();
    head.resize(head.size() - 5);  // the checksum, and the number of candidates
    EXPECT_FALSE(
        TrendCandidates::decode(with_checksum(head + "\xff\xff\xff\xff\xff\xff\xff\xff\x7f"), {})
    ) << "that many do not fit into the bytes";
    const auto with = [&](std::uint64_t count) {
        std::string bytes = head;
        append_varint(count, bytes);
        for (std::uint64_t hash = 1; hash <= count; ++hash) {
            for (unsigned shift = 0; shift < 64; shift += 8) {
                bytes.push_back(static_cast<char>(hash >> shift));
            }
            bytes.append({1, 1, 0, 1, 'a'});
        }
        return TrendCandidates::decode(with_checksum(bytes), {});
    };
    const auto some = with(SlotIndex::slots_most);
    ASSERT_TRUE(some);
    EXPECT_LE(some->size(), 2560U);
    EXPECT_FALSE(with(SlotIndex::slots_most + 1));
}

TEST(TrendCode, does_not_mix_half_lives) {
    const std::string bytes = TrendCandidates{}.encode();
    const auto read = TrendCandidates::decode(bytes, {.fast_half_life = 2h});
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().kind, ErrorKind::conflict);
}

TEST(TrendCode, fits_into_fewer_counters_than_it_had) {
    TrendCandidates candidates;
    for (std::uint64_t object = 1; object <= 100; ++object) {
        candidates.add(
            object, "object " + std::to_string(object), noon, static_cast<double>(object)
        );
    }
    const TrendSettings fewer{.counters = 10, .names_bytes = 8 << 10};
    const auto read = TrendCandidates::decode(candidates.encode(), fewer);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->size(), 10U);
    for (const TrendCandidate& each : read->candidates(noon)) {
        EXPECT_GT(each.slow, 90);
    }
    EXPECT_NEAR(read->totals(noon).slow, 5050, 6);
}

}  // namespace
}  // namespace footfall::rankings
