#include "foundation/memory_cost.h"
#include "foundation/random.h"
#include "rankings/kept_name.h"
#include "rankings/slot_index.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace footfall::rankings {
namespace {

TEST(KeptName, holds_names_of_any_length_one_after_the_other) {
    KeptName name;
    EXPECT_EQ(name.view(), "");
    EXPECT_EQ(name.bytes(), 0U);
    Random random{1};
    for (int round = 0; round < 2000; ++round) {
        const std::string text(random.below(1025), static_cast<char>('a' + round % 26));
        name.assign(text);
        ASSERT_EQ(name.view(), text);
        ASSERT_EQ(name.bytes(), allocated_bytes(text.size()));
    }
    name.clear();
    EXPECT_EQ(name.view(), "");
}

/// Few different tags, so that places collide.
TEST(SlotIndex, finds_what_was_put_in_and_not_taken_out) {
    Random random{2};
    SlotIndex index;
    std::map<std::uint16_t, std::uint64_t> hash_of;
    for (int step = 0; step < 50'000; ++step) {
        const auto slot = static_cast<std::uint16_t>(random.below(300));
        const auto is_slot = [&](std::uint16_t at) { return at == slot; };
        const auto found = hash_of.find(slot);
        if (found == hash_of.end()) {
            const std::uint64_t hash = random.below(40) * 100;
            EXPECT_EQ(index.find(hash, is_slot), SlotIndex::none);
            index.insert(hash, slot);
            hash_of[slot] = hash;
        } else {
            ASSERT_EQ(index.find(found->second, is_slot), slot);
            if (random.below(2) == 0) {
                index.erase(found->second, slot);
                hash_of.erase(found);
            }
        }
        ASSERT_EQ(index.size(), hash_of.size());
    }
    for (const auto& [slot, hash] : hash_of) {
        EXPECT_EQ(index.find(hash, [&](std::uint16_t at) { return at == slot; }), slot);
    }
}

TEST(SlotIndex, holds_as_many_as_there_can_be) {
    SlotIndex index;
    for (std::size_t slot = 0; slot < SlotIndex::slots_most; ++slot) {
        index.insert(Random{slot}(), static_cast<std::uint16_t>(slot));
    }
    for (std::size_t slot = 0; slot < SlotIndex::slots_most; ++slot) {
        const auto found = index.find(Random{slot}(), [&](std::uint16_t at) { return at == slot; });
        ASSERT_EQ(found, slot);
    }
    EXPECT_LE(index.bytes(), (std::size_t{1} << 18) + 16);
}

}  // namespace
}  // namespace footfall::rankings
