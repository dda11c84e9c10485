#pragma once

#include "foundation/clock.h"
#include "identities/identities.h"
#include "identities/index_doubling.h"
#include "identities/row_check.h"
#include "identities/schema.h"
#include "identities/test_facts.h"
#include "identities/test_meeting.h"
#include "identities/test_rows.h"
#include "identities/test_telling.h"
#include "storage/memory_store.h"
#include "storage/testing/faulty_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace footfall::identities {

// A network that doubles the partitions of its index while others settle. For tests.

inline constexpr const char* doubled_network = "app";
inline constexpr std::uint32_t lane_of_doubled = 5;

inline IndexStep step_of(storage::Store& store, const std::string& network = doubled_network) {
    const auto levels = IndexLevels{store}.newest();
    EXPECT_TRUE(levels);
    return levels ? (*levels)->of(network) : IndexStep{};
}

/// What is stored, and what was said of it.
struct DoubledWorld {
    explicit DoubledWorld(int people = 12) {
        for (int person = 0; person < people; ++person) {
            say(link(
                person, {fmt::format("app:a{}", person), fmt::format("mail:m{}", person)}, "before"
            ));
        }
    }

    std::unique_ptr<Identities> open(storage::Store& store, std::uint64_t log) const {
        return std::make_unique<Identities>(
            store, clock, Identities::Options{.secret = rows_secret, .log = log, .shared = shared}
        );
    }

    /// Says it to `identities`, which writes and settles it.
    Result<void> say(Identities& identities, const Fact& fact) {
        facts.push_back(fact);
        tell(identities, lane_of_doubled, next_offset++, fact);
        return identities.flush(true);
    }

    void say(const Fact& fact) {
        const auto identities = open(disk, 1);
        const Result<void> said = say(*identities, fact);
        ASSERT_TRUE(said) << said.error().message;
    }

    static IndexDoubling doubling_of(Identities& identities, bool shared = true) {
        return IndexDoubling{identities, {.partition_bytes = 1 << 20, .shared = shared}};
    }

    /// Goes on until the network has come so far; the time passes that it waits.
    Result<void> double_until(IndexDoubling& doubling, IndexStep step, storage::Store& store) {
        constexpr int turns_max = 10'000;
        for (int turn = 0; turn < turns_max; ++turn) {
            if (step_of(store) >= step) {
                return {};
            }
            TRY(const auto pause, doubling.go_on({}));
            clock.advance(pause);
        }
        return fail(ErrorKind::unavailable, "it does not end");
    }

    void double_until(IndexStep step) {
        const auto identities = open(disk, 2);
        IndexDoubling doubling = doubling_of(*identities, shared);
        const Result<void> done = double_until(doubling, step, disk);
        ASSERT_TRUE(done) << done.error().message;
    }

    /// Has somebody have begun to double, as who measures does.
    void begin(int level = least_index_level + 1) {
        ASSERT_TRUE(
            IndexLevels{disk}.raise(doubled_network, {.level = level, .phase = IndexPhase::copying})
        );
    }

    /// All ids stand where who knows the newest looks, as the facts have it; and nothing that a
    /// doubling does not explain.
    void expect_all_right() {
        ASSERT_NO_FATAL_FAILURE(expect_rows_follow(disk, facts));
        RowCheck check{disk, {.secret = rows_secret}};
        ASSERT_TRUE(check.run([] { return Result<void>{}; }));
        ASSERT_TRUE(check.differences().empty()) << check.differences().front();
    }

    /// Each id is found by who knows what `identities` does.
    void expect_found(const Identities& identities) const {
        std::set<Id> ids;
        for (const Fact& each : facts) {
            ids.insert(each.ids.begin(), each.ids.end());
        }
        const std::vector<Id> all{ids.begin(), ids.end()};
        const auto found = read_index(identities.settling().levels(), all);
        ASSERT_TRUE(found);
        ASSERT_EQ(found->size(), all.size());
        const Index wanted = rows_that_follow(facts, {}).index;
        for (const auto& [id, entry] : *found) {
            ASSERT_EQ(entry.sid, wanted.at(id).sid) << object_of(id);
        }
    }

    bool shared = true;
    ManualClock clock{at_second(1'790'000'000)};
    storage::MemoryStore disk{all_tables, clock};
    std::vector<Fact> facts;
    std::uint64_t next_offset = 0;
};

/// Brings a world to a step.
inline void bring_to(DoubledWorld& world, IndexStep step) {
    if (step == IndexStep{}) {
        return;
    }
    world.begin();
    world.double_until(step);
}

}  // namespace footfall::identities
