#include "foundation/testing/test_seed.h"
#include "foundation_testing/rounds.h"
#include "identities/naive_resolution.h"
#include "identities/resolution.h"
#include "identities/test_history.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <vector>

namespace footfall::identities {
namespace {

TEST(ResolutionHistories, are_at_each_step_what_the_rules_say) {
    const std::uint64_t seed = test_seed();
    const std::uint64_t all = rounds(10'000);
    std::map<Objection, std::uint64_t> objections;
    std::uint64_t changed_by_undo = 0;
    for (std::uint64_t round = 0; round < all; ++round) {
        SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed + round));
        History history{seed + round, /*has_data=*/true};
        for (int step = 0; step < 14; ++step) {
            history.step();
            const Resolution found = resolve(history.facts(), history.guards());
            const NaiveResolution naive{history.facts(), history.guards()};
            ASSERT_EQ(found.profiles, naive.found().profiles);
            ASSERT_EQ(found.contested, naive.found().contested);
            ASSERT_EQ(found.shared, naive.found().shared);
        }
        const Resolution found = resolve(history.facts(), history.guards());
        history.shuffle();
        ASSERT_EQ(found, resolve(history.facts(), history.guards()));
        history.part_and_revoke();
        ASSERT_EQ(found, resolve(history.facts(), history.guards()));
        const std::vector<Fact> undone = history.undo();
        const Resolution without = resolve(history.facts(), history.guards());
        ASSERT_EQ(without, NaiveResolution(history.facts(), history.guards()).found());
        changed_by_undo += without == found ? 0 : 1;
        history.revoke(undone);
        ASSERT_EQ(found, resolve(history.facts(), history.guards()));
        for (const Contested& each : found.contested) {
            ++objections[each.objection];
        }
    }
    EXPECT_GT(changed_by_undo, all / 2);
    // Histories in which nobody objects would say nothing.
    for (const Objection each :
         {Objection::per_profile, Objection::profile_ids, Objection::shared, Objection::parting}) {
        EXPECT_GT(objections[each], all / 20) << name_of(each);
    }
}

TEST(ResolutionHistories, are_the_same_while_time_passes) {
    const std::uint64_t seed = test_seed();
    const std::uint64_t all = rounds(5'000);
    std::uint64_t changed_by_time = 0;
    for (std::uint64_t round = 0; round < all; ++round) {
        SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed + round));
        History history{seed + round, /*has_data=*/true, std::chrono::seconds{1}};
        for (int step = 0; step < 14; ++step) {
            history.step();
            const Instant now = at_second(step);
            const Resolution found = resolve(history.facts(), history.guards(), {.now = now});
            ASSERT_EQ(found, NaiveResolution(history.facts(), history.guards(), now).found());
        }
        // What has ended by one time is ended at each later one: nobody said it again.
        Resolution before = resolve(history.facts(), history.guards());
        for (int second = 0; second < 12; ++second) {
            const Instant now = at_second(second);
            const Resolution found = resolve(history.facts(), history.guards(), {.now = now});
            changed_by_time += found == before ? 0 : 1;
            ASSERT_EQ(found.shared, before.shared) << "what has ended counts where it is shared";
            before = found;
        }
    }
    EXPECT_GT(changed_by_time, all) << "histories in which nothing ends would say nothing";
}

}  // namespace
}  // namespace footfall::identities
