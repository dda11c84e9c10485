// Guards that are recorded in the log: what follows from them, and profiles that are settled anew.

#include "identities/guards_text.h"
#include "identities/identities.h"
#include "identities/settling_anew.h"
#include "identities/test_facts.h"
#include "identities/test_rows.h"
#include "identities/test_telling.h"
#include "projecting/writer.h"
#include "storage/memory_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace footfall::identities {
namespace {

class RecordedGuardsTest : public testing::Test {
protected:
    std::unique_ptr<Identities> open() {
        return std::make_unique<Identities>(
            store_, clock_, Identities::Options{.secret = rows_secret, .log = 1}
        );
    }

    static events::IdentityGuards record_of(std::uint32_t version, const Guards& guards) {
        return {.version = version, .guards = text_of(guards), .said = at_second(version)};
    }

    void flush() { ASSERT_TRUE(identities_->flush(true)); }

    std::size_t settle_anew() {
        SettlingAnew anew{*identities_, 1};
        std::size_t turns = 0;
        while (true) {
            const auto left = anew.go_on({});
            EXPECT_TRUE(left);
            ++turns;
            if (!left || *left == 0) {
                return turns;
            }
        }
    }

    static Guards one_a_profile() {
        Guards guards;
        guards.identifiers["web"].per_profile = 1;
        return guards;
    }

    static constexpr std::uint32_t lane = 5;

    ManualClock clock_{at_second(1'790'000'000)};
    storage::MemoryStore store_{all_tables, clock_};
    std::unique_ptr<Identities> identities_ = open();
};

TEST_F(RecordedGuardsTest, hold_for_all_profiles_whichever_lane_says_them) {
    const std::vector<Fact> facts{
        link(1, {"web:a", "mail:m"}), link(2, {"web:b", "mail:m"}), link(3, {"web:c", "app:x"})
    };
    tell(*identities_, lane, 0, facts[0]);
    tell(*identities_, lane, 1, facts[1]);
    flush();
    expect_rows_follow(store_, {facts[0], facts[1]}, {});
    identities_->control(7, 0, record_of(1, one_a_profile()));
    flush();
    EXPECT_EQ(*identities_->settling().guards(), one_a_profile());
    tell(*identities_, lane, 2, facts[2]);
    flush();
    EXPECT_EQ(is_settled_anew(store_, identities_->guards().version).value(), false);
    settle_anew();
    expect_rows_follow(store_, facts, one_a_profile());
    EXPECT_EQ(is_settled_anew(store_, identities_->guards().version).value(), true);
    EXPECT_EQ(rows_there(store_).profiles.size(), 3U) << "and they do object";
}

TEST_F(RecordedGuardsTest, of_two_the_higher_version_holds_in_whatever_order) {
    Guards others;
    others.profile_ids = 9;
    identities_->control(2, 0, record_of(2, one_a_profile()));
    flush();
    identities_->control(3, 0, record_of(1, others));
    flush();
    EXPECT_EQ(identities_->guards().version.version, 2);
    EXPECT_EQ(*identities_->settling().guards(), one_a_profile());
    EXPECT_EQ(open()->refresh_guards()->version, identities_->guards().version);
}

TEST_F(RecordedGuardsTest, normalise_what_stands_behind_them_in_their_lane) {
    Guards guards;
    guards.identifiers["mail"].normalise = Normalise::email;
    const std::vector<Fact> sent{
        link(1, {"web:a", "mail:A"}), link(2, {"web:b", "mail:B"}), link(3, {"web:c", "mail:C"})
    };
    const std::vector<Fact> known{sent[0], link(2, {"web:b", "mail:b"}), sent[2]};
    const auto tell_all = [&](std::uint64_t from) {
        if (from == 0) {
            tell(*identities_, lane, 0, sent[0]);
        }
        identities_->control(lane, 1, record_of(1, guards));
        tell(*identities_, lane, 2, sent[1]);
        tell(*identities_, lane + 1, 0, sent[2]);
        flush();
        settle_anew();
        expect_rows_follow(store_, known, guards);
    };
    tell_all(0);
    // Told again after a start, all of it or a part.
    for (const std::uint64_t from : {0U, 1U}) {
        identities_ = open();
        ASSERT_TRUE(identities_->begin(std::vector<projecting::LaneStart>{
            {.lane = lane, .offset = from}, {.lane = lane + 1, .offset = 0}
        }));
        tell_all(from);
    }
    identities_ = open();
    ASSERT_TRUE(identities_->begin(std::vector<projecting::LaneStart>{{.lane = lane, .offset = 3}})
    );
    const Fact later = link(4, {"web:d", "mail:D"});
    tell(*identities_, lane, 3, later);
    flush();
    EXPECT_TRUE(find_fact(store_, link(4, {"web:d", "mail:d"}).id).value());
    EXPECT_FALSE(find_fact(store_, later.id).value());
}

TEST_F(RecordedGuardsTest, said_twice_in_a_lane_hold_from_the_first_time_on) {
    identities_->control(lane, 3, record_of(1, one_a_profile()));
    identities_->control(lane, 9, record_of(1, one_a_profile()));
    flush();
    KnownGuards known;
    const auto of_lane = read_lane_guards(store_, projecting::writer_of(1, lane), known);
    ASSERT_EQ(of_lane->size(), 1U);
    EXPECT_EQ(of_lane->front().offset, 3U);
}

/// As many ids as take several turns; some of the turns by another process, some before a restart.
TEST_F(RecordedGuardsTest, are_worked_off_by_several_and_after_a_restart) {
    std::vector<Fact> facts;
    for (int at = 1; at <= 1500; ++at) {
        facts.push_back(link(
            at,
            {fmt::format("web:{}", at),
             fmt::format("web:{}", at + 10'000),
             fmt::format("mail:{}", at)}
        ));
        tell(*identities_, lane, static_cast<std::uint64_t>(at - 1), facts.back());
    }
    flush();
    expect_rows_follow(store_, facts, {});
    identities_->control(lane, 1500, record_of(1, one_a_profile()));
    flush();
    const std::unique_ptr<Identities> other = open();
    std::size_t before = 0;
    {
        SettlingAnew here{*identities_, 1};
        SettlingAnew there{*other, 2};
        const auto left = here.go_on({});
        ASSERT_TRUE(left);
        EXPECT_GT(*left, 0U);
        ASSERT_TRUE(there.go_on({}));
        before = *left;
    }
    identities_ = open();
    SettlingAnew after{*identities_, 3};
    EXPECT_LT(after.parts_left().value(), before) << "what was done is not done again";
    settle_anew();
    expect_rows_follow(store_, facts, one_a_profile());
    EXPECT_EQ(after.parts_left().value(), 0U);
}

TEST_F(RecordedGuardsTest, that_nobody_can_read_change_nothing) {
    identities_->control(
        lane, 0, events::IdentityGuards{.version = 1, .guards = "{}", .said = at_second(1)}
    );
    flush();
    EXPECT_EQ(identities_->refresh_guards()->version, GuardsVersion{});
}

}  // namespace
}  // namespace footfall::identities
