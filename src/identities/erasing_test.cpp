#include "identities/erasing.h"

#include "erasure/schema.h"
#include "foundation/testing/test_seed.h"
#include "foundation_testing/rounds.h"
#include "identities/identities.h"
#include "identities/row_check.h"
#include "identities/settling_anew.h"
#include "identities/test_history.h"
#include "identities/test_rows.h"
#include "identities/test_telling.h"
#include "storage/memory_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace footfall::identities {
namespace {

std::vector<const storage::Table*> erasing_tables() {
    std::vector<const storage::Table*> tables{all_tables.begin(), all_tables.end()};
    tables.insert(tables.end(), erasure::all_tables.begin(), erasure::all_tables.end());
    return tables;
}

/// A store with facts, of whom some are erased.
class ErasingWorld {
public:
    ErasingWorld(const Guards& guards, bool shared) : guards_{guards} {
        auto opened = erasure::Ledger::open(store_, rows_secret);
        EXPECT_TRUE(opened);
        ledger_ = *std::move(opened);
        write_guards(store_, guards);
        identities_ = std::make_unique<Identities>(
            store_,
            clock_,
            Identities::Options{
                .secret = rows_secret,
                .ledger = ledger_.get(),
                .log = 1,
                .shared = shared,
                .guards = guards
            }
        );
        EXPECT_TRUE(identities_->refresh_guards());
        SettlingAnew anew{*identities_, 1};
        EXPECT_EQ(anew.go_on({}), 0);
    }

    void say(const Fact& fact, std::uint32_t lane = 1) {
        tell(*identities_, lane, next_++, fact);
        ASSERT_TRUE(identities_->flush(true));
    }

    void record(const std::vector<Id>& ids) {
        ASSERT_TRUE(ledger_->record(ids, "profile", {}, clock_.now()));
    }

    void erase(const std::vector<Id>& ids) {
        record(ids);
        const auto left = identities_->erase(ids);
        ASSERT_TRUE(left) << left.error().message;
        EXPECT_EQ(*left, 0);
    }

    /// Whether a table has a row that names it.
    bool names(std::string_view text) {
        bool found = false;
        for (const storage::Table* const table : erasing_tables()) {
            for_each_row(store_, *table, [&](const storage::Rows& rows, std::size_t row) {
                for (std::size_t column = 0; column < table->width(); ++column) {
                    const auto cell = rows.at(row, column);
                    found = found || (cell.is_text() && cell.text().contains(text));
                }
            });
        }
        return found;
    }

    /// All that rows say.
    std::vector<Fact> facts() {
        Facts facts;
        for_each_row(store_, identity_fact_table, [&](const storage::Rows& rows, std::size_t row) {
            const auto read = read_fact_row(rows, row);
            ASSERT_TRUE(read);
            const auto [at, is_new] = facts.try_emplace(read->told.fact.id, read->told.fact);
            if (!is_new) {
                merge(at->second, read->told.fact);
            }
        });
        return list_of(facts);
    }

    std::vector<std::string> differences() {
        RowCheck check{store_, {.secret = rows_secret, .ledger = ledger_.get(), .clock = &clock_}};
        EXPECT_TRUE(check.run([] { return Result<void>{}; }));
        return check.differences();
    }

    const Guards guards_;
    ManualClock clock_{at_second(1'790'000'000)};
    storage::MemoryStore store_{erasing_tables(), clock_};
    std::unique_ptr<erasure::Ledger> ledger_;
    std::unique_ptr<Identities> identities_;
    std::uint64_t next_ = 1;
};

TEST(ErasingTest, what_others_said_stays_as_if_the_id_had_never_been) {
    ErasingWorld world{{}, false};
    world.say(link(1, {"web:a", "mail:planted", "app:c"}));
    world.say(link(2, {"mail:planted", "web:d"}));
    EXPECT_TRUE(world.names("planted"));
    world.erase(ids_named({"mail:planted"}));
    EXPECT_FALSE(world.names("planted"));
    expect_rows_follow(world.store_, {link(1, {"web:a", "app:c"}), link(2, {"web:d"})});
    EXPECT_TRUE(world.differences().empty());
}

TEST(ErasingTest, who_is_said_anew_is_somebody_new) {
    ErasingWorld world{{}, false};
    world.say(link(1, {"mail:ann", "web:a"}));
    const std::vector<Id> ids = ids_named({"mail:ann", "web:a"});
    world.erase(ids);
    EXPECT_TRUE(rows_there(world.store_).index.empty());
    EXPECT_TRUE(rows_there(world.store_).profiles.empty());
    world.clock_.advance(std::chrono::seconds{1});
    Fact again = link(1, {"mail:ann", "web:b"});
    again.recorded = world.clock_.now();
    world.say(again);
    const RowsOfProfiles there = rows_there(world.store_);
    ASSERT_EQ(there.profiles.size(), 1);
    EXPECT_EQ(there.profiles.begin()->first, sid_of(rows_secret, id_of("mail:ann"), 1));
    EXPECT_NE(sid_of(rows_secret, id_of("mail:ann"), 1), sid_of(rows_secret, id_of("mail:ann")));
    EXPECT_EQ(*read_anchor(world.store_, sid_of(rows_secret, id_of("mail:ann"))), std::nullopt);
    EXPECT_TRUE(world.differences().empty());
}

TEST(ErasingTest, a_fact_recorded_before_is_dropped_whenever_it_comes) {
    ErasingWorld world{{}, false};
    world.record(ids_named({"mail:planted"}));
    world.say(link(1, {"web:a", "mail:planted", "app:c"}));
    world.say(datum(1, "mail:planted", "city", "\"Oslo\""));
    world.say(parting(2, {"mail:planted"}, {"web:a"}));
    EXPECT_FALSE(world.names("planted"));
    expect_rows_follow(world.store_, {link(1, {"web:a", "app:c"})});
}

TEST(ErasingTest, a_parting_that_stands_under_others_is_found) {
    ErasingWorld world{{}, false};
    world.say(link(1, {"web:a", "mail:planted", "app:c"}));
    world.say(parting(2, {"web:a"}, {"mail:planted", "app:c", "app:d"}));
    world.say(
        decision(FactKind::revoke, 3, parting(2, {"web:a"}, {"mail:planted", "app:c", "app:d"}))
    );
    world.erase(ids_named({"mail:planted"}));
    EXPECT_FALSE(world.names("planted"));
    const Fact left = parting(2, {"web:a"}, {"app:c", "app:d"});
    expect_rows_follow(
        world.store_, {link(1, {"web:a", "app:c"}), left, decision(FactKind::revoke, 3, left)}
    );
    EXPECT_EQ(rows_there(world.store_).profiles.size(), 1) << "the revoke is about what is left";
}

TEST(ErasingTest, a_sweep_finds_what_nobody_named) {
    ErasingWorld world{{}, false};
    world.say(link(1, {"web:a", "mail:planted", "app:c"}));
    world.say(link(2, {"web:x", "app:y"}));
    world.say(parting(2, {"web:x"}, {"mail:planted", "app:y"}));
    world.record(ids_named({"mail:planted"}));
    EXPECT_FALSE(world.differences().empty()) << "nobody has taken it out yet";
    ASSERT_TRUE(world.identities_->sweep({}));
    EXPECT_FALSE(world.names("planted"));
    EXPECT_TRUE(world.differences().empty());
    expect_rows_follow(
        world.store_,
        {link(1, {"web:a", "app:c"}), link(2, {"web:x", "app:y"}), parting(2, {"web:x"}, {"app:y"})}
    );
}

void erase_from_histories(bool shared, std::uint64_t seed) {
    History history{seed};
    ErasingWorld world{history.guards(), shared};
    std::set<Id> erased;
    Random random{seed + 1};
    const auto is_erased = [&](const Id& id, Instant /*recorded*/) { return erased.contains(id); };
    std::vector<Fact> facts;  // as if the erased had never been
    for (int step = 0; step < 24; ++step) {
        const Fact said = history.step();
        world.say(said, static_cast<std::uint32_t>(random.below(2)));
        Fact fact = said;
        // Nobody decides about a fact whose name went with the erasure.
        if (leave(fact, is_erased) == Left::all || (fact.id != said.id && !said.about)) {
            facts.push_back(fact);
            facts = without(std::move(facts), is_erased);
        }
        if (step % 8 != 7) {
            continue;
        }
        // One more, or all of a profile, as it stands.
        const RowsOfProfiles there = rows_there(world.store_);
        if (there.profiles.empty()) {
            continue;
        }
        const auto profile = std::next(
            there.profiles.begin(), static_cast<std::ptrdiff_t>(random.below(there.profiles.size()))
        );
        std::vector<Id> ids;
        for (const Member& each : profile->second) {
            ids.push_back(each.id);
        }
        if (random.below(2) == 0) {
            ids.resize(1);
        }
        erased.insert(ids.begin(), ids.end());
        world.erase(ids);
        facts = without(std::move(facts), is_erased);
        SCOPED_TRACE(fmt::format("step {}", step));
        ASSERT_NO_FATAL_FAILURE(expect_rows_follow(
            world.store_, facts, *world.identities_->guards().guards, world.clock_.now()
        ));
        // A parting of strangers names one who was erased where nobody knows of it.
        ASSERT_TRUE(world.identities_->sweep({}));
        ASSERT_EQ(world.differences(), std::vector<std::string>{});
        for (const Fact& each : world.facts()) {
            for (const Id& id : ids_of(each)) {
                ASSERT_FALSE(erased.contains(id));
            }
        }
        ASSERT_NO_FATAL_FAILURE(expect_rows_follow(
            world.store_, facts, *world.identities_->guards().guards, world.clock_.now()
        ));
    }
}

TEST(ErasingTest, random_histories_are_as_if_the_erased_had_never_been) {
    const std::uint64_t seed = test_seed();
    const std::uint64_t all = rounds(400);
    for (std::uint64_t round = 0; round < all; ++round) {
        SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed + round));
        ASSERT_NO_FATAL_FAILURE(erase_from_histories((seed + round) % 2 == 0, seed + round));
    }
}

}  // namespace
}  // namespace footfall::identities
