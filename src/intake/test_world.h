#pragma once

#include "foundation/clock.h"
#include "foundation/log.h"
#include "guard/rate.h"
#include "guard/rules.h"
#include "intake/intake.h"
#include "intake/schema.h"
#include "journal_rocksdb/schema.h"
#include "journal_rocksdb/store_log.h"
#include "projecting/projection_host.h"
#include "projecting/schema.h"
#include "storage/deployment.h"
#include "storage/memory_store.h"
#include "storage_testing/faulty_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::intake {

/// Writes down what it is told, and has no tables. Expects that of each lane, since it was begun,
/// all comes in order, and no control again that it has not stored.
class SeenRecords final : public projecting::Projection {
public:
    using Places = std::map<std::pair<std::uint32_t, std::uint64_t>, events::Control>;

    struct Seen {
        std::string object;
        bool counted;
        std::optional<std::uint64_t> person;
    };

    Result<void> wait_for_room() override {
        const std::lock_guard lock{mutex_};
        if (full_ > 0) {
            --full_;
            return fail(ErrorKind::overloaded, "no memory is left");
        }
        if (lanes_left_ && (*lanes_left_)-- == 0) {
            lanes_left_.reset();
            return fail(ErrorKind::unavailable, "nothing is taken");
        }
        return {};
    }

    Result<void> begin(std::span<const projecting::LaneStart> lanes) override {
        const std::lock_guard lock{mutex_};
        if (begin_failures_ > 0) {
            --begin_failures_;
            return fail(ErrorKind::unavailable, "nothing is read");
        }
        for (const projecting::LaneStart& each : lanes) {
            next_[each.lane] = 0;
        }
        return {};
    }

    void apply(std::uint32_t lane, std::span<const projecting::JudgedRecord> records) override {
        const std::lock_guard lock{mutex_};
        for (const projecting::JudgedRecord& each : records) {
            expect_in_order(lane, each.offset);
            const events::JudgedEvent& judged = *each.judged;
            seen_.insert_or_assign(
                std::pair{lane, each.offset},
                Seen{judged.event.object, judged.verdict.counted(), each.person}
            );
        }
    }

    void control(std::uint32_t lane, std::uint64_t offset, const events::Control& control)
        override {
        const std::lock_guard lock{mutex_};
        expect_in_order(lane, offset);
        const std::pair place{lane, offset};
        const auto [told, is_first] = controls_.emplace(place, control);
        EXPECT_TRUE(is_first || stored_controls_.contains(place)) << "it was told already";
        EXPECT_EQ(told->second, control);
    }

    /// Fails to begin lanes, so many times.
    void fail_to_begin(std::size_t times) {
        const std::lock_guard lock{mutex_};
        begin_failures_ = times;
    }

    bool fails_to_begin() const {
        const std::lock_guard lock{mutex_};
        return begin_failures_ > 0;
    }

    /// The controls that were said from outside.
    Places controls() const {
        const std::lock_guard lock{mutex_};
        Places said = controls_;
        std::erase_if(said, [](const auto& each) { return !events::is_said(each.second); });
        return said;
    }

    /// Has no room, so many times.
    void be_full(std::size_t times) {
        const std::lock_guard lock{mutex_};
        full_ = times;
    }

    /// After so many more lanes of events fails, once.
    void fail_after(std::size_t lanes) {
        const std::lock_guard lock{mutex_};
        lanes_left_ = lanes;
    }

    bool full() const {
        const std::lock_guard lock{mutex_};
        return full_ > 0;
    }

    Result<void> expire(std::uint32_t lane, std::span<const projecting::JudgedRecord> records)
        override {
        const std::lock_guard lock{mutex_};
        for (const projecting::JudgedRecord& each : records) {
            const bool first =
                told_.emplace(std::pair{lane, each.offset}, each.judged->event.object).second;
            EXPECT_TRUE(first) << "what is told again was flushed or dropped before";
        }
        if (when_expired_) {
            when_expired_(lane);
        }
        return {};
    }

    /// Called whenever something goes.
    Result<void> flush_expired() override {
        const std::lock_guard lock{mutex_};
        expired_.merge(told_);
        return {};
    }

    void drop_expired() override {
        const std::lock_guard lock{mutex_};
        told_.clear();
    }

    void when_expired(std::function<void(std::uint32_t)> call) {
        const std::lock_guard lock{mutex_};
        when_expired_ = std::move(call);
    }

    /// What was told to go, by lane and offset: the object.
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::string> expired() const {
        const std::lock_guard lock{mutex_};
        return expired_;
    }

    /// Stores all, if it was told to.
    Result<void> flush(bool) override {
        const std::lock_guard lock{mutex_};
        if (stores_) {
            stored_ = seen_;
            stored_controls_ = controls_;
        }
        return {};
    }

    /// To begin with nothing is stored.
    std::optional<std::uint64_t> unsaved(std::uint32_t lane) override {
        const std::lock_guard lock{mutex_};
        if (all_stored_) {
            return std::nullopt;
        }
        return std::max(behind_last(stored_, lane), behind_last(stored_controls_, lane));
    }

    /// Says from now on that everything is stored.
    void be_stored() { all_stored_ = true; }

    /// Stores what it saw, when it is flushed.
    void store_when_flushed() {
        const std::lock_guard lock{mutex_};
        stores_ = true;
    }

    Instant stored_until(std::uint32_t /*lane*/) override { return {}; }

    void drop() override {
        const std::lock_guard lock{mutex_};
        seen_ = stored_;
        controls_ = stored_controls_;
        next_.clear();
    }

    void drop_lane(std::uint32_t lane) override {
        const std::lock_guard lock{mutex_};
        std::erase_if(seen_, [&](const auto& each) {
            return each.first.first == lane && !stored_.contains(each.first);
        });
        std::erase_if(controls_, [&](const auto& each) {
            return each.first.first == lane && !stored_controls_.contains(each.first);
        });
        next_.erase(lane);
    }

    std::map<std::pair<std::uint32_t, std::uint64_t>, Seen> seen() const {
        const std::lock_guard lock{mutex_};
        return seen_;
    }

private:
    /// Behind the last record of the lane; 0 if there is none.
    template <class Records>
    static std::uint64_t behind_last(const Records& records, std::uint32_t lane) {
        const auto behind = records.upper_bound({lane, std::numeric_limits<std::uint64_t>::max()});
        const bool any = behind != records.begin() && std::prev(behind)->first.first == lane;
        return any ? std::prev(behind)->first.second + 1 : 0;
    }

    void expect_in_order(std::uint32_t lane, std::uint64_t offset) {
        const auto next = next_.find(lane);
        ASSERT_NE(next, next_.end()) << "lane " << lane << " was not begun";
        EXPECT_GE(offset, next->second);
        next->second = offset + 1;
    }

    mutable std::mutex mutex_;
    std::map<std::uint32_t, std::uint64_t> next_;  ///< Of lanes that were begun.
    std::size_t begin_failures_ = 0;
    Places controls_;
    Places stored_controls_;
    std::map<std::pair<std::uint32_t, std::uint64_t>, Seen> seen_;
    std::map<std::pair<std::uint32_t, std::uint64_t>, Seen> stored_;
    bool stores_ = false;
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::string> told_;  ///< Not flushed yet.
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::string> expired_;
    std::function<void(std::uint32_t)> when_expired_;
    std::size_t full_ = 0;
    std::optional<std::size_t> lanes_left_;
    std::atomic<bool> all_stored_ = false;
};

/// An intake on a store that can be made to fail, and all that it needs.
class IntakeWorld {
public:
    static constexpr SipKey secret{1, 2};

    explicit IntakeWorld(std::size_t lane_memory_bytes = 1 << 20, bool with_projection = false)
        : lane_memory_bytes_{lane_memory_bytes}, with_projection_{with_projection} {
        set_log_level(LogLevel::error);  // that what is held was lost is no surprise here
        start();
    }

    IntakeWorld(const IntakeWorld&) = delete;
    IntakeWorld& operator=(const IntakeWorld&) = delete;

    ~IntakeWorld() { stop(); }

    Intake& intake() { return *intake_; }

    storage::FaultyStore& store() { return *store_; }

    storage::MemoryStore& disk() { return inner_; }

    journal::Log& log() { return *log_; }

    ManualClock& clock() { return clock_; }

    SeenRecords& seen() { return seen_; }

    /// From the next start on. 0, to begin with: not registered, so that no lane is told.
    void set_rules_version(std::uint32_t version) { rules_version_ = version; }

    /// From the next start on, in place of the standard rules.
    void set_rules(std::string_view toml) { rules_ = toml; }

    /// All that lanes were told of rules, in the order of each lane.
    std::vector<std::vector<std::uint32_t>> told_versions() {
        std::vector<std::vector<std::uint32_t>> lanes(log_->lanes());
        for (std::uint32_t lane = 0; lane < lanes.size(); ++lane) {
            for (const events::LogRecord& record : lane_records(lane)) {
                if (const auto* const rules = events::rules_in(record)) {
                    lanes[lane].push_back(rules->version);
                }
            }
        }
        return lanes;
    }

    /// What is not durable is gone.
    void crash() {
        stop();
        start();
    }

    /// All records of a lane, the judge's own controls left out.
    std::vector<events::LogRecord> said_and_judged(std::uint32_t lane) {
        std::vector<events::LogRecord> records = lane_records(lane);
        std::erase_if(records, [](const events::LogRecord& each) {
            return events::rules_in(each) != nullptr;
        });
        return records;
    }

    /// All events of all lanes, in the order of each lane.
    std::vector<std::vector<events::JudgedEvent>> records() {
        std::vector<std::vector<events::JudgedEvent>> lanes(log_->lanes());
        for (std::uint32_t lane = 0; lane < lanes.size(); ++lane) {
            for (events::LogRecord& record : lane_records(lane)) {
                if (auto* const judged = std::get_if<events::JudgedEvent>(&record)) {
                    lanes[lane].push_back(std::move(*judged));
                }
            }
        }
        return lanes;
    }

private:
    static constexpr std::uint64_t seed = 7;

    std::vector<events::LogRecord> lane_records(std::uint32_t lane) {
        std::vector<events::LogRecord> records;
        for (std::uint64_t next = 0;;) {
            const journal::Records read = log_->read(lane, next, {}).value();
            if (read.empty()) {
                return records;
            }
            for (std::size_t at = 0; at < read.size(); ++at) {
                records.push_back(events::read_record(read[at]).value());
            }
            next = read.next();
        }
    }

    void start() {
        store_ = std::make_unique<storage::FaultyStore>(
            inner_, seed, storage::FaultOptions{.lose_only_the_end = true}
        );
        log_ = journal_rocksdb::StoreLog::open(*store_).value();
        rates_ = std::make_unique<guard::RateState>(secret, std::size_t{64} << 20);
        guard::RuleSet rules = guard::RuleSet::read(rules_, {}).value();
        rules.set_version(rules_version_);
        Context context{
            .store = store_.get(),
            .log = log_.get(),
            .clock = &clock_,
            .secret = secret,
            .rules = std::make_shared<const guard::RuleSet>(std::move(rules)),
            .rates = rates_.get(),
            .id_filter_bytes = 1 << 10,
            .lane_memory_bytes = lane_memory_bytes_
        };
        if (with_projection_) {
            host_ = std::make_unique<projecting::ProjectionHost>(
                *store_,
                *log_,
                std::vector<projecting::ProjectionHost::Registered>{{"seen", &seen_}}
            );
            context.host = host_.get();
        }
        intake_ = Intake::open(std::move(context)).value();
    }

    void stop() {
        // As a process ends: what is held is lost, and nothing is written any more.
        store_->set_options({.refuse_submit = 1, .refuse_as = ErrorKind::unavailable});
        intake_.reset();
        host_.reset();
        seen_.drop();  // now that nobody reads the log again, and tells it
        log_.reset();
        store_.reset();
    }

    ManualClock clock_{Instant{std::chrono::hours{24 * 20'000}}};
    const std::array<const storage::Table*, 9> tables_{
        &storage::deployment_table,
        &journal_rocksdb::log_block_table,
        &journal_rocksdb::log_lane_table,
        &journal_rocksdb::log_begin_table,
        &event_by_id_table,
        &guard_seen_table,
        &lane_checkpoint_table,
        &rules_memory_table,
        &projecting::projection_checkpoint_table
    };
    std::size_t lane_memory_bytes_;
    bool with_projection_;
    std::uint32_t rules_version_ = 0;
    std::string rules_{guard::standard_rules()};
    SeenRecords seen_;
    storage::MemoryStore inner_{tables_, clock_};
    std::unique_ptr<storage::FaultyStore> store_;
    std::unique_ptr<journal_rocksdb::StoreLog> log_;
    std::unique_ptr<guard::RateState> rates_;
    std::unique_ptr<projecting::ProjectionHost> host_;
    std::unique_ptr<Intake> intake_;
};

inline std::string reason_of(const events::JudgedEvent& judged) {
    return judged.verdict.refusal ? judged.verdict.refusal->reason : "";
}

}  // namespace footfall::intake
