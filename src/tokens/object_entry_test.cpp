#include "tokens/object_entry.h"

#include "foundation/random.h"
#include "storage_testing/random_rows.h"
#include "tokens/test_tokens.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace footfall::tokens {
namespace {

Tokens some_tokens(std::size_t count, bool expiring) {
    Random random{count};
    Tokens tokens;
    while (tokens.size() < count) {
        const bool expires = expiring && random.below(4) != 0;
        const auto after = static_cast<std::int64_t>(1 + random.below(1'000'000'000));
        tokens.emplace(random() | 1, expires ? now + after : never);
    }
    return tokens;
}

ObjectEntry::Owner entry_with(CountedObject state, std::string_view name = "/articles/one") {
    ObjectEntry::Owner entry = ObjectEntry::make(7, name);
    ObjectEntry::give_state(entry, std::move(state));
    return entry;
}

TEST(ObjectEntry, begins_busy_and_without_a_state) {
    const std::string longest(1024, 'x');
    const ObjectEntry::Owner entry = ObjectEntry::make(65'535, longest);
    EXPECT_TRUE(entry->busy);
    EXPECT_FALSE(entry->used_again);
    EXPECT_FALSE(entry->loaded());
    EXPECT_FALSE(entry->anyone_waits());
    EXPECT_EQ(entry->counter(), 65'535);
    EXPECT_EQ(entry->name(), longest);
}

TEST(ObjectEntry, gives_back_what_it_was_given_whatever_the_number_of_tokens) {
    for (const bool expiring : {false, true}) {
        for (std::size_t count = 0; count <= 2 * ObjectEntry::packed_tokens_max; ++count) {
            SCOPED_TRACE(fmt::format("{} tokens, expiring: {}", count, expiring));
            const Tokens tokens = some_tokens(count, expiring);
            CountedObject state = state_of(tokens);
            state.last_position = 1'000'000'000'000 + count;
            state.directory = {
                .expiry = expiring ? now + 1 : never,
                .size_class = static_cast<std::int8_t>(count % 14 - 1),
                .confirmed = count % 2 == 0
            };
            state.fresh_until = count % 3 == 0 ? never : now + static_cast<std::int64_t>(count);
            const DirectoryEntry directory = state.directory;
            const std::int64_t fresh_until = state.fresh_until;
            ObjectEntry::Owner entry = entry_with(std::move(state));
            for (int time = 0; time < 2; ++time) {
                ASSERT_TRUE(entry->loaded());
                EXPECT_EQ(entry->last_position(), 1'000'000'000'000 + count);
                EXPECT_EQ(entry->is_stored(), directory.size_class >= 0);
                EXPECT_EQ(entry->name(), "/articles/one");
                EXPECT_EQ(entry->counter(), 7);
                CountedObject taken = entry->take_state();
                EXPECT_EQ(tokens_of(taken), tokens);
                EXPECT_EQ(taken.set.count(now), count);
                EXPECT_EQ(taken.directory, directory);
                EXPECT_EQ(taken.fresh_until, fresh_until);
                EXPECT_EQ(taken.last_position, 1'000'000'000'000 + count);
                ObjectEntry::give_state(entry, std::move(taken));
            }
        }
    }
}

TEST(ObjectEntry, packs_what_is_small_and_only_that) {
    const auto bytes = [](std::size_t count, bool expiring) {
        CountedObject state = state_of(some_tokens(count, expiring));
        state.directory.expiry = state.set.latest_expiry();
        return entry_with(std::move(state), "object-1234567")->bytes();
    };
    EXPECT_EQ(bytes(3, false), 64U);
    EXPECT_LE(bytes(3, true), 96U);
    EXPECT_LE(bytes(32, false), 320U);
    EXPECT_GT(bytes(33, false), 400U);
    CountedObject rare = state_of(some_tokens(3, false));
    rare.rare_state().saturated = true;
    ObjectEntry::Owner entry = entry_with(std::move(rare));
    EXPECT_GT(entry->bytes(), 200U);
    EXPECT_TRUE(entry->take_state().saturated());
}

TEST(ObjectEntry, keeps_its_flags_and_its_state_through_growing_shrinking_and_waiting) {
    const std::uint64_t seed = storage::test_seed();
    SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed));
    Random random{seed};
    Tokens tokens;
    ObjectEntry::Owner entry = entry_with({});
    for (int step = 0; step < 20'000; ++step) {
        entry->busy = random.below(2) == 0;
        entry->used_again = random.below(2) == 0;
        const bool busy = entry->busy;
        const bool used_again = entry->used_again;
        if (random.below(10) == 0) {
            const ObjectEntry* const before = entry.get();
            entry->waiting().emplace_back();
            ASSERT_EQ(entry.get(), before) << "it may not move: others know where it is";
        } else if (entry->anyone_waits() && random.below(3) == 0) {
            entry->waiting().clear();
        }
        CountedObject state = entry->take_state();
        ASSERT_EQ(tokens_of(state), tokens);
        if (random.below(40) == 0) {
            state = {};
            tokens.clear();
        } else {
            const std::uint64_t hash = random() | 1;
            const std::int64_t expiry =
                random.below(2) == 0 ? never : now + 1 + static_cast<std::int64_t>(random.below(9));
            state.set.add(hash, expiry, now, no_limit);
            tokens[hash] = expiry;
        }
        ObjectEntry::give_state(entry, std::move(state));
        ASSERT_EQ(entry->busy, busy);
        ASSERT_EQ(entry->used_again, used_again);
        ASSERT_TRUE(entry->loaded());
    }
}

TEST(ObjectEntry, what_waits_stays_when_the_state_is_dropped) {
    for (const std::size_t count : {std::size_t{3}, std::size_t{100}}) {
        ObjectEntry::Owner entry = entry_with(state_of(some_tokens(count, false)));
        entry->waiting().push_back({.operation = {}, .token = "a", .done = {}});
        entry->drop_state();
        EXPECT_FALSE(entry->loaded());
        ASSERT_TRUE(entry->anyone_waits());
        EXPECT_EQ(entry->waiting().front().token, "a");
    }
    ObjectEntry::Owner packed = entry_with(state_of(some_tokens(3, false)));
    packed->drop_state();
    EXPECT_FALSE(packed->loaded());
    ObjectEntry::give_state(packed, state_of(some_tokens(5, true)));
    EXPECT_EQ(tokens_of(packed->take_state()), some_tokens(5, true));
}

TEST(ObjectEntry, drops_what_has_expired) {
    ObjectEntry::Owner entry = entry_with(state_of({{1, now + 10}, {2, never}}));
    CountedObject state = entry->take_state();
    EXPECT_EQ(state.set.count(now + 10), 1U);
    ObjectEntry::give_state(entry, std::move(state));
    EXPECT_EQ(tokens_of(entry->take_state()), (Tokens{{2, never}}));
    state = entry->take_state();
    EXPECT_EQ(state.set.add(1, now + 20, now + 10, no_limit).added, TokenSet::Added::is_new);
}

}  // namespace
}  // namespace footfall::tokens
