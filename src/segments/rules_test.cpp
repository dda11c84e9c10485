#include "segment_events/did_rows.h"
#include "segment_rules/rule.h"
#include "segments/rule_book.h"
#include "segments/test_segments.h"

#include <gtest/gtest.h>

namespace footfall::segments {
namespace {

using segment_rules::EventTerm;
using segment_rules::Group;
using segment_rules::Rule;
using segment_rules::SegmentTerm;
using std::chrono::hours;
using std::chrono::seconds;

const EventTerm clicked_twice{.action = "click", .times = 2, .within = seconds{40}};

/// A deployment whose segments have rules, beside what all events say.
class RuledWorld {
public:
    RuledWorld(std::uint64_t seed, bool shared) : world{seed, shared} {}

    /// Counts a click of this id, as the projection does.
    void click(const std::string& name, Instant time) {
        const identities::Id id = identities::id_of(name);
        clicks_.emplace_back(id, time);
        segment_events::Marks marks;
        marks[{.id = id, .term = segment_events::hash_of(clicked_twice), .writer = "lane"}] = {
            {.time = time, .lane = 0, .offset = clicks_.size()}
        };
        storage::Batch batch;
        const auto changed = segment_events::merge_marks(
            world.inner(), marks, *world.segments().counted_terms().now(), batch
        );
        ASSERT_TRUE(changed);
        if (!changed->empty()) {
            ASSERT_TRUE(world.segments().note_did(*changed, batch));
            ASSERT_TRUE(storage::write_durably(world.inner(), batch));
            world.segments().tell_did(*changed);
        }
    }

    void rule(const std::string& name, const Rule& rule) {
        const auto put = world.segments().set_rule(name, rule, "test");
        ASSERT_TRUE(put) << put.error().message;
    }

    /// Until every process goes by the rules.
    void take_rules() {
        world.clock().advance(rules_known_after + seconds{1});
        ASSERT_TRUE(world.derive());
    }

    std::uint64_t size(const std::string& name) { return world.segments().size(name)->people; }

    /// People who clicked twice, by all clicks.
    std::set<std::string> keen() {
        std::map<std::string, int> times;
        for (const auto& [id, time] : clicks_) {
            if (world.clock().now() < time + clicked_twice.within) {
                ++times[world.naive().sid_of(id)];
            }
        }
        std::erase_if(times, [](const auto& each) { return each.second < 2; });
        std::set<std::string> people;
        for (const auto& [sid, count] : times) {
            people.insert(sid);
        }
        return people;
    }

    SegmentsWorld world;

private:
    std::vector<std::pair<identities::Id, Instant>> clicks_;
};

TEST(RuledSegments, who_clicked_twice_is_in_it_until_the_first_click_is_too_old) {
    RuledWorld ruled{1, false};
    ruled.rule("keen", {clicked_twice});
    ruled.take_rules();
    const Instant now = ruled.world.clock().now();
    ruled.click("app:1", now);
    ruled.click("app:1", now - seconds{30});
    ASSERT_TRUE(ruled.world.derive());
    EXPECT_EQ(ruled.size("keen"), 1);
    ruled.world.clock().advance(seconds{9});
    ASSERT_TRUE(ruled.world.derive());
    EXPECT_EQ(ruled.size("keen"), 1);
    ruled.world.clock().advance(seconds{1});
    ASSERT_TRUE(ruled.world.derive());
    EXPECT_EQ(ruled.size("keen"), 0);
    ruled.world.expect_verified();
}

TEST(RuledSegments, another_rule_takes_the_place_of_the_first_with_what_it_held_for) {
    RuledWorld ruled{1, false};
    ASSERT_TRUE(ruled.world.add("buyers", {{.id = identities::id_of("app:1")}}));
    ASSERT_TRUE(ruled.world.add("readers", {{.id = identities::id_of("app:2")}}));
    ruled.rule("s", {SegmentTerm{"buyers"}});
    ruled.take_rules();
    EXPECT_EQ(ruled.size("s"), 1);
    EXPECT_TRUE(ruled.world.segments().contains("s", identities::id_of("app:1")).value());
    ruled.rule("s", {SegmentTerm{"readers"}});
    ruled.take_rules();
    EXPECT_FALSE(ruled.world.segments().contains("s", identities::id_of("app:1")).value());
    EXPECT_TRUE(ruled.world.segments().contains("s", identities::id_of("app:2")).value());
    ruled.world.expect_verified();
    ASSERT_TRUE(ruled.world.segments().remove_rule("s").value());
    ruled.take_rules();
    EXPECT_EQ(ruled.size("s"), 0);
    ruled.world.expect_verified();
}

/// Members, profiles, clicks and the clock at random; the process ends now and then.
TEST(RuledSegments, random_histories_equal_their_definition) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        RuledWorld ruled{seed, seed % 3 == 0};
        SegmentsWorld& world = ruled.world;
        for (const std::string& each : {"buyers", "readers"}) {
            ASSERT_TRUE(world.segments().create(each));
        }
        ruled.rule("keen", {clicked_twice});
        Rule others{Group{.kind = Group::Kind::all, .parts = {}}};
        auto& parts = std::get<Group>(others.is).parts;
        parts.push_back({SegmentTerm{"buyers"}});
        parts.push_back({Group{.kind = Group::Kind::none, .parts = {{SegmentTerm{"keen"}}}}});
        ruled.rule("others", others);
        ruled.take_rules();
        for (int step = 0; step < 60; ++step) {
            ASSERT_TRUE(world.step());
            if (world.random().below(2) == 0) {
                ruled.click(
                    fmt::format("app:{}", world.random().below(7)),
                    world.clock().now() - seconds{world.random().below(50)}
                );
            }
            if (world.random().below(20) == 0) {
                world.restart();
            }
            if (step % 6 != 5) {
                continue;
            }
            ASSERT_TRUE(world.derive());
            world.expect_right();
            const std::set<std::string> keen = ruled.keen();
            std::set<std::string> left = world.naive().people("buyers", world.clock().now());
            std::erase_if(left, [&](const std::string& sid) { return keen.contains(sid); });
            ASSERT_EQ(ruled.size("keen"), keen.size()) << "seed " << seed << " step " << step;
            ASSERT_EQ(ruled.size("others"), left.size()) << "seed " << seed << " step " << step;
        }
        world.expect_verified();
    }
}

}  // namespace
}  // namespace footfall::segments
