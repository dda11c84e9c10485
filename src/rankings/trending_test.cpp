#include "rankings/trending.h"

#include "foundation/random.h"
#include "rankings/test_trends.h"
#include "runtime/accounted_lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace footfall::rankings {
namespace {

static_assert(runtime::Accounted<TrendCandidates>);

struct Sums {
    double fast = 0;
    double slow = 0;
};

/// By the formula.
std::map<std::string, Sums> sums_of(const std::vector<Event>& events, Instant now) {
    std::map<std::string, Sums> sums;
    for (const Event& event : events) {
        const double hours =
            std::chrono::duration<double, std::ratio<3600>>(now - event.time).count();
        Sums& sum = sums[event.object];
        sum.fast += event.weight * std::exp2(-hours);
        sum.slow += event.weight * std::exp2(-hours / 24);
    }
    return sums;
}

std::map<std::string, TrendCandidate> by_name(const TrendCandidates& candidates, Instant now) {
    std::map<std::string, TrendCandidate> found;
    for (TrendCandidate& each : candidates.candidates(now)) {
        const std::string name = each.object;
        EXPECT_TRUE(found.emplace(name, std::move(each)).second) << name;
    }
    return found;
}

TEST(TrendCandidates, have_the_sums_of_the_formula) {
    Random random{1};
    const std::vector<Event> events = random_events(random, 20'000, 500, 3 * 24h);
    TrendCandidates candidates;
    Sums all;
    for (const Event& event : events) {
        add(candidates, event);
    }
    const Instant now = noon + 7min;
    const auto found = by_name(candidates, now);
    for (const auto& [object, sums] : sums_of(events, now)) {
        const TrendCandidate& candidate = found.at(object);
        EXPECT_NEAR(candidate.fast, sums.fast, 0.002 * sums.fast + 1e-4) << object;
        EXPECT_NEAR(candidate.slow, sums.slow, 0.002 * sums.slow + 1e-4) << object;
        EXPECT_EQ(candidate.error, 0);
        all.fast += sums.fast;
        all.slow += sums.slow;
    }
    EXPECT_NEAR(candidates.totals(now).fast, all.fast, 0.002 * all.fast);
    EXPECT_NEAR(candidates.totals(now).slow, all.slow, 0.002 * all.slow);
}

TEST(TrendCandidates, are_the_same_bit_for_bit_whatever_the_order) {
    Random random{2};
    for (int round = 0; round < 20; ++round) {
        std::vector<Event> events = random_events(random, 2000, 300, 18h);
        std::string first;
        for (int order = 0; order < 4; ++order) {
            TrendCandidates candidates;
            for (const Event& event : events) {
                add(candidates, event);
            }
            const std::string bytes = candidates.encode();
            if (order == 0) {
                first = bytes;
            }
            ASSERT_EQ(bytes, first) << round;
            std::ranges::shuffle(events, random);
        }
    }
}

TEST(TrendCandidates, do_not_depend_on_the_order_of_what_is_older_up_to_rounding) {
    Random random{3};
    std::vector<Event> events = random_events(random, 5000, 300, 60 * 24h);
    TrendCandidates shuffled;
    TrendCandidates in_order;
    for (const Event& event : events) {
        add(shuffled, event);
    }
    std::ranges::sort(events, {}, &Event::time);
    for (const Event& event : events) {
        add(in_order, event);
    }
    const auto one = by_name(shuffled, noon);
    for (const auto& [object, candidate] : by_name(in_order, noon)) {
        EXPECT_NEAR(candidate.fast, one.at(object).fast, 1e-6);
        EXPECT_NEAR(candidate.slow, one.at(object).slow, 1e-6);
    }
}

TEST(TrendCandidates, count_events_that_are_a_little_ahead_of_the_clock) {
    TrendCandidates candidates;
    add(candidates, {.object = "a", .time = noon + 5min});
    const auto found = candidates.candidates(noon);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_NEAR(found[0].fast, std::exp2(5.0 / 60), 0.001);
}

TEST(TrendCandidates, are_not_changed_by_what_is_very_old_or_weighs_nothing) {
    TrendCandidates candidates;
    add(candidates, {.object = "new", .time = noon});
    const std::string before = candidates.encode();
    add(candidates, {.object = "old", .time = noon - std::chrono::days{3000}});
    add(candidates, {.object = "light", .time = noon, .weight = 0});
    EXPECT_EQ(candidates.encode(), before);
}

TEST(TrendCandidates, with_old_events_alone_have_nothing_left_years_later) {
    TrendCandidates candidates;
    add(candidates, {.object = "old", .time = noon, .weight = 100'000});
    add(candidates, {.object = "new", .time = noon + std::chrono::days{1000}});
    EXPECT_EQ(by_name(candidates, noon + std::chrono::days{1000}).at("old").slow, 0);
}

TEST(TrendCandidates, can_be_asked_for_those_with_something_to_show) {
    TrendCandidates candidates;
    add(candidates, {.object = "three", .time = noon, .weight = 3});
    add(candidates, {.object = "two", .time = noon, .weight = 2});
    EXPECT_EQ(candidates.candidates(noon, 3).size(), 1U);
    EXPECT_EQ(candidates.candidates(noon + 4s, 3).size(), 0U);
    EXPECT_EQ(candidates.candidates(noon, 2).size(), 2U);
}

/// Promises (1) to (4), checked while many more objects come than there are counters.
TEST(TrendCandidates, keep_their_promises_when_some_have_to_go) {
    Random random{4};
    for (int round = 0; round < 30; ++round) {
        const TrendSettings settings{.counters = 40, .names_bytes = 64 << 10};
        TrendCandidates candidates{settings};
        const std::vector<Event> events = random_events(random, 4000, 400, 2 * 24h);
        double most_error = 0;
        for (const Event& event : events) {
            add(candidates, event);
        }
        EXPECT_LE(candidates.size(), 50U);
        const auto found = by_name(candidates, noon);
        const auto sums = sums_of(events, noon);
        const TrendTotals totals = candidates.totals(noon);
        double all = 0;
        for (const auto& [object, sum] : sums) {
            all += sum.slow;
            const auto place = found.find(object);
            if (place == found.end()) {
                EXPECT_LE(sum.slow, 1.003 * totals.slow / 40) << object << " is no candidate";
                continue;
            }
            const TrendCandidate& candidate = place->second;
            most_error = std::max(most_error, candidate.error);
            EXPECT_LE(candidate.fast, sum.fast * 1.001 + 1e-3) << object;
            EXPECT_GE(candidate.slow, sum.slow * 0.998 - 1e-3) << object;
            EXPECT_LE(candidate.slow - candidate.error, sum.slow * 1.001 + 1e-3) << object;
            EXPECT_LE(candidate.error, 1.003 * totals.slow / 40) << object;
        }
        EXPECT_GT(most_error, 0) << "nobody had to go";
        EXPECT_NEAR(totals.slow, all, 0.002 * all);
    }
}

TEST(TrendCandidates, those_with_the_least_go_and_of_equal_ones_those_with_the_smaller_hash) {
    TrendCandidates candidates{TrendSettings{.counters = 4, .names_bytes = 64 << 10}};
    for (const std::uint64_t hash : {1U, 2U, 3U, 4U, 5U}) {
        candidates.add(hash, "object " + std::to_string(hash), noon, hash == 1 ? 2 : 1);
    }
    candidates.add(6, "object 6", noon, 0.5);
    const auto found = by_name(candidates, noon);
    EXPECT_FALSE(found.contains("object 2"));
    EXPECT_EQ(found.size(), 5U);
    EXPECT_DOUBLE_EQ(found.at("object 6").error, 1) << "what object 2 had";
    EXPECT_DOUBLE_EQ(found.at("object 6").slow, 1.5);
    EXPECT_DOUBLE_EQ(found.at("object 6").fast, 0.5) << "nothing is inherited";
    EXPECT_DOUBLE_EQ(found.at("object 5").error, 0);
}

TEST(TrendCandidates, of_one_hash_are_told_apart_by_name) {
    TrendCandidates candidates;
    candidates.add(7, "a", noon, 1);
    candidates.add(7, "b", noon, 2);
    const auto found = by_name(candidates, noon);
    EXPECT_DOUBLE_EQ(found.at("a").fast, 1);
    EXPECT_DOUBLE_EQ(found.at("b").fast, 2);
}

TEST(TrendCandidates, take_no_more_bytes_than_allowed_and_say_how_many) {
    const TrendSettings settings{};
    TrendCandidates candidates{settings};
    EXPECT_EQ(candidates.bytes(), candidates.recount());
    Random random{5};
    for (int round = 0; round < 20'000; ++round) {
        std::string name(1 + random.below(round % 2 == 0 ? 60 : 1024), 'x');
        name.replace(
            0, std::min<std::size_t>(name.size(), 8), std::to_string(random.below(100'000))
        );
        name.resize(std::min<std::size_t>(name.size(), 1024));
        add(candidates, {.object = name, .time = noon + std::chrono::seconds{round}});
        if (round % 100 == 0) {
            ASSERT_EQ(candidates.bytes(), candidates.recount()) << round;
        }
        ASSERT_LE(candidates.bytes(), (256 << 10) + (270 << 10)) << round;
    }
    EXPECT_GT(candidates.size(), 300U) << "names are what is short";
}

TEST(TrendCandidates, can_be_as_many_as_settings_allow_and_no_more_names_than_fit) {
    TrendCandidates most{{.counters = 26'212, .names_bytes = 8 << 20}};
    for (std::uint64_t object = 0; object < 70'000; ++object) {
        most.add(Random{object}(), std::to_string(object), noon);
    }
    EXPECT_GE(most.size(), 26'212U);
    EXPECT_EQ(most.bytes(), most.recount());
    TrendCandidates few{{.names_bytes = 8 << 10}};
    for (int object = 0; object < 100; ++object) {
        add(few, {.object = std::to_string(object) + std::string(1020, 'x'), .time = noon});
        EXPECT_LE(few.bytes(), (8 << 10) + 1500);
    }
}

TEST(TrendCandidates, are_booked_by_lane) {
    const auto lanes = std::make_unique<runtime::AccountedLanes<TrendCandidates>>();
    const auto add_to = [&](std::size_t lane, const std::string& object) {
        lanes->change(lane, [&](TrendCandidates& candidates) {
            add(candidates, {.object = object, .time = noon});
        });
    };
    add_to(1, "a");
    const std::size_t one = lanes->bytes();
    EXPECT_GT(one, 0U);
    add_to(2, "a");
    EXPECT_EQ(lanes->bytes(), 2 * one);
    EXPECT_EQ(lanes->audit(2).booked, lanes->audit(2).counted);
}

TEST(TrendCandidates, of_a_small_lane_take_little) {
    TrendCandidates candidates;
    EXPECT_LE(candidates.bytes(), 64U);
    add(candidates, {.object = "a", .time = noon});
    EXPECT_LE(candidates.bytes(), 1300U);
}

}  // namespace
}  // namespace footfall::rankings
