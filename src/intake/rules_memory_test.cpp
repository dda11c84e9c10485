// A start that goes on with what the rules remembered judges as one that reads the log again, and
// as a program that never ended.

#include "intake/rules_memory.h"

#include "foundation/random.h"
#include "intake/intake.h"
#include "intake/test_world.h"
#include "storage/blocking.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace footfall::intake {
namespace {

using events::Event;
using std::chrono::seconds;
using Rows = std::vector<std::vector<storage::Value>>;

/// Repeats of two windows, rates by both doors over more lanes than one, and some in shadow.
constexpr std::string_view many_rules = R"toml(
[[rule]]
name = "id_conflict"
kind = "id_conflict"

[[rule]]
name = "repeat_fast"
kind = "repeat"
window = "30s"
actions = ["view"]

[[rule]]
name = "rate_actor"
kind = "rate"
per = "actor"
limit = 12
window = "2m"

[[rule]]
name = "rate_address"
kind = "rate"
door = "public"
per = "address"
limit = 20
window = "5m"

[[rule]]
name = "repeat_shadow"
kind = "repeat"
mode = "shadow"
window = "2h"

[[rule]]
name = "rate_shadow"
kind = "rate"
mode = "shadow"
per = "actor"
limit = 3
window = "10s"

[[rule]]
name = "repeat"
kind = "repeat"
window = "1h"
)toml";

Rows memory_rows(IntakeWorld& world) {
    const storage::Page page =
        storage::scan_page(world.disk(), {.table = &rules_memory_table}).value();
    Rows rows;
    for (std::size_t row = 0; row < page.rows.size(); ++row) {
        std::vector<storage::Value>& values = rows.emplace_back();
        for (std::size_t column = 0; column < rules_memory_table.width(); ++column) {
            values.push_back(page.rows.at(row, column).owned());
        }
    }
    return rows;
}

void write_row(IntakeWorld& world, const std::vector<storage::Value>& row) {
    storage::Batch batch;
    batch.upsert(rules_memory_table, storage::views_of(row));
    ASSERT_TRUE(storage::write_durably(world.disk(), batch));
}

void erase_row(IntakeWorld& world, const std::vector<storage::Value>& row) {
    storage::Batch batch;
    batch.erase(rules_memory_table, {row[0], row[1]});
    ASSERT_TRUE(storage::write_durably(world.disk(), batch));
}

std::unique_ptr<IntakeWorld> world_with(std::string_view rules, std::size_t memory = 1 << 20) {
    auto world = std::make_unique<IntakeWorld>(memory);
    world->set_rules(rules);
    world->set_rules_version(1);
    world->crash();
    return world;
}

/// Ends as it should, and starts.
void restart(IntakeWorld& world) {
    world.intake().close();
    world.crash();
}

/// The same, of one that finds nothing stored.
void restart_from_the_log(IntakeWorld& world) {
    world.intake().close();
    for (const auto& row : memory_rows(world)) {
        erase_row(world, row);
    }
    world.crash();
}

Arrived random_arrival(Random& random, Instant now) {
    Arrived arrived{.events = {}, .arrival = now};
    arrived.door = random.below(2) == 0 ? events::Door::public_door : events::Door::trusted_door;
    for (std::uint64_t count = 1 + random.below(40); count > 0; --count) {
        const std::uint64_t late = random.below(4) == 0 ? random.below(10'000) : random.below(20);
        arrived.events.push_back(
            {.id = random.below(3) == 0 ? fmt::format("id {}", random.below(2'000)) : "",
             .time = now - seconds{static_cast<std::int64_t>(late)},
             .action = random.below(4) == 0 ? "click" : "view",
             .object = fmt::format("object {}", random.below(200)),
             .actor = fmt::format("actor {}", random.below(random.below(3) == 0 ? 4 : 400)),
             .address = fmt::format("192.0.2.{}", random.below(12))}
        );
    }
    return arrived;
}

std::string said(const events::Objection& objection, std::string_view log) {
    std::string text = objection.rule + " " + objection.reason;
    for (const auto& [name, value] : objection.evidence) {
        std::string evidence = fmt::format(" {}={}", name, value);
        if (const auto at = evidence.find(log); at != std::string::npos) {
            evidence.erase(at, log.size());  // each world's log has an id of its own
        }
        text += evidence;
    }
    return text;
}

/// Everything that was said of each event of each lane.
std::vector<std::vector<std::string>> verdicts(IntakeWorld& world) {
    const std::string log = fmt::format("{:016x}", world.log().id());
    std::vector<std::vector<std::string>> lanes;
    for (const auto& lane : world.records()) {
        auto& all = lanes.emplace_back();
        for (const events::JudgedEvent& each : lane) {
            std::string& text = all.emplace_back(each.event.object + ": ");
            if (each.verdict.refusal) {
                text += said(*each.verdict.refusal, log);
            }
            for (const events::Objection& shadow : each.verdict.shadow) {
                text += " / " + said(shadow, log);
            }
        }
    }
    return lanes;
}

TEST(RulesMemory, judges_as_one_that_reads_the_log_and_as_one_that_never_ends) {
    for (const std::size_t memory : {std::size_t{2} << 10, std::size_t{1} << 20}) {
        const auto never_ends = world_with(many_rules, memory);
        const auto remembers = world_with(many_rules, memory);
        const auto reads = world_with(many_rules, memory);
        Random random{memory};
        for (int run = 0; run < 10; ++run) {
            for (int batch = 0; batch < 30; ++batch) {
                const Arrived arrived = random_arrival(random, never_ends->clock().now());
                const std::uint64_t passes = random.below(10) == 0 ? 400 : random.below(6);
                for (IntakeWorld* const world : {never_ends.get(), remembers.get(), reads.get()}) {
                    ASSERT_TRUE(world->intake().collect(arrived));
                    world->clock().advance(seconds{passes});
                }
            }
            restart(*remembers);
            restart_from_the_log(*reads);
            EXPECT_EQ(remembers->intake().figures().read, 0U);
            EXPECT_GT(reads->intake().figures().read, 0U);
        }
        const auto expected = verdicts(*never_ends);
        EXPECT_EQ(verdicts(*remembers), expected);
        EXPECT_EQ(verdicts(*reads), expected);
        std::set<std::string> reasons;
        for (const auto& lane : never_ends->records()) {
            for (const events::JudgedEvent& each : lane) {
                reasons.insert(reason_of(each));
            }
        }
        EXPECT_EQ(reasons.size(), 6U) << "each rule had something to say";
    }
}

/// Views of one object by one person each, an hour of them counted by a rate.
class Visits {
public:
    explicit Visits(IntakeWorld& world) : world_{&world} {}

    std::string send(std::uint64_t actor, seconds after = seconds{0}) {
        const Instant now = world_->clock().now();
        const auto taken = world_->intake().collect(
            {.events = {Event{
                 .time = now + after,
                 .action = "view",
                 .object = fmt::format("object {}", actor % 50),
                 .actor = fmt::format("actor {}", actor)
             }},
             .arrival = now}
        );
        return !taken ? taken.error().message : taken->refused > 0 ? "refused" : "counted";
    }

private:
    IntakeWorld* world_;
};

TEST(RulesMemory, is_used_once_and_not_after_a_kill) {
    const auto world = world_with(many_rules);
    Visits visits{*world};
    EXPECT_EQ(visits.send(1), "counted");
    world->intake().close();
    EXPECT_EQ(memory_rows(*world).size(), 64U);
    const Rows stored = memory_rows(*world);
    world->crash();
    EXPECT_EQ(world->intake().figures().read, 0U);
    EXPECT_TRUE(memory_rows(*world).empty());
    EXPECT_EQ(visits.send(1), "refused");
    EXPECT_EQ(visits.send(2), "counted");
    world->crash();
    EXPECT_GT(world->intake().figures().read, 0U) << "it was killed";
    EXPECT_EQ(visits.send(2), "refused");
    // Even if they were there still.
    for (const auto& row : stored) {
        write_row(*world, row);
    }
    world->crash();
    EXPECT_GT(world->intake().figures().read, 0U);
    EXPECT_EQ(visits.send(2), "refused");
    restart(*world);
    EXPECT_EQ(world->intake().figures().read, 0U) << "others take their place";
    EXPECT_EQ(visits.send(2), "refused");
}

TEST(RulesMemory, is_dropped_where_it_does_not_fit) {
    const auto world = world_with(many_rules);
    Visits visits{*world};
    ASSERT_EQ(visits.send(1), "counted");
    world->intake().close();
    world->set_rules_version(2);
    world->crash();
    EXPECT_GT(world->intake().figures().read, 0U) << "other rules are in force";
    EXPECT_EQ(visits.send(1), "refused");
    world->intake().close();
    const Rows stored = memory_rows(*world);
    ASSERT_EQ(stored.size(), 64U);
    for (const std::size_t at : {std::size_t{0}, std::size_t{40}, std::size_t{63}}) {
        std::vector<storage::Value> damaged = stored[at];
        std::string memory{storage::ValueView{damaged[4]}.text()};
        memory[memory.size() / 2] ^= 1;
        damaged[4] = storage::Value{memory};
        write_row(*world, damaged);
        world->crash();
        EXPECT_GT(world->intake().figures().read, 0U) << "row " << at << " is damaged";
        write_row(*world, stored[at]);
    }
    std::vector<storage::Value> another = stored[3];
    another[1] = stored[4][1];
    write_row(*world, another);
    world->crash();
    EXPECT_GT(world->intake().figures().read, 0U) << "a row of another lane";
    erase_row(*world, stored[4]);
    world->crash();
    EXPECT_GT(world->intake().figures().read, 0U) << "a row is missing";
    EXPECT_EQ(visits.send(1), "refused");
}

TEST(RulesMemory, a_program_that_judges_nothing_leaves_it_alone) {
    const auto world = world_with(many_rules);
    ASSERT_EQ(Visits{*world}.send(1), "counted");
    world->intake().close();
    world->set_rules_version(0);
    world->crash();
    restart(*world);
    EXPECT_EQ(memory_rows(*world).size(), 64U);
    world->set_rules_version(1);
    world->crash();
    EXPECT_EQ(world->intake().figures().read, 0U);
}

TEST(RulesMemory, a_stop_waits_for_what_is_on_its_way_to_the_store) {
    const auto world = world_with(many_rules);
    Visits visits{*world};
    world->store().set_options({.hold_writes = true});
    ASSERT_EQ(visits.send(1), "counted");
    std::jthread writes{[&](const std::stop_token& stop) {
        while (world->store().waiters() == 0 && !stop.stop_requested()) {
            std::this_thread::yield();
        }
        world->store().set_options({});
        world->store().release_writes();
    }};
    world->intake().close();
    writes = {};
    world->crash();
    EXPECT_EQ(world->intake().figures().read, 0U);
    EXPECT_EQ(visits.send(1), "refused");
}

TEST(RulesMemory, is_not_stored_where_rates_know_of_events_that_are_in_no_log) {
    const auto world = world_with(many_rules);
    Visits visits{*world};
    ASSERT_EQ(visits.send(1), "counted");
    world->store().set_options({.refuse_submit = 1, .refuse_as = ErrorKind::unavailable});
    EXPECT_NE(visits.send(2), "counted");
    world->store().set_options({});
    world->intake().close();
    EXPECT_TRUE(memory_rows(*world).empty());
    world->crash();
    EXPECT_GT(world->intake().figures().read, 0U);
    restart(*world);
    EXPECT_EQ(world->intake().figures().read, 0U);
}

/// Whatever the end of a program could still write: what follows is judged right.
TEST(RulesMemory, an_end_that_is_cut_off_costs_a_reading_at_most) {
    const auto never_ends = world_with(many_rules);
    const auto cut_off = world_with(many_rules);
    Random random{11};
    std::size_t remembered = 0;
    constexpr int runs = 60;
    for (int run = 0; run < runs; ++run) {
        for (int batch = 0; batch < 5; ++batch) {
            const Arrived arrived = random_arrival(random, never_ends->clock().now());
            for (IntakeWorld* const world : {never_ends.get(), cut_off.get()}) {
                ASSERT_TRUE(world->intake().collect(arrived));
                world->clock().advance(seconds{1});
            }
        }
        if (random.below(2) == 0) {
            cut_off->store().set_options({.fail_write = random.below(2) == 0 ? 0.02 : 0.2});
        }
        cut_off->intake().close();
        cut_off->crash();
        remembered += cut_off->intake().figures().read == 0 ? 1 : 0;
    }
    EXPECT_GT(remembered, 5U);
    EXPECT_LT(remembered, 55U);
    EXPECT_EQ(verdicts(*cut_off), verdicts(*never_ends));
}

}  // namespace
}  // namespace footfall::intake
