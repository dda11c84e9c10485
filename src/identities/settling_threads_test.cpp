#include "foundation/random.h"
#include "foundation/testing/test_seed.h"
#include "foundation_testing/rounds.h"
#include "identities/identities.h"
#include "identities/settling.h"
#include "identities/test_history.h"
#include "identities/test_meeting.h"
#include "identities/test_rows.h"
#include "identities/test_telling.h"
#include "storage/memory_store.h"
#include "storage/testing/faulty_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace footfall::identities {
namespace {

/// What was said before, is settled, and what two say at once, of the same people.
struct Meeting {
    std::vector<Fact> before;
    Fact slow;
    Fact quick;
    Guards guards = {};
};

void write_and_settle(const Settling& settling, const std::string& writer, const Fact& fact) {
    ASSERT_NO_FATAL_FAILURE(write_fact(settling.store(), writer, fact));
    const auto settled = settle_fact(settling, writer, fact);
    ASSERT_TRUE(settled) << settled.error().message;
}

/// One settles slowly; after so many answers of the store somebody else settles, all at once.
/// False: the slow one was done before.
bool meet(const Meeting& meeting, int answers) {
    const ManualClock clock{at_second(1'790'000'000)};
    storage::MemoryStore disk{all_tables, clock};
    storage::FaultyStore store{disk, 1};
    const Settling::Options options{.secret = rows_secret, .guards = meeting.guards};
    const Settling slow{store, options};
    const Settling quick{disk, options};
    for (const Fact& fact : meeting.before) {
        write_and_settle(quick, "before", fact);
    }
    write_fact(disk, "slow", meeting.slow);
    const bool in_between = meet_after(
        store,
        answers,
        [&] { return settle_fact(slow, "slow", meeting.slow); },
        [&] { write_and_settle(quick, "quick", meeting.quick); }
    );
    std::map<FactId, Fact> facts;
    const auto say = [&](const Fact& fact) {
        const auto [known, is_new] = facts.try_emplace(fact.id, fact);
        if (!is_new) {
            merge(known->second, fact);
        }
    };
    std::ranges::for_each(meeting.before, say);
    say(meeting.slow);
    say(meeting.quick);
    std::vector<Fact> all;
    all.reserve(facts.size());
    for (const auto& [id, fact] : facts) {
        all.push_back(fact);
    }
    expect_rows_follow(disk, all, meeting.guards);
    return in_between;
}

void meet_anywhere(const Meeting& meeting) {
    for (int answers = 0; meet(meeting, answers); ++answers) {
        if (testing::Test::HasFailure()) {
            FAIL() << "after " << answers << " answers";
        }
        ASSERT_LT(answers, 1000);
    }
}

TEST(SettlingThreads, a_profile_that_goes_while_its_rows_are_written_leaves_none) {
    // The slow one only has something to change in the rows of a profile, not in the index.
    meet_anywhere(
        {.before = {link(1, {"app:a", "app:b"}), link(5, {"mail:c", "mail:d"})},
         .slow = link(3, {"mail:c", "mail:d"}),
         .quick = link(6, {"app:a", "mail:c"})}
    );
}

TEST(SettlingThreads, an_id_that_becomes_shared_while_its_rows_are_written_keeps_its_own) {
    meet_anywhere(
        {.before = {link(1, {"kiosk:k"}), link(2, {"app:a", "kiosk:k"})},
         .slow = link(0, {"app:a"}),
         .quick = link(3, {"app:b", "kiosk:k"}),
         .guards = {.shared_above = 1}}
    );
}

TEST(SettlingThreads, somebody_else_may_settle_at_any_moment) {
    const std::uint64_t seed = test_seed();
    const std::uint64_t all = rounds(100);
    for (std::uint64_t round = 0; round < all; ++round) {
        SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed + round));
        History history{seed + round, /*has_data=*/true};
        Meeting meeting{.before = {}, .slow = {.ids = {}}, .quick = {.ids = {}}};
        for (int step = 0; step < 6; ++step) {
            meeting.before.push_back(history.step());
        }
        meeting.slow = history.step();
        meeting.quick = history.step();
        meeting.guards = history.guards();
        ASSERT_NO_FATAL_FAILURE(meet_anywhere(meeting));
    }
}

constexpr std::size_t threads_count = 8;
constexpr std::size_t facts_count = 300;
constexpr std::size_t people_count = 25;

/// Facts of people with some ids each, of which a few are mixed up with others'.
std::vector<Fact> facts_of_people(Random& random) {
    std::vector<Fact> facts;
    const auto some_id = [&](std::uint64_t person) {
        const bool mixed_up = random.below(30) == 0;
        return fmt::format(
            "{}:{}-{}",
            networks[random.below(networks.size())],
            mixed_up ? random.below(people_count) : person,
            random.below(3)
        );
    };
    while (facts.size() < facts_count) {
        const std::uint64_t person = random.below(people_count);
        const auto time = static_cast<std::int64_t>(random.below(50));
        const std::vector<std::string> ids{some_id(person), some_id(person)};
        const std::uint64_t kind = facts.empty() ? 0 : random.below(11);
        constexpr std::array kinds{FactKind::accept, FactKind::reject, FactKind::revoke};
        if (kind < 7) {
            facts.push_back(link(time, ids));
        } else if (kind < 8) {
            facts.push_back(parting(time, {ids[0]}, {ids[1]}));
        } else if (kind < 9) {
            facts.push_back(lift(time, ids[0]));
        } else {
            const Fact& about = facts[random.below(facts.size())];
            facts.push_back(decision(kinds[random.below(kinds.size())], time, about));
        }
    }
    return facts;
}

/// Tells the log of one thread in an order of its own, writing now and then.
void tell_in_some_order(Identities& identities, std::vector<Fact> log, std::uint64_t seed) {
    Random random{seed};
    std::ranges::shuffle(log, random);
    for (std::uint64_t offset = 0; offset < log.size(); ++offset) {
        tell(identities, identities.lane_of(log[offset].ids), offset, log[offset]);
        if (random.below(4) == 0) {
            const Result<void> written = identities.flush(true);
            ASSERT_TRUE(written) << written.error().message;
        }
    }
    ASSERT_TRUE(identities.flush(true));
}

void tell_by_many(std::uint64_t seed) {
    Random random{seed};
    const std::vector<Fact> said = facts_of_people(random);
    const Guards guards{
        .profile_ids = 8, .shared_above = 7, .identifiers = {{"mail", {.per_profile = 2}}}
    };
    std::vector<std::vector<Fact>> logs(threads_count);
    std::map<FactId, Fact> facts;
    for (const Fact& fact : said) {
        logs[random.below(threads_count)].push_back(fact);
        if (random.below(4) == 0) {
            logs[random.below(threads_count)].push_back(fact);
        }
        const auto [known, is_new] = facts.try_emplace(fact.id, fact);
        if (!is_new) {
            merge(known->second, fact);
        }
    }
    const ManualClock clock{at_second(1'790'000'000)};
    storage::MemoryStore store{all_tables, clock};
    {
        std::vector<std::jthread> threads;
        threads.reserve(threads_count);
        for (std::size_t number = 0; number < threads_count; ++number) {
            threads.emplace_back([&, number, own_seed = random()] {
                Identities identities{
                    store, clock, {.secret = rows_secret, .log = number + 1, .guards = guards}
                };
                tell_in_some_order(identities, logs[number], own_seed);
            });
        }
    }
    std::vector<Fact> all;
    all.reserve(facts.size());
    for (const auto& [id, fact] : facts) {
        all.push_back(fact);
    }
    ASSERT_NO_FATAL_FAILURE(expect_rows_follow(store, all, guards));
    std::set<std::string> sids;
    for_each_row(store, sid_anchor_table, [&](const storage::Rows& rows, std::size_t row) {
        sids.insert(read_sid(text_at(rows, row, 0)));
    });
    ASSERT_NO_FATAL_FAILURE(expect_sids_lead_on(store, sids));
}

TEST(SettlingThreads, many_at_once_leave_what_follows_from_all_they_said) {
    const std::uint64_t seed = test_seed();
    const std::uint64_t all = rounds(50);
    for (std::uint64_t round = 0; round < all; ++round) {
        SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed + round));
        ASSERT_NO_FATAL_FAILURE(tell_by_many(seed + round));
    }
}

}  // namespace
}  // namespace footfall::identities
