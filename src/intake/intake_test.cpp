#include "intake/intake.h"

#include "foundation/random.h"
#include "intake/test_world.h"
#include "storage/blocking.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace footfall::intake {
namespace {

using events::Event;
using std::chrono::seconds;

Event view_of(std::string object, std::string actor, Instant time, std::string id = {}) {
    return {
        .id = std::move(id),
        .time = time,
        .action = "view",
        .object = std::move(object),
        .actor = std::move(actor)
    };
}

Result<Taken> take(IntakeWorld& world, std::vector<Event> events) {
    return world.intake().collect({.events = std::move(events), .arrival = world.clock().now()});
}

/// The reasons of an object's records, in order; "" for a counted one.
std::vector<std::string> reasons(IntakeWorld& world, std::string_view object) {
    std::vector<std::string> reasons;
    for (const auto& lane : world.records()) {
        for (const events::JudgedEvent& each : lane) {
            if (each.event.object == object) {
                reasons.push_back(reason_of(each));
            }
        }
    }
    return reasons;
}

std::string object_of(const std::optional<FoundEvent>& found) {
    return found ? found->judged.event.object : "";
}

using Reasons = std::vector<std::string>;

TEST(Intake, judges_events_in_the_order_of_their_lane) {
    IntakeWorld world;
    const Instant now = world.clock().now();
    ASSERT_TRUE(take(
        world,
        {view_of("a", "u1", now),
         view_of("a", "u2", now),
         view_of("a", "u1", now + seconds{29}),
         view_of("a", "u1", now + seconds{31})}
    ));
    // 31 seconds after the one that was counted; the refused one does not matter.
    EXPECT_EQ(reasons(world, "a"), (Reasons{"", "", "repeat_fast", "repeat"}));
    ASSERT_TRUE(take(world, {view_of("a", "u1", now - std::chrono::hours{1})}));
    EXPECT_EQ(reasons(world, "a").back(), "") << "late, and far from any";
    ASSERT_TRUE(take(world, {view_of("a", "u1", now - std::chrono::hours{1} - seconds{5})}));
    EXPECT_EQ(reasons(world, "a").back(), "repeat_fast") << "later still";
}

TEST(Intake, tells_every_lane_which_rules_are_in_force) {
    using Told = std::vector<std::uint32_t>;
    IntakeWorld world;
    const auto all_told = [&](const Told& versions) {
        return std::ranges::all_of(world.told_versions(), [&](const Told& each) {
            return each == versions;
        });
    };
    EXPECT_TRUE(all_told({})) << "they have no number yet";
    world.set_rules_version(1);
    world.crash();
    EXPECT_TRUE(all_told({1}));
    const Instant now = world.clock().now();
    ASSERT_TRUE(take(world, {view_of("a", "u1", now, "1")}));
    const auto found = find_event(world.intake().context(), "1", std::nullopt).value();
    EXPECT_EQ(found.value_or(FoundEvent{}).offset, 1U) << "behind what the lane was told";
    world.intake().close();
    for (int again = 0; again < 2; ++again) {
        world.crash();
        EXPECT_TRUE(all_told({1})) << "they have not changed";
    }
    world.set_rules_version(2);
    world.crash();
    EXPECT_TRUE(all_told({1, 2}));
    EXPECT_EQ(reasons(world, "a"), (Reasons{""}));
    ASSERT_TRUE(take(world, {view_of("a", "u1", now + seconds{1}, "2")}));
    EXPECT_EQ(reasons(world, "a"), (Reasons{"", "repeat_fast"}));
}

TEST(Intake, knows_an_actor_without_a_name_by_address_and_agent) {
    IntakeWorld world;
    const Instant now = world.clock().now();
    const auto from = [&](std::string address, std::string agent, seconds after) {
        Event event = view_of("a", "", now + after);
        event.address = std::move(address);
        event.agent = std::move(agent);
        return event;
    };
    ASSERT_TRUE(take(
        world,
        {from("192.0.2.1", "Firefox", seconds{0}),
         from("192.0.2.1", "Firefox", seconds{10}),
         from("192.0.2.1", "Safari", seconds{10}),
         from("192.0.2.2", "Firefox", seconds{10}),
         from("", "Firefox", seconds{10}),
         from("", "Firefox", seconds{11})}
    ));
    EXPECT_EQ(reasons(world, "a"), (Reasons{"", "repeat_fast", "", "", "", ""}));
}

TEST(Intake, takes_an_id_once_for_each_object) {
    IntakeWorld world;
    const Instant now = world.clock().now();
    const auto send = [&](Event event) { return take(world, {std::move(event)})->duplicates; };
    EXPECT_EQ(send(view_of("a", "u1", now, "1")), 0U);
    EXPECT_EQ(send(view_of("a", "u1", now, "1")), 1U);
    EXPECT_EQ(send(view_of("b", "u1", now, "1")), 0U) << "another object's";
    world.crash();
    EXPECT_EQ(send(view_of("a", "u1", now, "1")), 1U);
    EXPECT_EQ(send(view_of("a", "u2", now, "1")), 0U) << "says something else";
    EXPECT_EQ(send(view_of("a", "u2", now, "1")), 1U) << "says it again";
    EXPECT_EQ(reasons(world, "a"), (Reasons{"", "id_conflict"}));
    world.crash();
    EXPECT_EQ(send(view_of("a", "u1", now, "1")), 1U) << "the first still has it";
    EXPECT_EQ(send(view_of("a", "u2", now, "1")), 1U) << "and the other one is known";
    EXPECT_EQ(send(view_of("b", "u2", now, "1")), 0U) << "another object's";
}

/// All at once, each with every retry; from what is young, from a replay, and from the store.
TEST(Intake, takes_each_content_of_an_id_once) {
    IntakeWorld world;
    const Instant now = world.clock().now();
    constexpr std::size_t contents = 700;  // more than are judged at once
    std::vector<Event> all;
    all.reserve(contents);
    for (std::size_t content = 0; content < contents; ++content) {
        all.push_back(view_of("a", fmt::format("u{}", content), now, "1"));
    }
    std::vector<Event> twice = all;
    twice.insert(twice.end(), all.rbegin(), all.rend());
    EXPECT_EQ(take(world, twice)->duplicates, contents);
    EXPECT_EQ(take(world, all)->duplicates, contents);
    ASSERT_TRUE(world.intake().known_ids()->build());
    EXPECT_EQ(take(world, all)->duplicates, contents);
    world.crash();  // its rows are read again from the log
    EXPECT_EQ(take(world, all)->duplicates, contents);
    world.intake().close();
    world.crash();  // nothing is
    EXPECT_EQ(take(world, all)->duplicates, contents);
    Reasons expected(contents, "id_conflict");
    expected.front() = "";
    EXPECT_EQ(reasons(world, "a"), expected);
    const auto first = find_event(world.intake().context(), "1", std::nullopt).value();
    EXPECT_EQ(first.value_or(FoundEvent{}).judged.event.actor, "u0") << "it has the id";
}

TEST(Intake, counts_two_contents_of_an_id_twice_where_no_rule_minds) {
    IntakeWorld world;
    world.set_rules("");
    world.crash();
    const Instant now = world.clock().now();
    const std::vector<Event> both{view_of("a", "u1", now, "1"), view_of("a", "u2", now, "1")};
    for (int retry = 0; retry < 3; ++retry) {
        ASSERT_TRUE(take(world, both));
    }
    world.crash();
    EXPECT_EQ(take(world, both)->duplicates, 2U);
    EXPECT_EQ(reasons(world, "a"), (Reasons{"", ""}));
}

TEST(Intake, finds_events_by_id_and_by_position) {
    IntakeWorld world;
    const Instant now = world.clock().now();
    ASSERT_TRUE(take(
        world, {view_of("a", "u1", now, "1"), view_of("b", "u1", now, "1"), view_of("c", "u1", now)}
    ));
    const Context& context = world.intake().context();
    const auto both = find_event(context, "1", std::nullopt);
    ASSERT_FALSE(both);
    EXPECT_EQ(both.error().kind, ErrorKind::conflict);
    const auto one = find_event(context, "1", "b");
    ASSERT_TRUE(one && *one);
    EXPECT_EQ(object_of(*one), "b");
    const auto latest = world.intake().latest("c", 10);
    ASSERT_TRUE(latest);
    ASSERT_EQ(latest->size(), 1U);
    const std::string position =
        position_id(context.log->id(), latest->front().lane, latest->front().offset);
    const auto by_position = find_event(context, position, std::nullopt);
    ASSERT_TRUE(by_position && *by_position);
    EXPECT_EQ(object_of(*by_position), "c");
    for (const char* none : {"2", "", "x-1-2", "0000000000000000-0-0"}) {
        const auto found = find_event(context, none, std::nullopt);
        ASSERT_TRUE(found);
        EXPECT_FALSE(*found) << none;
    }
    const auto all = world.intake().latest(std::nullopt, 2);
    ASSERT_TRUE(all);
    EXPECT_EQ(all->size(), 2U);
}

/// In all lanes there are many more of them than are asked for.
TEST(Intake, the_latest_of_all_lanes_come_first) {
    IntakeWorld world;
    constexpr int events = 500;
    for (int event = 0; event < events; ++event) {
        world.clock().advance(std::chrono::seconds{1});
        const std::string object = fmt::format("o{}", event * 7 % events);
        ASSERT_TRUE(take(world, {view_of(object, "u1", world.clock().now())}));
    }
    for (const std::size_t wanted : {1U, 7U, 400U, 1000U}) {
        const auto latest = world.intake().latest(std::nullopt, wanted);
        ASSERT_TRUE(latest);
        ASSERT_EQ(latest->size(), std::min<std::size_t>(wanted, events));
        for (std::size_t at = 0; at < latest->size(); ++at) {
            const int event = events - 1 - static_cast<int>(at);
            EXPECT_EQ((*latest)[at].judged.event.object, fmt::format("o{}", event * 7 % events));
        }
    }
}

TEST(Intake, finds_events_of_before_a_move_in_the_log_of_then) {
    IntakeWorld before;
    const Instant now = before.clock().now();
    ASSERT_TRUE(take(before, {view_of("a", "u1", now, "1"), view_of("b", "u1", now)}));
    IntakeWorld elsewhere;
    ASSERT_TRUE(take(elsewhere, {view_of("c", "u1", now, "2"), view_of("d", "u1", now)}));
    Context moved = before.intake().context();
    moved.log = elsewhere.intake().context().log;
    EXPECT_FALSE(find_event(moved, "1", std::nullopt).value()) << "nobody has the log of then";
    moved.earlier_log = before.intake().context().log;
    const auto by_id = find_event(moved, "1", std::nullopt).value();
    EXPECT_EQ(object_of(by_id), "a");
    EXPECT_EQ(by_id.value_or(FoundEvent{}).log, moved.earlier_log->id());
    const auto latest = before.intake().latest("b", 1).value();
    ASSERT_EQ(latest.size(), 1U);
    const auto by_position = find_event(
        moved, position_id(latest[0].log, latest[0].lane, latest[0].offset), std::nullopt
    );
    EXPECT_EQ(object_of(by_position.value()), "b");
    const auto since = elsewhere.intake().latest("d", 1).value();
    ASSERT_EQ(since.size(), 1U);
    const auto of_now = find_event(
        moved, position_id(moved.log->id(), since[0].lane, since[0].offset), std::nullopt
    );
    EXPECT_EQ(object_of(of_now.value()), "d");
}

/// Repeats as the design has them, from all that was counted before.
class BruteForce {
public:
    std::string judge(const Event& event) {
        auto& counted = counted_[{event.action, event.object, event.actor}];
        auto nearest = std::chrono::microseconds::max();
        for (const Instant time : counted) {
            nearest = std::min(nearest, time < event.time ? event.time - time : time - event.time);
        }
        if (nearest < seconds{30}) {
            return "repeat_fast";
        }
        if (nearest < std::chrono::hours{1}) {
            return "repeat";
        }
        counted.push_back(event.time);
        return "";
    }

private:
    std::map<std::tuple<std::string, std::string, std::string>, std::vector<Instant>> counted_;
};

/// Events in any order of time, some near each other.
std::vector<Event> random_events(Random& random, Instant now, std::size_t count) {
    std::vector<Event> events;
    for (std::size_t each = 0; each < count; ++each) {
        const auto back = random.below(3) == 0 ? random.below(200) : random.below(40'000);
        Event event = view_of(
            fmt::format("object {}", random.below(30)),
            fmt::format("actor {}", random.below(12)),
            now - seconds{static_cast<std::int64_t>(back)}
        );
        event.action = random.below(4) == 0 ? "click" : "view";
        events.push_back(std::move(event));
    }
    return events;
}

/// Checks every record against what stands before it in its lane.
void expect_as_by_brute_force(IntakeWorld& world, std::size_t records) {
    BruteForce brute_force;
    std::size_t count = 0;
    for (const auto& lane : world.records()) {
        for (const events::JudgedEvent& each : lane) {
            ++count;
            ASSERT_EQ(reason_of(each), brute_force.judge(each.event)) << "record " << count;
        }
    }
    EXPECT_EQ(count, records);
}

TEST(Intake, judges_as_brute_force_does_whatever_the_order_and_the_memory) {
    for (const std::size_t memory : {std::size_t{1} << 10, std::size_t{1} << 20}) {
        IntakeWorld world{memory};
        Random random{memory};
        std::size_t sent = 0;
        for (int batch = 0; batch < 150; ++batch) {
            const Instant right = world.clock().now();
            if (random.below(10) == 0) {
                world.clock().advance(std::chrono::hours{24});  // for this batch
            }
            std::vector<Event> events =
                random_events(random, world.clock().now(), 1 + random.below(150));
            sent += events.size();
            ASSERT_TRUE(take(world, std::move(events)));
            world.clock().set(right);
            world.clock().advance(seconds{static_cast<std::int64_t>(random.below(600))});
            if (random.below(15) == 0) {
                world.crash();
            }
        }
        expect_as_by_brute_force(world, sent);
    }
}

TEST(Intake, judges_as_brute_force_does_what_comes_from_several_sides) {
    IntakeWorld world{std::size_t{1} << 10};
    constexpr std::size_t batches = 40;
    constexpr std::size_t batch_events = 60;
    std::vector<std::jthread> senders;
    senders.reserve(3);
    for (std::uint64_t sender = 0; sender < 3; ++sender) {
        senders.emplace_back([&world, sender] {
            Random random{sender};
            for (std::size_t batch = 0; batch < batches; ++batch) {
                EXPECT_TRUE(take(world, random_events(random, world.clock().now(), batch_events)));
            }
        });
    }
    senders.clear();
    expect_as_by_brute_force(world, 3 * batches * batch_events);
}

}  // namespace
}  // namespace footfall::intake
