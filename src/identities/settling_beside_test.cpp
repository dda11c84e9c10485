#include "foundation/testing/test_seed.h"
#include "foundation_testing/rounds.h"
#include "identities/fact_rows.h"
#include "identities/settling.h"
#include "identities/test_history.h"
#include "identities/test_meeting.h"
#include "identities/test_rows.h"
#include "identities/test_telling.h"
#include "storage/memory_store.h"
#include "storage/testing/faulty_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace footfall::identities {
namespace {

/// As a lane does that has the store to itself. False: it is to be written and settled.
bool settle_at_once(const Settling& settling, const std::string& writer, const Fact& fact) {
    if (decides_sharing(fact)) {
        return false;
    }
    std::vector<ToldFact> told{{.writer = writer, .fact = fact}};
    EXPECT_TRUE(merge_with_rows(settling.store(), told));
    storage::Batch rows;
    add_rows(told.front(), rows);
    const auto settled = settling.settle_with(ids_of(fact), {&told.front().fact, 1}, rows, writer);
    EXPECT_TRUE(settled) << settled.error().message;
    return settled.value_or(true);
}

/// One of a lane and of who settles what was noted is held after so many answers of the store,
/// while the other one does all of its work, in the one process that has the store. False: the one
/// was done before.
bool meet_alone(std::uint64_t seed, bool holds_lane, bool at_once, int answers) {
    History history{seed};
    const ManualClock clock{at_second(1'790'000'000)};
    storage::MemoryStore disk{all_tables, clock};
    storage::FaultyStore store{disk, 1};
    const Settling settling{
        store, {.secret = rows_secret, .guards = history.guards(), .shared = false}
    };
    for (int step = 0; step < 6; ++step) {
        const Fact said = history.step();
        write_fact(disk, "before", said);
        EXPECT_TRUE(settle_fact(settling, "before", said));
    }
    const Fact noted = history.step();
    const Fact of_lane = history.step();
    // What the other one settles is said while the one is held, which may not have read it.
    if (!holds_lane || !at_once) {
        write_fact(disk, "held", holds_lane ? of_lane : noted);
    }
    const auto tell_lane = [&]() -> Result<void> {
        if (at_once && settle_at_once(settling, "lane", of_lane)) {
            return {};
        }
        write_fact(disk, "lane", of_lane);
        return settle_fact(settling, "lane", of_lane);
    };
    const auto settle_later = [&]() -> Result<void> {
        const auto reason = decides_sharing(noted) ? LaterReason::decided : LaterReason::said;
        TRY(const auto left, settling.settle_noted(ids_of(noted), reason, {}));
        EXPECT_TRUE(left.again.empty() && left.too_large.empty());
        return {};
    };
    const std::function<Result<void>()> slow = holds_lane ? std::function{tell_lane} : settle_later;
    const std::function<Result<void>()> quick =
        holds_lane ? std::function{settle_later} : tell_lane;
    // Only reads: a write that is held holds up all that come behind it in the store.
    const bool in_between = meet_after(
        store,
        answers,
        slow,
        [&] {
            if (holds_lane || !at_once) {
                write_fact(disk, "other", holds_lane ? noted : of_lane);
            }
            EXPECT_TRUE(quick());
        },
        {.writes = false}
    );
    expect_rows_follow(disk, history.facts(), history.guards());
    return in_between;
}

TEST(SettlingBeside, a_lane_that_has_the_store_to_itself_meets_who_settles_later_anywhere) {
    const std::uint64_t seed = test_seed();
    const std::uint64_t all = rounds(100);
    for (std::uint64_t round = 0; round < all; ++round) {
        SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed + round));
        for (const unsigned way : {0U, 1U, 2U, 3U}) {
            const bool holds_lane = (way & 1U) != 0;
            const bool at_once = (way & 2U) != 0;
            for (int answers = 0; meet_alone(seed + round, holds_lane, at_once, answers);
                 ++answers) {
                if (testing::Test::HasFailure()) {
                    FAIL() << "after " << answers << " answers, way " << way;
                }
                ASSERT_LT(answers, 1000);
            }
        }
    }
}

}  // namespace
}  // namespace footfall::identities
