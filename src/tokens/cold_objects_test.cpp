#include "tokens/cold_objects.h"

#include "foundation/random.h"
#include "foundation/siphash.h"
#include "storage_testing/random_rows.h"
#include "tokens/test_tokens.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace footfall::tokens {
namespace {

std::uint64_t hash_of(std::uint16_t counter, std::string_view name) {
    return siphash13({.k0 = counter, .k1 = 2}, name);
}

Tokens shortened(const Tokens& tokens) {
    Tokens shortened;
    for (const auto& [hash, expiry] : tokens) {
        shortened.emplace(CountedObject::short_hash(hash), expiry);
    }
    return shortened;
}

Tokens some_tokens(std::size_t count, bool expiring, Random& random) {
    Tokens tokens;
    while (shortened(tokens).size() < count) {
        const std::int64_t expiry =
            expiring ? now + 1 + static_cast<std::int64_t>(random.below(1'000'000)) : never;
        tokens.emplace(random(), expiry);
        if (shortened(tokens).size() < tokens.size()) {
            tokens.clear();
        }
    }
    return tokens;
}

CountedObject known_state_of(const Tokens& tokens) {
    CountedObject state = state_of(tokens);
    state.directory = {.expiry = never, .size_class = 3, .confirmed = true};
    state.last_position = 77;
    return state;
}

/// What is there is what the accounts of gaps and of the pool say.
void check_accounts(const ColdObjects& cold, const ChunkPool& pool) {
    const runtime::AccountAudit gaps = cold.audit_gaps();
    ASSERT_EQ(gaps.booked, gaps.counted);
    ASSERT_EQ(cold.chunks(), pool.taken());
}

bool put(ColdObjects& cold, std::string_view name, const CountedObject& state) {
    return cold.put(hash_of(1, name), 1, name, state);
}

std::optional<CountedObject> take(ColdObjects& cold, std::string_view name) {
    return cold.take(hash_of(1, name), 1, name);
}

/// Takes out an object that has to be there.
CountedObject must_take(ColdObjects& cold, std::string_view name) {
    std::optional<CountedObject> taken = take(cold, name);
    EXPECT_TRUE(taken.has_value()) << name;
    return std::move(taken).value_or(CountedObject{});
}

TEST(ColdObjects, answers_what_it_was_given_with_short_hashes) {
    Random random{1};
    ChunkPool pool;
    ColdObjects cold;
    cold.use(pool);
    for (const bool expiring : {false, true}) {
        for (std::size_t count = 0; count <= short_hashes_max; ++count) {
            SCOPED_TRACE(fmt::format("{} tokens, expiring: {}", count, expiring));
            const Tokens tokens = some_tokens(count, expiring, random);
            CountedObject given = known_state_of(tokens);
            given.directory = {
                .expiry = expiring ? now + 5 : never,
                .size_class = static_cast<std::int8_t>(count % 13),
                .confirmed = count % 2 == 0
            };
            ASSERT_TRUE(put(cold, "an object", given));
            EXPECT_EQ(cold.size(), 1U);
            const CountedObject taken = must_take(cold, "an object");
            EXPECT_TRUE(taken.short_hashes);
            EXPECT_EQ(tokens_of(taken), shortened(tokens));
            EXPECT_EQ(taken.directory, given.directory);
            EXPECT_EQ(taken.last_position, 0U);
            EXPECT_FALSE(take(cold, "an object")) << "it was taken out";
            ASSERT_TRUE(put(cold, "an object", taken)) << "short ones come back as well";
            EXPECT_EQ(tokens_of(must_take(cold, "an object")), shortened(tokens));
        }
    }
}

TEST(ColdObjects, refuses_what_would_not_be_told_apart) {
    Random random{2};
    ChunkPool pool;
    ColdObjects cold;
    cold.use(pool);
    EXPECT_FALSE(put(cold, "many", known_state_of(some_tokens(short_hashes_max + 1, false, random)))
    );
    const std::uint64_t hash = random();
    EXPECT_FALSE(put(cold, "alike", known_state_of({{hash, never}, {hash ^ 2, never}})));
    CountedObject rare = known_state_of(some_tokens(1, false, random));
    rare.rare_state().known_spans = {1};
    EXPECT_FALSE(put(cold, "rare", rare));
    CountedObject nowhere = known_state_of(some_tokens(1, false, random));
    nowhere.directory.size_class = -1;
    EXPECT_FALSE(put(cold, "nowhere", nowhere));
    EXPECT_EQ(cold.size(), 0U);
}

TEST(ChunkPool, gives_out_again_what_came_back) {
    ChunkPool pool;
    std::set<unsigned char*> first;
    for (int chunk = 0; chunk < 2000; ++chunk) {
        first.insert(pool.take());
    }
    EXPECT_EQ(first.size(), 2000U);
    for (unsigned char* const chunk : first) {
        std::memset(chunk, 0xff, ChunkPool::chunk_bytes);
        pool.give_back(chunk);
    }
    for (int chunk = 0; chunk < 2000; ++chunk) {
        EXPECT_EQ(first.erase(pool.take()), 1U);
    }
}

TEST(ColdObjects, tells_counters_and_names_apart) {
    ChunkPool pool;
    ColdObjects cold;
    cold.use(pool);
    const std::uint64_t hash = hash_of(1, "a");
    ASSERT_TRUE(cold.put(hash, 1, "a", known_state_of({{5, never}})));
    EXPECT_FALSE(cold.take(hash, 2, "a"));
    EXPECT_FALSE(cold.take(hash, 1, "b"));
    ASSERT_TRUE(cold.put(hash, 1, "b", known_state_of({{6, never}})));
    EXPECT_EQ(cold.size(), 1U) << "of two with one hash the later stays";
    EXPECT_FALSE(cold.take(hash, 1, "a"));
    EXPECT_TRUE(cold.take(hash, 1, "b"));
}

TEST(ColdObjects, an_object_of_three_tokens_takes_45_bytes) {
    Random random{3};
    ChunkPool pool;
    ColdObjects cold;
    cold.use(pool);
    constexpr int objects = 100'000;
    for (int object = 0; object < objects; ++object) {
        const Tokens tokens = some_tokens(3, false, random);
        ASSERT_TRUE(put(cold, fmt::format("object-{:07}", object), known_state_of(tokens)));
    }
    const double each = static_cast<double>(cold.bytes()) / static_cast<double>(cold.size());
    fmt::print("{:.1f} bytes a cold object of three tokens\n", each);
    EXPECT_LE(each, 48);
}

TEST(ColdObjects, the_oldest_go_first) {
    Random random{4};
    ChunkPool pool;
    ColdObjects cold;
    cold.use(pool);
    constexpr int objects = 1000;
    const auto name = [](int object) { return fmt::format("object {}", object); };
    for (int object = 0; object < objects; ++object) {
        ASSERT_TRUE(put(cold, name(object), known_state_of(some_tokens(2, false, random))));
    }
    ASSERT_TRUE(put(cold, name(0), must_take(cold, name(0)))) << "the youngest now";
    while (cold.size() > objects / 2) {
        cold.clean(1, hash_of);
        ASSERT_NO_FATAL_FAILURE(check_accounts(cold, pool));
    }
    EXPECT_TRUE(take(cold, name(0)));
    EXPECT_FALSE(take(cold, name(1)));
    EXPECT_FALSE(take(cold, name(objects / 2 - 1)));
    EXPECT_TRUE(take(cold, name(objects / 2 + 1)));
    EXPECT_TRUE(take(cold, name(objects - 1)));
}

TEST(ColdObjects, cleaning_gives_the_room_of_gaps_back_before_it_lets_anything_go) {
    Random random{5};
    ChunkPool pool;
    ColdObjects cold;
    cold.use(pool);
    constexpr int objects = 10'000;
    const auto name = [](int object) { return fmt::format("object {}", object); };
    for (int object = 0; object < objects; ++object) {
        ASSERT_TRUE(put(cold, name(object), known_state_of(some_tokens(3, false, random))));
    }
    const std::size_t full = cold.bytes();
    for (int object = 0; object < objects; ++object) {
        if (object % 4 != 0) {
            ASSERT_TRUE(take(cold, name(object)));
        }
    }
    while (cold.bytes() > full * 7 / 10) {
        cold.clean(1, hash_of);
        ASSERT_EQ(cold.size(), objects / 4U);
        ASSERT_NO_FATAL_FAILURE(check_accounts(cold, pool));
    }
    for (int object = 0; object < objects; object += 4) {
        ASSERT_TRUE(take(cold, name(object)));
    }
}

TEST(ColdObjects, agrees_with_a_map_whatever_is_done) {
    const std::uint64_t seed = storage::test_seed();
    SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed));
    Random random{seed};
    ChunkPool pool;
    ColdObjects cold;
    cold.use(pool);
    std::map<std::string, Tokens> known;  // may be there; what is there must be as it says
    std::size_t found = 0;
    for (int step = 0; step < 100'000; ++step) {
        const std::uint64_t object = random.below(3000);
        std::string name = fmt::format("{}", object);
        name.resize(object % 50 == 0 ? 1024 : name.size() + object % 200, 'x');
        if (std::optional<CountedObject> taken = take(cold, name)) {
            ++found;
            ASSERT_TRUE(known.contains(name));
            ASSERT_EQ(tokens_of(*taken), shortened(known[name]));
        }
        const Tokens tokens = some_tokens(random.below(8), random.below(2) == 0, random);
        ASSERT_TRUE(put(cold, name, known_state_of(tokens)));
        known[name] = tokens;
        if (cold.bytes() > 200'000) {
            cold.clean(8, hash_of);
        }
        ASSERT_LE(cold.bytes(), 220'000U);
        if (random.below(20'000) == 0) {
            cold.clear();
            ASSERT_EQ(cold.size(), 0U);
        }
        ASSERT_NO_FATAL_FAILURE(check_accounts(cold, pool));
    }
    EXPECT_GT(found, 10'000U);
}

}  // namespace
}  // namespace footfall::tokens
