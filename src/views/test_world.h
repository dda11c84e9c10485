#pragma once

#include "foundation/random.h"
#include "rankings/schema.h"
#include "storage/blocking.h"
#include "storage/memory_store.h"
#include "storage_testing/faulty_store.h"
#include "views/schema.h"
#include "views/views.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace footfall::views {

using namespace std::chrono_literals;

/// Those whose rows are told by writer, and all.
inline constexpr std::array<const storage::Table*, 2> view_tables{
    &view_day_table, &view_total_table
};
inline constexpr std::array<const storage::Table*, 7> all_tables{
    &rankings::rank_day_table,
    &rankings::trend_state_table,
    &view_day_table,
    &view_total_table,
    &view_rank_table,
    &view_expired_day_table,
    &view_expired_total_table
};
inline constexpr Instant start{1'790'000'000s};
inline constexpr std::uint64_t test_log = 0x1122334455667788;
inline constexpr std::uint16_t test_key = 7;

/// A judged event as the log has it.
struct Logged {
    std::string action;
    std::string object;
    Instant time;
    std::optional<std::uint64_t> person;
    std::string refusal = {};

    Fact fact(std::uint64_t offset) const {
        return {
            .action = action,
            .object = object,
            .offset = offset,
            .time = time,
            .person = person,
            .refusal = refusal
        };
    }
};

/// Views over a store that may fail, the log of their lanes, and what brings both together as the
/// owner does: append, apply, and after a restart read again from the checkpoint.
class World {
public:
    static constexpr std::size_t lanes = 3;  // of 64, so that they are full

    explicit World(Views::Options options = {}) : options_{options} { restart(); }

    Views& views() { return *views_; }

    storage::FaultyStore& store() { return *store_; }

    storage::MemoryStore& disk() { return disk_; }

    ManualClock& clock() { return clock_; }

    static std::size_t lane_of(std::string_view object) { return object.size() % lanes; }

    /// Appends events, of any lanes, and applies them.
    void add(const std::vector<Logged>& events) {
        std::array<std::vector<Logged>, lanes> by_lane;
        for (const Logged& event : events) {
            by_lane[lane_of(event.object)].push_back(event);
        }
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const std::size_t from = log_[lane].size();
            log_[lane].insert(log_[lane].end(), by_lane[lane].begin(), by_lane[lane].end());
            apply(lane, from, log_[lane].size());
        }
    }

    /// Applies what the log has in [from, before).
    void apply(std::size_t lane, std::size_t from, std::size_t before) {
        const Result<void> room = views_->wait_for_room();
        ASSERT_TRUE(room) << room.error().message;
        views_->apply(lane, facts_of(lane, from, before));
        check_account();
    }

    /// The same, into what has left the log.
    void expire(std::size_t lane, std::size_t from, std::size_t before) {
        const auto expired = views_->expire(lane, facts_of(lane, from, before));
        ASSERT_TRUE(expired) << expired.error().message;
        const auto flushed = views_->flush_expired();
        ASSERT_TRUE(flushed) << flushed.error().message;
    }

    std::vector<Fact> facts_of(std::size_t lane, std::size_t from, std::size_t before) const {
        std::vector<Fact> facts;
        for (std::size_t at = from; at < before; ++at) {
            facts.push_back(log_[lane][at].fact(at));
        }
        return facts;
    }

    /// What is booked of memory is what is there.
    void check_account() {
        std::size_t all = 0;
        for (std::size_t lane = 0; lane < ViewLanes::count; ++lane) {
            const auto audit = views_->audit(lane);
            ASSERT_EQ(audit.booked, audit.counted) << "lane " << lane;
            all += audit.counted;
        }
        ASSERT_EQ(views_->figures().bytes, all);
    }

    const std::vector<Logged>& log(std::size_t lane) const { return log_[lane]; }

    /// Remembers how far the views are, as a store of checkpoints would.
    void take_checkpoints() {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            checkpoints_[lane] = std::max(checkpoints_[lane], views_->checkpoint(lane));
        }
        check_account();
    }

    std::uint64_t checkpoint(std::size_t lane) const { return checkpoints_[lane]; }

    /// A crash: what is not durable is lost but what FaultyStore wrote early.
    void restart() {
        views_.reset();
        store_ = std::make_unique<storage::FaultyStore>(
            disk_, 1, storage::FaultOptions{.lose_only_the_end = true}
        );
        store_losses_ = store_->on_lost_writes([this] { views_->drop_all(); });
        views_ = std::make_unique<Views>(*store_, test_log, test_key, clock_, options_);
    }

    void read_log_again() {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            for (std::size_t at = checkpoints_[lane]; at < log_[lane].size(); at += 50) {
                apply(lane, at, std::min(at + 50, log_[lane].size()));
            }
        }
    }

private:
    ManualClock clock_{start};
    storage::MemoryStore disk_{all_tables, clock_};
    Views::Options options_;
    std::unique_ptr<storage::FaultyStore> store_;
    std::unique_ptr<Views> views_;
    std::array<std::vector<Logged>, lanes> log_;
    std::array<std::uint64_t, lanes> checkpoints_{};
    storage::Subscription store_losses_;
};

/// Some objects much more than others, over some days, in disorder, by few and by many.
inline std::vector<Logged> random_events(Random& random, std::size_t count) {
    static constexpr std::array<std::string_view, 4> refusals{"", "", "repeat", "not_human"};
    std::vector<Logged> events;
    for (std::size_t at = 0; at < count; ++at) {
        const std::uint64_t object = random.below(1 + random.below(40));
        events.push_back(
            {.action = random.below(5) == 0 ? "click" : "view",
             .object = std::string(1 + object, 'o'),
             .time = start - std::chrono::seconds{random.below(4 * 86'400)},
             .person = random.below(8) == 0
                           ? std::nullopt
                           : std::optional{random.below(3000) * 0x9e3779b97f4a7c15},
             .refusal = std::string{refusals[random.below(refusals.size())]}}
        );
    }
    return events;
}

/// All rows of the events, each cell made from the start in the order of its lane, by maps and
/// whole sketches: key, then values.
using AllRows = std::map<std::vector<storage::Value>, std::vector<storage::Value>>;

inline AllRows brute_force(const World& world) {
    struct Truth {
        std::map<std::pair<std::string, unsigned>, std::uint64_t> events;  // by reason, quarter
        sketches::Sketch people;
        std::int64_t through = 0;
    };

    std::map<std::tuple<std::string, std::string, Day, std::size_t>, Truth> cells;
    for (std::size_t lane = 0; lane < World::lanes; ++lane) {
        std::int64_t offset = 0;
        for (const Logged& event : world.log(lane)) {
            ++offset;
            const auto second = event.time.time_since_epoch() / 1s;
            for (const Day day : {static_cast<Day>(second / 86'400), lifetime}) {
                Truth& truth = cells[{event.action, event.object, day, lane}];
                const auto quarter =
                    day == lifetime ? 0U : static_cast<unsigned>(second % 86'400 / 900);
                ++truth.events[{event.refusal, quarter}];
                truth.through = offset;
                if (event.person && event.refusal.empty()) {
                    truth.people.add(*event.person);
                }
            }
        }
    }
    AllRows rows;
    for (const auto& [name, truth] : cells) {
        const auto& [action, object, day, lane] = name;
        Reasons reasons;
        Counts counts;
        std::int64_t counted = 0;
        std::int64_t refused = 0;
        for (const auto& [slot, events] : truth.events) {
            counts.add(slot.second, reasons.id_of(slot.first), events);
            (slot.first.empty() ? counted : refused) += static_cast<std::int64_t>(events);
        }
        std::vector<storage::Value> key =
            row_key(action, object, day, {.writer = writer_of(test_log, lane)});
        key.insert(key.begin(), std::string{day == lifetime ? "total" : "day"});
        rows[key] = {
            counted, refused, counts.written(reasons), truth.people.written(test_key), truth.through
        };
    }
    return rows;
}

/// What stands on the disk, of the objects of the log.
inline AllRows stored_rows(World& world) {
    std::set<std::pair<std::string, std::string>> objects;
    for (std::size_t lane = 0; lane < World::lanes; ++lane) {
        for (const Logged& event : world.log(lane)) {
            objects.emplace(event.action, event.object);
        }
    }
    AllRows rows;
    for (const storage::Table* table : view_tables) {
        for (const auto& [action, object] : objects) {
            const auto read =
                storage::read_all(world.disk(), {.table = table, .partition = {action, object}});
            EXPECT_TRUE(read);
            for (std::size_t row = 0; row < read->size(); ++row) {
                std::vector<storage::Value> key{
                    std::string{table == &view_total_table ? "total" : "day"}
                };
                std::vector<storage::Value> values;
                for (std::size_t column = 0; column < table->width(); ++column) {
                    (column < table->key_width() ? key : values)
                        .push_back(read->at(row, column).owned());
                }
                rows[key] = values;
            }
        }
    }
    return rows;
}

/// Of two that are not the same the first difference, in few words; empty if there is none.
inline std::string first_difference(const AllRows& left, const AllRows& right) {
    const auto name_of = [](const auto& row) {
        std::string name;
        for (const storage::Value& value : row.first) {
            name += std::holds_alternative<std::string>(value)
                        ? fmt::format("'{}' ", std::get<std::string>(value).substr(0, 30))
                        : fmt::format("{} ", std::get<std::int64_t>(value));
        }
        return name;
    };
    for (const auto& row : left) {
        const auto other = right.find(row.first);
        if (other == right.end()) {
            return "only left: " + name_of(row);
        }
        for (std::size_t column = 0; column < row.second.size(); ++column) {
            if (row.second[column] != other->second[column]) {
                return fmt::format("{}differs in column {}", name_of(row), column);
            }
        }
    }
    for (const auto& row : right) {
        if (!left.contains(row.first)) {
            return "only right: " + name_of(row);
        }
    }
    return {};
}

}  // namespace footfall::views
