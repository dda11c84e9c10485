#include "segments/segments.h"

#include "foundation/testing/test_seed.h"
#include "foundation_testing/rounds.h"
#include "segments/test_segments.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

namespace footfall::segments {
namespace {

Member member(const std::string& id) {
    return {.id = identities::id_of(id)};
}

class SegmentsTest : public testing::TestWithParam<bool> {
protected:
    std::uint64_t people(const std::string& name) {
        EXPECT_TRUE(world_.derive());
        const auto found = world_.segments().size(name);
        EXPECT_TRUE(found);
        return found ? found->people : 0;
    }

    SegmentsWorld world_{1, GetParam()};
};

TEST_P(SegmentsTest, people_are_profiles_and_ids_without_one) {
    ASSERT_TRUE(world_.add("s", {member("web:a"), member("web:b"), member("mail:c")}));
    EXPECT_EQ(people("s"), 3);
    ASSERT_TRUE(world_.say(identities::link(1'790'000'000, {"web:a", "mail:c"})));
    EXPECT_EQ(people("s"), 2);
    EXPECT_TRUE(*world_.segments().contains("s", identities::id_of("mail:c")));
    EXPECT_FALSE(*world_.segments().contains("s", identities::id_of("mail:d")));
    ASSERT_TRUE(world_.say(identities::parting(1'790'000'000, {"web:a"}, {"mail:c"})));
    EXPECT_EQ(people("s"), 3);
    world_.expect_verified();
}

/// Members are not what fills a store: they are refused, and those that wait are looked at later.
/// What a merge changes is counted meanwhile.
TEST_P(SegmentsTest, members_leave_merges_room_in_a_store_that_is_full) {
    ASSERT_TRUE(world_.add("s", {member("web:a"), member("mail:c")}));
    EXPECT_EQ(people("s"), 2);
    ASSERT_TRUE(world_.add("s", {member("mail:d")}));
    world_.store().set_pressure(1);
    const auto refused = world_.segments().add("s", std::vector<Member>{member("web:b")});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::overloaded);
    EXPECT_FALSE(*world_.segments().is_member("s", identities::id_of("web:b")));
    ASSERT_TRUE(world_.say(identities::link(1'790'000'000, {"web:a", "mail:c"})));
    EXPECT_EQ(people("s"), 1);
    world_.store().set_pressure(0);
    EXPECT_EQ(people("s"), 2);
    world_.expect_verified();
}

/// What is told of one that joins with all its ids, and of a merge that changes nothing.
TEST_P(SegmentsTest, ids_of_a_profile_join_together_and_are_told_once) {
    ASSERT_TRUE(world_.say(identities::link(1'790'000'000, {"mail:a", "app:b"})));
    ASSERT_TRUE(world_.add("s", {member("mail:a"), member("mail:c")}));
    ASSERT_TRUE(world_.derive());
    const auto changes = world_.segments().changes("s", 0, "", 10);
    ASSERT_TRUE(changes);
    EXPECT_EQ(changes->rows.size(), 3);
    ASSERT_TRUE(world_.say(identities::link(1'790'000'000, {"mail:a", "mail:c"})));
    ASSERT_TRUE(world_.derive());
    EXPECT_EQ(people("s"), 1);
    const auto more = world_.segments().changes("s", changes->after, "", 10);
    EXPECT_TRUE(more->rows.empty());
    EXPECT_FALSE(more->more);
    EXPECT_EQ(world_.segments().changes("s", 0, "app", 10)->rows.size(), 1);
    world_.expect_verified();
}

TEST_P(SegmentsTest, ids_that_are_taken_out_of_all_are_in_none_and_are_told_to_have_left) {
    ASSERT_TRUE(world_.add("s", {member("web:a"), member("mail:c")}));
    ASSERT_TRUE(world_.add("t", {member("web:a")}));
    ASSERT_TRUE(world_.derive());
    const auto before = world_.segments().changes("s", 0, "", 10);
    ASSERT_TRUE(before);
    ASSERT_TRUE(world_.take_out({identities::id_of("web:a")}));
    EXPECT_EQ(people("s"), 1);
    EXPECT_EQ(people("t"), 0);
    EXPECT_FALSE(*world_.segments().is_member("s", identities::id_of("web:a")));
    const auto after = world_.segments().changes("s", before->after, "", 10);
    ASSERT_EQ(after->rows.size(), 1);
    EXPECT_FALSE(after->rows.front().joined);
    world_.expect_verified();
}

/// Who takes consent back leaves, to whoever is told, and is counted on; given again it joins.
TEST_P(SegmentsTest, who_refuses_consent_by_any_id_is_counted_and_told_of_to_nobody) {
    const auto says = [&](const std::string& id, const std::string& value, std::int64_t after) {
        ASSERT_TRUE(world_.say(
            identities::datum(1'790'000'000 + after, id, "consent", value, "source of " + id)
        ));
        ASSERT_TRUE(world_.say(identities::link(1'790'000'000 + after, {id})));
        ASSERT_TRUE(world_.derive());
    };
    std::uint64_t after = 0;
    const auto told = [&] {
        std::vector<std::string> changes;
        const auto page = world_.segments().changes("s", after, "", 10);
        EXPECT_TRUE(page);
        for (const Change& each : page->rows) {
            changes.push_back((each.joined ? "+" : "-") + each.id.id_value);
        }
        after = page->after;
        return changes;
    };
    using Told = std::vector<std::string>;
    ASSERT_TRUE(world_.say(identities::link(1'790'000'000, {"mail:a", "web:b"})));
    ASSERT_TRUE(world_.add("s", {member("mail:a"), member("mail:c")}));
    ASSERT_TRUE(world_.derive());
    EXPECT_EQ(told().size(), 3) << "nothing was said of consent";
    says("web:b", R"("denied")", 1);
    EXPECT_EQ(told(), (Told{"-a", "-b"}));
    EXPECT_EQ(people("s"), 2);
    says("mail:a", R"("granted")", 2);
    EXPECT_EQ(told(), Told{}) << "one of its ids still refuses";
    says("web:b", R"("granted")", 3);
    EXPECT_EQ(told(), (Told{"+a", "+b"}));
    says("mail:a", R"("perhaps")", 4);
    EXPECT_EQ(told(), (Told{"-a", "-b"})) << "what nobody knows the meaning of is no consent";
    world_.expect_verified();
}

/// A turn sees all that there was when it began, however much comes meanwhile.
TEST_P(SegmentsTest, numbers_are_of_now_though_members_end_all_the_time) {
    for (int turn = 0; turn < 10; ++turn) {
        const Instant ends = world_.clock().now() + std::chrono::seconds{4};
        ASSERT_TRUE(world_.add("s", {{.id = identities::id_of("web:a"), .expires = ends}}));
        ASSERT_TRUE(world_.derive());
        world_.clock().advance(std::chrono::seconds{5});
        ASSERT_TRUE(world_.segments().derive(std::stop_token{}));
        const auto size = world_.segments().size("s");
        ASSERT_TRUE(size);
        EXPECT_GE(size->as_of, world_.clock().now() - std::chrono::seconds{2});
    }
}

INSTANTIATE_TEST_SUITE_P(, SegmentsTest, testing::Bool(), [](const auto& shared) {
    return shared.param ? "beside_others" : "alone";
});

class RandomSegmentsTest : public testing::TestWithParam<bool> {};

TEST_P(RandomSegmentsTest, all_numbers_are_those_counted_naively) {
    const std::uint64_t seed = test_seed();
    SCOPED_TRACE(fmt::format("FOOTFALL_SEED={}", seed));
    for (std::uint64_t round = 0; round < rounds(100); ++round) {
        SCOPED_TRACE(fmt::format("round {}", round));
        SegmentsWorld world{seed + round, GetParam()};
        for (int step = 0; step < 100; ++step) {
            SCOPED_TRACE(fmt::format("step {}", step));
            ASSERT_TRUE(world.step());
            if (world.random().below(3) != 0) {
                ASSERT_TRUE(world.derive());
                ASSERT_NO_FATAL_FAILURE(world.expect_right());
            }
            if (world.random().below(25) == 0) {
                ASSERT_NO_FATAL_FAILURE(world.restart());
            }
        }
        ASSERT_TRUE(world.derive());
        ASSERT_NO_FATAL_FAILURE(world.expect_right());
        ASSERT_NO_FATAL_FAILURE(world.expect_verified());
    }
}

/// Between any two writes, as a kill -9 comes.
TEST_P(RandomSegmentsTest, who_is_killed_misses_nothing_and_tells_nothing_twice) {
    const std::uint64_t seed = test_seed();
    SCOPED_TRACE(fmt::format("FOOTFALL_SEED={}", seed));
    for (std::uint64_t round = 0; round < rounds(100); ++round) {
        SCOPED_TRACE(fmt::format("round {}", round));
        SegmentsWorld world{seed + round, GetParam()};
        for (int kill = 0; kill < 15; ++kill) {
            SCOPED_TRACE(fmt::format("kill {}", kill));
            world.store().cut_after(world.random().below(GetParam() ? 60 : 12));
            for (int step = 0; step < 30 && !world.store().is_cut(); ++step) {
                if (!world.step() || !world.derive()) {
                    break;
                }
            }
            ASSERT_NO_FATAL_FAILURE(world.restart());
            ASSERT_TRUE(world.derive());
            ASSERT_NO_FATAL_FAILURE(world.expect_right());
        }
        ASSERT_NO_FATAL_FAILURE(world.expect_verified());
    }
}

/// The store fails, and the process lives.
TEST_P(RandomSegmentsTest, who_lives_through_failures_is_right_afterwards) {
    const std::uint64_t seed = test_seed();
    SCOPED_TRACE(fmt::format("FOOTFALL_SEED={}", seed));
    for (std::uint64_t round = 0; round < rounds(50); ++round) {
        SCOPED_TRACE(fmt::format("round {}", round));
        SegmentsWorld world{seed + round, GetParam()};
        for (int turn = 0; turn < 60; ++turn) {
            SCOPED_TRACE(fmt::format("turn {}", turn));
            ASSERT_TRUE(world.step());
            world.store().cut_after(world.random().below(GetParam() ? 30 : 4));
            for (int tries = 0; tries < 4; ++tries) {
                (void)world.segments().derive(std::stop_token{});
            }
            world.store().mend();
            ASSERT_TRUE(world.derive());
            ASSERT_NO_FATAL_FAILURE(world.expect_right());
        }
        ASSERT_NO_FATAL_FAILURE(world.expect_verified());
    }
}

INSTANTIATE_TEST_SUITE_P(, RandomSegmentsTest, testing::Bool(), [](const auto& shared) {
    return shared.param ? "beside_others" : "alone";
});

}  // namespace
}  // namespace footfall::segments
