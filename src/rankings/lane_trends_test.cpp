#include "rankings/lane_trends.h"

#include "foundation/random.h"
#include "rankings/test_trends.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace footfall::rankings {
namespace {

struct Sighting {
    std::string object;
    std::uint64_t person;
    Instant time;
    std::string action = "view";
};

std::uint64_t mixed(std::uint64_t number) {
    return Random{number}();
}

/// A lane that is told sightings, each at the next offset.
class Lane {
public:
    explicit Lane(TrendSettings settings = {}) : settings_{settings} {}

    bool add(const Sighting& seen, Instant now = noon) { return add_at(next_++, seen, now); }

    bool add_at(std::uint64_t offset, const Sighting& seen, Instant now = noon) {
        return trends.add(
            {.action = seen.action,
             .object = seen.object,
             .object_hash = hash_of(seen.object),
             .offset = offset,
             .time = seen.time,
             .person = mixed(seen.person)},
            settings_,
            now
        );
    }

    double fast(std::string_view action = "view") const {
        const TrendCandidates* const found = trends.find(action);
        return found == nullptr ? -1 : found->totals(noon).fast;
    }

    LaneTrends trends;

private:
    TrendSettings settings_;
    std::uint64_t next_ = 0;
};

std::vector<Sighting> random_sightings(Random& random, std::size_t count) {
    std::vector<Sighting> seen;
    for (const Event& event : random_events(random, count, 300, 3 * 24h)) {
        seen.push_back({.object = event.object, .person = random.below(200), .time = event.time});
    }
    return seen;
}

TEST(LaneTrends, who_reloads_a_page_moves_nothing) {
    Lane lane;
    lane.add({.object = "/a", .person = 1, .time = noon});
    EXPECT_DOUBLE_EQ(lane.fast(), 1);
    for (int reload = 0; reload < 5000; ++reload) {
        lane.add({.object = "/a", .person = 1, .time = noon});
    }
    EXPECT_DOUBLE_EQ(lane.fast(), 1);
    lane.add({.object = "/b", .person = 1, .time = noon});
    lane.add({.object = "/a", .person = 2, .time = noon});
    EXPECT_DOUBLE_EQ(lane.fast(), 3) << "another object, another person";
}

TEST(LaneTrends, a_robot_that_comes_every_minute_is_known_among_ten_thousand_others) {
    Lane lane;
    lane.add({.object = "/robot", .person = 1, .time = noon});
    std::uint64_t other = 1;
    for (int minute = 0; minute < 100; ++minute) {
        for (int each = 0; each < 100; ++each) {
            lane.add({.object = "/b", .person = ++other, .time = noon});
        }
        lane.add({.object = "/robot", .person = 1, .time = noon});
    }
    EXPECT_DOUBLE_EQ(lane.fast(), 10'001);
}

TEST(LaneTrends, the_next_day_somebody_is_new_again) {
    Lane lane;
    const Instant midnight = std::chrono::ceil<std::chrono::days>(noon);
    lane.add({.object = "/a", .person = 1, .time = midnight - 1us});
    lane.add({.object = "/a", .person = 1, .time = midnight});
    lane.add({.object = "/a", .person = 1, .time = midnight + 23h});
    EXPECT_NEAR(lane.trends.find("view")->totals(midnight).fast, 2, 0.01);
}

TEST(LaneTrends, nobody_changes_nothing) {
    LaneTrends lane;
    const TrendFact fact{.action = "view", .object = "/a", .offset = 4, .time = noon, .person = {}};
    EXPECT_FALSE(lane.add(fact, {}, noon));
    EXPECT_EQ(lane.find("view"), nullptr);
    EXPECT_EQ(lane.through(), 5U);
}

TEST(LaneTrends, what_was_told_before_changes_nothing) {
    Random random{2};
    const std::vector<Sighting> seen = random_sightings(random, 2000);
    Lane once;
    Lane twice;
    for (const Sighting& each : seen) {
        once.add(each);
        twice.add(each);
    }
    for (std::size_t at = 500; at < seen.size(); ++at) {
        EXPECT_FALSE(twice.add_at(at, seen[at]));
    }
    EXPECT_EQ(twice.trends.encode(), once.trends.encode());
}

TEST(LaneTrends, the_order_of_arrival_does_not_matter_to_sums) {
    Random random{3};
    std::vector<Sighting> seen;
    seen.reserve(3000);
    for (std::uint64_t person = 0; person < 3000; ++person) {
        seen.push_back(
            {.object = fmt::format("/{}", random.below(100)),
             .person = person,
             .time = noon - std::chrono::seconds{random.below(60'000)}}
        );
    }
    Lane in_order;
    Lane shuffled;
    for (const Sighting& each : seen) {
        in_order.add(each);
    }
    std::ranges::shuffle(seen, random);
    for (const Sighting& each : seen) {
        shuffled.add(each);
    }
    EXPECT_TRUE(shuffled.trends.find("view")->encode() == in_order.trends.find("view")->encode());
}

TEST(LaneTrends, is_restored_and_goes_on_as_it_would_have) {
    Random random{4};
    const TrendSettings settings{.counters = 60, .names_bytes = 8 << 10};
    Lane went_on{settings};
    for (const Sighting& each : random_sightings(random, 4000)) {
        went_on.add(each);
    }
    const std::string bytes = went_on.trends.encode();
    Result<LaneTrends> read = LaneTrends::decode(bytes, settings);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->encode(), bytes);
    EXPECT_EQ(read->through(), 4000U);
    EXPECT_EQ(read->bytes(), read->recount());
    Lane restored{settings};
    restored.trends = *std::move(read);
    std::uint64_t offset = 4000;
    for (const Sighting& each : random_sightings(random, 4000)) {
        went_on.add_at(offset, each);
        restored.add_at(offset, each);
        ++offset;
    }
    EXPECT_EQ(restored.trends.encode(), went_on.trends.encode());
}

TEST(LaneTrends, of_actions_the_least_has_to_go) {
    Lane lane;
    std::uint64_t person = 0;
    for (const auto& [action, people] : std::vector<std::pair<std::string, int>>{
             {"view", 50}, {"click", 3}, {"sale", 2}, {"play", 9}, {"share", 1}
         }) {
        for (int each = 0; each < people; ++each) {
            lane.add({.object = "/a", .person = ++person, .time = noon, .action = action});
        }
    }
    EXPECT_EQ(lane.trends.find("sale"), nullptr);
    EXPECT_DOUBLE_EQ(lane.fast("view"), 50);
    EXPECT_DOUBLE_EQ(lane.fast("share"), 1);
    EXPECT_EQ(lane.trends.bytes(), lane.trends.recount());
}

TEST(LaneTrends, the_same_person_is_new_under_each_action) {
    Lane lane;
    lane.add({.object = "/a", .person = 1, .time = noon, .action = "view"});
    lane.add({.object = "/a", .person = 1, .time = noon, .action = "click"});
    EXPECT_DOUBLE_EQ(lane.fast("view"), 1);
    EXPECT_DOUBLE_EQ(lane.fast("click"), 1);
}

TEST(LaneTrends, what_happened_long_ago_is_not_hot) {
    Lane lane;
    lane.add({.object = "/old", .person = 1, .time = noon - 61s});
    lane.add({.object = "/new", .person = 1, .time = noon - 59s});
    const std::vector<HotObject> top = lane.trends.hot().top(noon);
    ASSERT_EQ(top.size(), 1U);
    EXPECT_EQ(top.front().object, "/new");
}

TEST(LaneTrends, damaged_bytes_are_refused) {
    Random random{5};
    Lane lane;
    for (const Sighting& each : random_sightings(random, 300)) {
        lane.add(each);
    }
    const std::string bytes = lane.trends.encode();
    for (int round = 0; round < 300; ++round) {
        std::string damaged = bytes;
        damaged[random.below(damaged.size())] ^= static_cast<char>(1 + random.below(255));
        EXPECT_FALSE(LaneTrends::decode(damaged, {}));
        EXPECT_FALSE(LaneTrends::decode(bytes.substr(0, random.below(bytes.size())), {}));
    }
}

TEST(LaneTrends, begins_an_action_anew_that_had_other_half_lives) {
    Lane lane;
    lane.add({.object = "/a", .person = 1, .time = noon});
    const auto read = LaneTrends::decode(lane.trends.encode(), {.fast_half_life = 2h});
    ASSERT_TRUE(read);
    EXPECT_EQ(read->find("view"), nullptr);
    EXPECT_EQ(read->through(), 1U);
}

}  // namespace
}  // namespace footfall::rankings
