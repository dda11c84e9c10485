#pragma once

#include "intake/cluster_world.h"
#include "storage/blocking.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace footfall::intake {

inline constexpr SipKey cluster_secret{1, 2};

/// The tables of a cluster's store, which has no log in it.
inline const std::array<const storage::Table*, 4> cluster_tables{
    &event_by_id_table,
    &guard_seen_table,
    &lane_checkpoint_table,
    &projecting::projection_checkpoint_table
};

/// A collector, a guard and a follower, which may crash, on two logs and a store, which may lose
/// what was not durable.
class ClusterTest : public testing::Test {
protected:
    ClusterTest() {
        set_log_level(LogLevel::error);  // that writes are lost is no surprise here
        start_guard();
        start_follower();
    }

    void TearDown() override {
        stop_guard();
        stop_follower();
    }

    static std::vector<std::uint32_t> all_lanes() {
        std::vector<std::uint32_t> lanes(JudgeLanes::count);
        std::iota(lanes.begin(), lanes.end(), 0);
        return lanes;
    }

    Context context() {
        return {
            .store = store_.get(),
            .log = &judged_.log(),
            .clock = &clock_,
            .secret = cluster_secret,
            .rules = rules_,
            .rates = &rates_,
            .lane_memory_bytes = 1 << 10,
            .keep_rows = keep_rows_
        };
    }

    /// As in a process of its own, which knows nothing of what was counted.
    void start_guard() {
        rates_.clear();
        intake_ = Intake::open_without_lanes(context()).value();
        guard_ = std::make_unique<GuardReader>(*intake_);
        guard_feed_ = std::make_unique<HandFeed>(events_.log(), *guard_, lanes_at_once_);
        const Result<void> assigned = guard_feed_->assign(all_lanes());
        ASSERT_TRUE(assigned) << assigned.error().message;
    }

    /// As a process ends that is killed: nothing more is written.
    void stop_guard() {
        store_->set_options({.refuse_submit = 1, .refuse_as = ErrorKind::unavailable});
        judged_.store().set_options({.refuse_submit = 1, .refuse_as = ErrorKind::unavailable});
        guard_feed_.reset();
        guard_.reset();
        intake_.reset();
        store_->set_options({});
        judged_.store().set_options({});
    }

    void start_follower() {
        std::vector<projecting::ProjectionHost::Registered> projections{{"seen", &seen_}};
        if (with_later_) {
            projections.push_back({"later", &later_});
        }
        seen_.store_when_flushed();
        later_.store_when_flushed();
        Context all = context();
        follower_host_ = std::make_unique<projecting::ProjectionHost>(
            *store_, judged_.log(), std::move(projections)
        );
        all.host = follower_host_.get();
        follower_ = std::make_unique<Follower>(all);
        follower_feed_ = std::make_unique<HandFeed>(judged_.log(), *follower_, lanes_at_once_);
        const Result<void> assigned = follower_feed_->assign(all_lanes());
        ASSERT_TRUE(assigned) << assigned.error().message;
    }

    /// As guards stop: what it did not store is lost.
    void stop_follower() {
        seen_.drop();
        later_.drop();
        follower_feed_.reset();
        follower_.reset();
        follower_host_.reset();
    }

    void crash_all() {
        stop_guard();
        stop_follower();
        judged_.crash();
        store_ = make_store();
        start_guard();
        start_follower();
    }

    /// Says a rate or seals a month, in some lanes.
    void say() {
        std::vector<std::uint32_t> lanes;
        for (std::uint32_t lane = 0; lane < JudgeLanes::count; ++lane) {
            if (random_.below(8) == 0) {
                lanes.push_back(lane);
            }
        }
        const std::string id = fmt::format("control {}", ++said_);
        LogCollector collector{events_.log(), *store_, clock_, cluster_secret};
        const auto said =
            random_.below(2) == 0
                ? collector.say(events::RateSaid{.party = "r", .share = 1, .id = id}, lanes)
                : collector.say(events::MonthSealed{.month = 1, .id = id}, lanes);
        ASSERT_TRUE(said) << said.error().message;
    }

    /// Sends some events, half of them without an id, now and then one that was sent before, or one
    /// that says something else under its id. Now and then says a control.
    void send() {
        if (random_.below(3) == 0) {
            say();
        }
        LogCollector collector{events_.log(), *store_, clock_, cluster_secret};
        Arrived arrived{.arrival = clock_.now()};
        for (std::uint64_t count = 1 + random_.below(30); count > 0; --count) {
            const bool again = random_.below(8) == 0;
            const std::uint64_t serial = again ? random_.below(serial_ + 1) : ++serial_;
            const bool other = again && random_.below(2) == 0;
            arrived.events.push_back(
                {.id = serial % 2 == 0 ? fmt::format("id {}", serial) : "",
                 .time = clock_.now() - std::chrono::seconds{serial % 10'000},
                 .action = "view",
                 .object = fmt::format("object {}", serial % 20),
                 .actor = fmt::format("actor {}{}", serial % 50, other ? " or another" : "")}
            );
        }
        const auto taken = collector.collect(std::move(arrived));
        ASSERT_TRUE(taken) << taken.error().message;
    }

    /// Views of one page, 15 s apart, by these people in turn. Answers its lane.
    std::uint32_t view_page(const std::string& who, int people, int views) {
        Arrived arrived;
        for (int view = 0; view < views; ++view) {
            clock_.advance(std::chrono::seconds{15});
            arrived.events.push_back(
                {.time = clock_.now(),
                 .action = "view",
                 .object = "page",
                 .actor = fmt::format("{} {}", who, view % people)}
            );
        }
        arrived.arrival = clock_.now();
        const std::uint32_t lane = events::keys_of(arrived.events.front(), cluster_secret).lane;
        LogCollector collector{events_.log(), *store_, clock_, cluster_secret};
        const auto taken = collector.collect(std::move(arrived));
        EXPECT_TRUE(taken) << taken.error().message;
        return lane;
    }

    /// Runs guard and follower until there is nothing more to do.
    void finish() {
        store_->set_options({});
        judged_.store().set_options({});
        events_.store().set_options({});
        store_->release_writes();
        judged_.store().release_writes();
        events_.store().release_writes();
        while (!guard_feed_->run(100)) {
            std::this_thread::yield();
        }
        while (!follower_feed_->run(7)) {
            std::this_thread::yield();
        }
    }

    /// The records of a lane of this kind, those that repeat an earlier one left out, each with its
    /// offset.
    template <class Kind>
    std::vector<std::pair<std::uint64_t, Kind>> records_of(journal::Log& log, std::uint32_t lane) {
        std::vector<std::pair<std::uint64_t, Kind>> all;
        events::SourceOrder order;
        for (std::uint64_t next = 0;;) {
            const journal::Records read = log.read(lane, next, {}).value();
            if (read.empty()) {
                return all;
            }
            for (std::size_t at = 0; at < read.size(); ++at) {
                auto record = events::read_record(read[at]).value();
                auto* const found = std::get_if<Kind>(&record);
                if (!order.repeats(record) && found != nullptr) {
                    all.emplace_back(read.first() + at, std::move(*found));
                }
            }
            next = read.next();
        }
    }

    std::vector<std::pair<std::uint64_t, events::JudgedEvent>> records(
        journal::Log& log, std::uint32_t lane
    ) {
        return records_of<events::JudgedEvent>(log, lane);
    }

    std::vector<std::pair<std::uint64_t, events::Control>> controls(
        journal::Log& log, std::uint32_t lane
    ) {
        return records_of<events::Control>(log, lane);
    }

    /// What was said was passed on, in its order, and the follower saw all of it.
    void expect_controls_exact() {
        SeenRecords::Places passed_on;
        for (std::uint32_t lane = 0; lane < JudgeLanes::count; ++lane) {
            const auto judged = controls(judged_.log(), lane);
            auto said = controls(events_.log(), lane);
            ASSERT_EQ(judged.size(), said.size()) << lane;
            for (std::size_t at = 0; at < said.size(); ++at) {
                events::set_source(said[at].second, said[at].first);
                ASSERT_EQ(judged[at].second, said[at].second);
                passed_on.emplace(std::pair{lane, judged[at].first}, judged[at].second);
                ++controls_seen_;
            }
        }
        ASSERT_EQ(seen_.controls(), passed_on);
    }

    /// Every durable event was judged once, or has an id that came before; the rows of the store
    /// name these records; and the follower saw them all. So with controls.
    void expect_exact() {
        expect_controls_exact();
        std::map<std::pair<std::uint32_t, std::uint64_t>, std::string> judged_records;
        std::set<std::tuple<std::string, std::string, std::string>> ids;  // with what they say
        std::set<std::pair<std::string, std::string>> firsts;
        for (std::uint32_t lane = 0; lane < JudgeLanes::count; ++lane) {
            std::map<std::uint64_t, std::uint64_t> offset_of_source;
            for (const auto& [offset, judged] : records(judged_.log(), lane)) {
                ASSERT_TRUE(judged.source);
                ASSERT_TRUE(offset_of_source.try_emplace(judged.source.value_or(0), offset).second);
                judged_records.try_emplace({lane, offset}, judged.event.object);
                if (!judged.event.id.empty()) {
                    const events::Event& event = judged.event;
                    ASSERT_TRUE(ids.emplace(event.object, event.id, event.actor).second);
                    const bool first = firsts.emplace(event.object, event.id).second;
                    expect_row(event, first, lane, offset);
                }
            }
            for (const auto& [offset, event] : records(events_.log(), lane)) {
                const bool is_known =
                    ids.contains({event.event.object, event.event.id, event.event.actor}) &&
                    !event.event.id.empty();
                ASSERT_TRUE(offset_of_source.contains(offset) || is_known) << lane << " " << offset;
                ++events_seen_;
            }
        }
        const auto seen = seen_.seen();
        ASSERT_EQ(seen.size(), judged_records.size());
        for (const auto& [place, object] : judged_records) {
            ASSERT_TRUE(seen.contains(place));
            ASSERT_EQ(seen.at(place).object, object);
        }
    }

    void expect_row(
        const events::Event& event, bool first, std::uint32_t lane, std::uint64_t offset
    ) {
        const events::EventKeys keys = events::keys_of(event, cluster_secret);
        const events::IdKeys known_by =
            first ? events::id_keys(keys)
                  : events::conflict_keys(keys, event.object, cluster_secret);
        const auto row =
            storage::read_one(*store_, event_by_id_table, {signed_of(known_by.id), event.object});
        ASSERT_TRUE(row) << row.error().message;
        const std::vector<storage::Value> values = row->value_or(std::vector<storage::Value>(6));
        EXPECT_EQ(values.at(3), storage::Value{std::int64_t{lane}}) << event.id;
        EXPECT_EQ(values.at(4), storage::Value{signed_of(offset)});
    }

    std::unique_ptr<storage::FaultyStore> make_store() {
        return std::make_unique<storage::FaultyStore>(inner_, ++store_seed_);
    }

    ManualClock clock_{Instant{std::chrono::hours{24 * 20'000}}};
    Random random_{11};
    std::size_t lanes_at_once_ = 1;  ///< Of guard and follower; with one a seed decides everything.
    std::uint64_t serial_ = 0;
    std::uint64_t store_seed_ = 20;
    std::uint64_t events_seen_ = 0;
    std::uint64_t said_ = 0;
    std::uint64_t controls_seen_ = 0;
    std::shared_ptr<const guard::RuleSet> rules_ =
        std::make_shared<const guard::RuleSet>(guard::RuleSet::standard());
    guard::RateState rates_{cluster_secret, std::size_t{1} << 20};
    storage::MemoryStore inner_{cluster_tables, clock_};
    std::unique_ptr<storage::FaultyStore> store_ = make_store();
    LogWorld events_{30};
    LogWorld judged_{40};
    SeenRecords seen_;
    SeenRecords later_;  ///< A projection that is not always there.
    bool with_later_ = false;
    std::optional<std::chrono::seconds> keep_rows_;  ///< Of the next start.
    std::unique_ptr<Intake> intake_;
    std::unique_ptr<GuardReader> guard_;
    std::unique_ptr<HandFeed> guard_feed_;
    std::unique_ptr<projecting::ProjectionHost> follower_host_;
    std::unique_ptr<Follower> follower_;
    std::unique_ptr<HandFeed> follower_feed_;
};

}  // namespace footfall::intake
