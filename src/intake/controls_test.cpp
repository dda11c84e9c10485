// Controls that were said from outside, where events are judged as they come in.

#include "events/event_keys.h"
#include "foundation/random.h"
#include "intake/event_search.h"
#include "intake/test_world.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace footfall::intake {
namespace {

using events::Control;
using events::LogRecord;
using events::MonthSealed;
using events::RateSaid;

const std::string party = "daily";

std::uint32_t lane_of_party() {
    return events::lane_of(party, IntakeWorld::secret);
}

/// Says a rate in the lane of its party.
Result<void> say_rate(IntakeWorld& world, const std::string& id) {
    const std::array lanes{lane_of_party()};
    return world.intake().say(RateSaid{.party = party, .share = 300'000, .id = id}, lanes);
}

Result<void> seal(IntakeWorld& world, const std::string& id) {
    std::vector<std::uint32_t> lanes(JudgeLanes::count);
    std::iota(lanes.begin(), lanes.end(), 0);
    return world.intake().say(MonthSealed{.month = 500, .id = id}, lanes);
}

Result<Taken> view(IntakeWorld& world, const std::string& actor) {
    events::Event event{
        .time = world.clock().now(), .action = "view", .object = party, .actor = actor
    };
    return world.intake().collect({.events = {std::move(event)}, .arrival = world.clock().now()});
}

/// "ann" for her event, "rate r1", "seal s1".
std::string name_of(const LogRecord& record) {
    const auto* const control = std::get_if<Control>(&record);
    if (control == nullptr) {
        return std::get<events::JudgedEvent>(record).event.actor;
    }
    const auto* const rate = std::get_if<RateSaid>(control);
    return rate != nullptr ? "rate " + rate->id : "seal " + std::get<MonthSealed>(*control).id;
}

std::vector<std::string> names(IntakeWorld& world, std::uint32_t lane) {
    std::vector<std::string> names;
    for (const LogRecord& each : world.said_and_judged(lane)) {
        names.push_back(name_of(each));
    }
    return names;
}

using Names = std::vector<std::string>;

TEST(Controls, stand_in_order_with_the_events_of_their_lanes_and_come_to_projections_once) {
    IntakeWorld world{1 << 20, true};
    world.set_rules_version(1);
    world.crash();
    ASSERT_TRUE(view(world, "ann"));
    ASSERT_TRUE(say_rate(world, "r1"));
    ASSERT_TRUE(view(world, "bob"));
    ASSERT_TRUE(seal(world, "s1"));
    ASSERT_TRUE(view(world, "cat"));
    const Names expected{"ann", "rate r1", "bob", "seal s1", "cat"};
    for (int start = 0; start < 3; ++start) {
        EXPECT_EQ(names(world, lane_of_party()), expected);
        const SeenRecords::Places told = world.seen().controls();
        EXPECT_EQ(told.size(), 1U + JudgeLanes::count);
        // Behind the rules that the lane was told.
        EXPECT_EQ(name_of(told.at({lane_of_party(), 2})), "rate r1");
        EXPECT_EQ(name_of(told.at({lane_of_party(), 4})), "seal s1");
        EXPECT_EQ(world.seen().seen().size(), 3U);
        if (start == 1) {
            world.seen().store_when_flushed();
            world.intake().close();
        }
        world.crash();
    }
    ASSERT_TRUE(view(world, "ann"));
    EXPECT_EQ(world.records()[lane_of_party()].size(), 4U);
    EXPECT_EQ(reason_of(world.records()[lane_of_party()].back()), "repeat_fast")
        << "rules remember what is before a control";
}

TEST(Controls, are_no_events_for_who_looks_for_events) {
    IntakeWorld world{1 << 20, true};
    ASSERT_TRUE(say_rate(world, "r1"));
    ASSERT_TRUE(view(world, "ann"));
    ASSERT_TRUE(seal(world, "s1"));
    const auto latest = world.intake().latest(std::nullopt, 10).value();
    ASSERT_EQ(latest.size(), 1U);
    EXPECT_EQ(latest.front().offset, 1U);
    const auto since = world.intake().since(lane_of_party(), 0, party).value();
    EXPECT_EQ(since.events.size(), 1U);
    const std::string id = position_id(world.log().id(), lane_of_party(), 0);
    EXPECT_FALSE(find_event(world.intake().context(), id, std::nullopt).value());
}

TEST(Controls, are_durable_once_they_are_said) {
    IntakeWorld world{1 << 20, true};
    world.store().set_options({.hold_writes = true});
    std::atomic<bool> said = false;
    std::thread sayer{[&] {
        EXPECT_TRUE(say_rate(world, "r1"));
        said = true;
    }};
    while (world.store().held_writes() == 0) {
        std::this_thread::yield();
    }
    EXPECT_FALSE(said);
    world.store().set_options({});
    world.store().release_writes();
    sayer.join();
    world.crash();
    EXPECT_EQ(names(world, lane_of_party()), Names{"rate r1"});
}

TEST(Controls, whose_fate_nobody_knows_are_said_to_be_so) {
    IntakeWorld world{1 << 20, true};
    world.store().set_options({.hold_writes = true});
    std::thread sayer{[&] {
        const Result<void> said = seal(world, "s1");
        ASSERT_FALSE(said);
        EXPECT_EQ(said.error().kind, ErrorKind::outcome_unknown);
    }};
    while (world.store().held_writes() < JudgeLanes::count) {
        std::this_thread::yield();
    }
    world.store().set_options({});
    world.store().lose_writes();
    sayer.join();
    while (!world.intake().health()) {
        std::this_thread::yield();
    }
    EXPECT_TRUE(world.seen().controls().empty()) << "what was lost is forgotten";
    ASSERT_TRUE(seal(world, "s2"));
    EXPECT_EQ(names(world, 0), Names{"seal s2"});
}

TEST(Controls, of_which_none_was_said_are_said_to_be_so) {
    IntakeWorld world{1 << 20, true};
    world.seen().fail_after(0);
    EXPECT_EQ(seal(world, "s1").error().kind, ErrorKind::unavailable);
    world.seen().fail_after(1);
    EXPECT_EQ(seal(world, "s2").error().kind, ErrorKind::outcome_unknown);
    EXPECT_EQ(names(world, 0), Names{"seal s2"});
    EXPECT_EQ(names(world, 1), Names{});
    world.seen().be_full(3);
    ASSERT_TRUE(seal(world, "s3"));
    EXPECT_EQ(names(world, 1), Names{"seal s3"});
    world.intake().close();
    EXPECT_EQ(seal(world, "s4").error().kind, ErrorKind::unavailable);
}

TEST(Controls, a_projection_that_cannot_begin_its_lanes_is_told_nothing_until_it_can) {
    IntakeWorld world{1 << 20, true};
    ASSERT_TRUE(say_rate(world, "r1"));
    world.seen().fail_to_begin(3);
    world.store().set_options({.hold_writes = true});
    ASSERT_TRUE(view(world, "ann"));
    world.store().set_options({});
    world.store().lose_writes();
    while (!world.intake().health()) {
        std::this_thread::yield();
    }
    EXPECT_FALSE(world.seen().fails_to_begin());
    EXPECT_EQ(world.seen().controls().size(), 1U);
    EXPECT_TRUE(world.seen().seen().empty());
}

/// What was said stands in its lanes whatever is lost, once, in one order with the events: those
/// that were answered before it before it, those that came afterwards behind it.
TEST(Controls, crashes_lose_nothing_and_change_no_order) {
    IntakeWorld world{std::size_t{1} << 10, true};
    Random random{7};
    Names expected;
    for (int round = 0; round < 30; ++round) {
        for (std::uint64_t steps = 1 + random.below(10); steps > 0; --steps) {
            const std::string name = std::to_string(expected.size());
            if (random.below(3) == 0) {
                ASSERT_TRUE(say_rate(world, name));
                expected.push_back("rate " + name);
            } else {
                ASSERT_TRUE(view(world, name));
                expected.push_back(name);
            }
        }
        // Who has no answer may find that it was lost, or not.
        world.store().set_options({.hold_writes = true});
        ASSERT_TRUE(view(world, "unanswered"));
        if (random.below(2) == 0) {
            world.crash();
        } else {
            world.store().set_options({});
            world.store().lose_writes();
            while (!world.intake().health()) {
                std::this_thread::yield();
            }
        }
        const Names found = names(world, lane_of_party());
        if (found.size() > expected.size()) {
            expected.emplace_back("unanswered");
        }
        ASSERT_EQ(found, expected);
        const auto seen = world.seen().seen();
        const auto controls = world.seen().controls();
        ASSERT_EQ(seen.size() + controls.size(), expected.size());
        for (std::uint64_t offset = 0; offset < expected.size(); ++offset) {
            const bool is_rate = expected[offset].starts_with("rate");
            ASSERT_EQ(controls.contains({lane_of_party(), offset}), is_rate);
            ASSERT_EQ(seen.contains({lane_of_party(), offset}), !is_rate);
        }
    }
}

}  // namespace
}  // namespace footfall::intake
