#include "foundation/random.h"
#include "intake/event_search.h"
#include "intake/intake.h"
#include "intake/test_world.h"
#include "storage/blocking.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace footfall::intake {
namespace {

using events::Event;

/// Sends events with ids to a store that loses what it has not written, and sends again what it has
/// no answer for, as a client does.
class Sender {
public:
    Sender(IntakeWorld& world, std::uint64_t seed) : world_{&world}, random_{seed} {}

    void send() {
        std::vector<Event> batch = std::exchange(unanswered_, {});
        for (std::uint64_t count = 1 + random_.below(40); count > 0; --count) {
            batch.push_back(
                {.id = fmt::format("id {}", ++serial_),
                 .time = world_->clock().now() - std::chrono::seconds{random_.below(10'000)},
                 .action = "view",
                 .object = fmt::format("object {}", random_.below(20)),
                 .actor = fmt::format("actor {}", random_.below(50))}
            );
            if (random_.below(4) == 0) {
                Event other = batch.back();  // says something else, under the same id
                other.actor += " or another";
                batch.push_back(std::move(other));
            }
        }
        const auto taken =
            world_->intake().collect({.events = batch, .arrival = world_->clock().now()});
        if (taken) {
            waiting_.push_back({taken->position, std::move(batch)});
        } else {
            unanswered_ = std::move(batch);
        }
    }

    /// What is durable by now is answered.
    void take_answers() {
        std::erase_if(waiting_, [&](Waiting& each) {
            if (!world_->store().durable(each.position)) {
                return false;
            }
            for (const Event& event : each.events) {
                answered_.insert(name_of(event));
            }
            return true;
        });
    }

    /// The connection broke: nothing more is answered.
    void give_up_waiting() {
        for (Waiting& each : waiting_) {
            std::ranges::move(each.events, std::back_inserter(unanswered_));
        }
        waiting_.clear();
    }

    /// Everything acknowledged is in the log, and nothing twice.
    void expect_all_once() const {
        std::map<std::string, int> seen;
        for (const auto& lane : world_->records()) {
            for (const events::JudgedEvent& each : lane) {
                ++seen[name_of(each.event)];
            }
        }
        for (const std::string& name : answered_) {
            ASSERT_EQ(seen[name], 1) << name;
        }
        for (const auto& [name, times] : seen) {
            ASSERT_EQ(times, 1) << name;
        }
    }

    std::size_t answered() const { return answered_.size(); }

private:
    struct Waiting {
        storage::CommitPosition position;
        std::vector<Event> events;
    };

    static std::string name_of(const Event& event) { return event.id + " " + event.actor; }

    IntakeWorld* world_;
    Random random_;
    std::uint64_t serial_ = 0;
    std::vector<Event> unanswered_;
    std::vector<Waiting> waiting_;
    std::set<std::string> answered_;
};

TEST(IntakeFaults, crashes_lose_nothing_acknowledged_and_count_nothing_twice) {
    IntakeWorld world{std::size_t{1} << 10, true};
    Sender sender{world, 3};
    Random random{4};
    for (int round = 0; round < 60; ++round) {
        world.store().set_options({.hold_writes = true});
        for (std::uint64_t batches = random.below(6); batches > 0; --batches) {
            sender.send();
            world.store().release_writes(random.below(world.store().held_writes() + 1));
            sender.take_answers();
        }
        sender.give_up_waiting();
        world.crash();
        sender.expect_all_once();
    }
    EXPECT_GT(sender.answered(), 500U);
}

TEST(IntakeFaults, lost_writes_lose_nothing_acknowledged_and_count_nothing_twice) {
    IntakeWorld world{std::size_t{1} << 10, true};
    Sender sender{world, 5};
    Random random{6};
    for (int round = 0; round < 8; ++round) {
        world.store().set_options({.lost_but_written = 0.5, .hold_writes = true});
        for (std::uint64_t batches = 1 + random.below(5); batches > 0; --batches) {
            sender.send();
            world.store().release_writes(random.below(world.store().held_writes() + 1));
            sender.take_answers();
        }
        world.store().set_options({.lost_but_written = 0.5});
        world.store().lose_writes();
        while (!world.intake().health()) {
            std::this_thread::yield();
        }
        sender.take_answers();
        sender.give_up_waiting();
        sender.expect_all_once();
        // What was lost is forgotten, and all else known.
        const auto lanes = world.records();
        const auto seen = world.seen().seen();
        std::size_t count = 0;
        for (std::uint32_t lane = 0; lane < lanes.size(); ++lane) {
            for (std::uint64_t offset = 0; offset < lanes[lane].size(); ++offset, ++count) {
                const auto found = seen.find({lane, offset});
                ASSERT_NE(found, seen.end());
                ASSERT_EQ(found->second.object, lanes[lane][offset].event.object);
            }
        }
        ASSERT_EQ(seen.size(), count);
    }
    EXPECT_GT(sender.answered(), 100U);
}

TEST(IntakeFaults, a_store_without_room_is_waited_for) {
    IntakeWorld world;
    Sender sender{world, 8};
    for (int round = 0; round < 20; ++round) {
        world.store().set_options({.refuse_submit = 0.3});
        sender.send();
        sender.take_answers();
    }
    world.store().set_options({});
    sender.send();
    sender.give_up_waiting();
    world.crash();
    sender.expect_all_once();
}

/// Records and rows are two batches of one store, and may become durable one after the other.
TEST(IntakeFaults, who_has_his_answer_finds_his_event) {
    IntakeWorld world;
    world.store().set_options({.hold_writes = true});
    const auto taken = world.intake().collect(
        {.events = {{.id = "a", .time = world.clock().now(), .action = "view", .object = "page"}},
         .arrival = world.clock().now()}
    );
    ASSERT_TRUE(taken) << taken.error().message;
    while (!world.store().durable(taken->position)) {
        ASSERT_GT(world.store().held_writes(), 0U);
        world.store().release_writes(1);
    }
    const auto found = find_event(world.intake().context(), "a", std::nullopt);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_TRUE(found->has_value());
}

TEST(IntakeFaults, who_hears_that_nothing_was_taken_can_rely_on_it) {
    IntakeWorld world{1 << 20, true};
    std::vector<Event> events;
    events.reserve(20);
    for (int number = 0; number < 20; ++number) {
        events.push_back(
            {.id = fmt::format("id {}", number),
             .time = world.clock().now(),
             .action = "view",
             .object = fmt::format("object {}", number)}
        );
    }
    world.seen().fail_after(0);
    const auto nothing = world.intake().collect({.events = events, .arrival = world.clock().now()});
    ASSERT_FALSE(nothing);
    EXPECT_EQ(nothing.error().kind, ErrorKind::unavailable);
    EXPECT_EQ(world.seen().seen().size(), 0U);

    world.seen().fail_after(1);
    const auto part = world.intake().collect({.events = events, .arrival = world.clock().now()});
    ASSERT_FALSE(part);
    EXPECT_EQ(part.error().kind, ErrorKind::outcome_unknown);
    EXPECT_GT(world.seen().seen().size(), 0U);

    ASSERT_TRUE(world.intake().collect({.events = events, .arrival = world.clock().now()}));
    EXPECT_EQ(world.seen().seen().size(), events.size());
}

TEST(IntakeFaults, a_projection_without_room_is_waited_for) {
    IntakeWorld world{1 << 20, true};
    world.seen().be_full(3);
    const auto taken = world.intake().collect(
        {.events = {{.time = world.clock().now(), .action = "view", .object = "page"}},
         .arrival = world.clock().now()}
    );
    EXPECT_TRUE(taken) << taken.error().message;
    EXPECT_FALSE(world.seen().full());
    EXPECT_EQ(world.seen().seen().size(), 1U);
}

}  // namespace
}  // namespace footfall::intake
