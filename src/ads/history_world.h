#pragma once

#include "ads/brute_answer.h"
#include "ads/ledger.h"
#include "ads/schema.h"
#include "foundation/clock.h"
#include "foundation/random.h"
#include "projecting/owners.h"
#include "storage/memory_store.h"
#include "storage_testing/faulty_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::ads {

/// A FaultyStore for one thread: whoever waits for a write has it written, or lost, at once.
class PromptStore final : public storage::Store {
public:
    PromptStore(storage::Store& disk, std::uint64_t seed, storage::FaultOptions options)
        : faulty_{disk, seed, options} {}

    storage::FaultyStore& faulty() { return faulty_; }

    Result<storage::CommitPosition> submit(const storage::Batch& batch) override {
        return faulty_.submit(batch);
    }

    bool durable(storage::CommitPosition position) const override {
        return faulty_.durable(position);
    }

    void when_durable(storage::CommitPosition position, storage::DurableDone done) override {
        faulty_.when_durable(position, std::move(done));
        faulty_.release_writes();
    }

    void read_many(
        const storage::Table& table,
        std::vector<std::vector<storage::Value>> keys,
        storage::FoundDone done
    ) override {
        faulty_.read_many(table, std::move(keys), std::move(done));
    }

    /// Calls this once, before the next range of the table is read.
    void before_range(const storage::Table& table, std::function<void()> function) {
        before_ = {&table, std::move(function)};
    }

    void read_range(storage::RangeQuery query, storage::PageDone done) override {
        if (query.table == before_.first) {
            std::exchange(before_, {}).second();
        }
        faulty_.read_range(std::move(query), std::move(done));
    }

    std::optional<Result<storage::Page>> read_range_now(const storage::RangeQuery& query) override {
        return faulty_.read_range_now(query);
    }

    void scan(storage::ScanQuery query, storage::PageDone done) override {
        faulty_.scan(std::move(query), std::move(done));
    }

    double pressure() const override { return faulty_.pressure(); }

    bool loses_only_the_end() const override { return faulty_.loses_only_the_end(); }

    Result<void> health() const override { return faulty_.health(); }

    storage::Subscription on_lost_writes(std::move_only_function<void()> handler) override {
        return faulty_.on_lost_writes(std::move(handler));
    }

private:
    storage::FaultyStore faulty_;
    std::pair<const storage::Table*, std::function<void()>> before_{};
};

/// Another process that counts every other lane, and answers with what the same ledger has: so
/// parties have no pages, and each question goes over the wire.
class OtherProcess final : public projecting::Owners {
public:
    explicit OtherProcess(const std::unique_ptr<Ledger>& ledger) : ledger_{ledger} {}

    std::optional<std::uint64_t> counted_here(std::uint32_t lane) override {
        return lane % 2 == 0 ? std::optional<std::uint64_t>{0} : std::nullopt;
    }

    projecting::LaneAnswers
    ask(std::string_view,
        std::span<const projecting::LaneQuestion> asked,
        std::string_view /*of_all*/) override {
        projecting::LaneAnswers answers;
        answers.of_asked.reserve(asked.size());
        for (const projecting::LaneQuestion& each : asked) {
            auto bytes = ledger_->answer(each.lane, each.bytes);
            EXPECT_TRUE(bytes) << bytes.error().message;
            answers.of_asked.emplace_back(projecting::LaneAnswer{.bytes = *std::move(bytes)});
        }
        return answers;
    }

private:
    const std::unique_ptr<Ledger>& ledger_;
};

/// A ledger over a store that may fail, the log of its lanes, and what brings both together as the
/// host of projections does: append, apply, and after a loss tell again from the checkpoint.
class HistoryWorld {
public:
    static constexpr std::uint32_t lanes = runtime::lane_count;
    static constexpr std::uint64_t log_id = 0x1122334455667788;

    /// `tears`: what is lost may stand in the store after all, each partition for itself. `shared`:
    /// half of the lanes are another process's.
    HistoryWorld(
        const std::string& zone, Instant start, std::uint64_t seed, bool tears, bool shared = false
    )
        : clock_{start},
          disk_{all_tables(), clock_},
          zone_{zone},
          seed_{seed},
          tears_{tears},
          shared_{shared} {
        story_.lanes.resize(lanes);
        story_.stored.resize(lanes);
        restart();
    }

    ManualClock& clock() { return clock_; }

    Ledger& ledger() { return *ledger_; }

    const std::string& zone() const { return zone_; }

    void append(std::uint32_t lane, events::LogRecord record) {
        log_[lane].push_back(std::move(record));
    }

    /// The story as far as the ledger was told.
    const brute::Story& story() const { return story_; }

    brute::Ledger brute() const {
        return brute::Ledger{story_, zone_, std::string{currency}, clock_.now()};
    }

    /// Hands out the version of a party's rates, for If-Match. Not while writes are in doubt.
    std::string version(PartyKind kind, const std::string& party) {
        std::string version = RateHistory::read(ledger_->store(), kind, party).value().version();
        story_.versions[version] = brute().count_changes(kind, party);
        return version;
    }

    /// Tells a lane at most so many of its next records.
    void apply(std::uint32_t lane, std::size_t most) {
        const std::size_t end = std::min(log_[lane].size(), told_[lane] + most);
        for (; told_[lane] < end; ++told_[lane]) {
            const std::size_t at = told_[lane];
            const events::LogRecord& record = log_[lane][at];
            if (const auto* const judged = std::get_if<events::JudgedEvent>(&record)) {
                const projecting::JudgedRecord one{.offset = at, .judged = judged, .person = {}};
                ledger_->apply(lane, {&one, 1});
            } else {
                ledger_->control(lane, at, std::get<events::Control>(record));
            }
            if (at == story_.lanes[lane].size()) {
                story_.lanes[lane].push_back(record);
            }
        }
    }

    void apply_all() {
        for (std::uint32_t lane = 0; lane < lanes; ++lane) {
            apply(lane, log_[lane].size());
        }
    }

    /// Writes what waits, while reads and writes fail now and then. What is lost comes again.
    void flush_with_faults(Random& random) {
        store_->faulty().set_options(
            {.refuse_submit = random.below(5) == 0 ? 1.0 : 0.0,
             .fail_write = random.below(3) == 0 ? 1.0 : 0.0,
             .lose_only_the_end = !tears_,
             .duplicate_write = 0.2,
             .fail_read = random.below(5) == 0 ? 0.05 : 0.0}
        );
        const bool all = random.below(2) == 0;
        const Result<void> flushed = ledger_->flush(all);
        store_->faulty().set_options({.lose_only_the_end = !tears_});
        if (lost_) {
            begin();
        } else if (flushed && all) {
            note_stored();
        }
    }

    /// Nothing is written.
    void refuse_a_flush() {
        store_->faulty().set_options({.refuse_submit = 1, .lose_only_the_end = !tears_});
        EXPECT_FALSE(ledger_->flush(true));
        store_->faulty().set_options({.lose_only_the_end = !tears_});
    }

    /// The write fails: some of it stands, what `tears` leaves whole. What is lost comes again.
    void flush_and_lose() {
        store_->faulty().set_options({.fail_write = 1, .lose_only_the_end = !tears_});
        EXPECT_FALSE(ledger_->flush(true));
        store_->faulty().set_options({.lose_only_the_end = !tears_});
        begin();
    }

    /// All that was told is in tables.
    void flush() {
        const Result<void> flushed = ledger_->flush(true);
        ASSERT_TRUE(flushed) << flushed.error().message;
        note_stored();
    }

    /// Remembers how far the tables are, as the host's checkpoints do.
    void take_checkpoints() {
        for (std::uint32_t lane = 0; lane < lanes; ++lane) {
            checkpoints_[lane] =
                std::max(checkpoints_[lane], ledger_->unsaved(lane).value_or(told_[lane]));
        }
    }

    /// A crash: what is not durable is lost.
    void restart() {
        losses_ = {};
        ledger_.reset();
        store_ = std::make_unique<PromptStore>(
            disk_, seed_++, storage::FaultOptions{.lose_only_the_end = !tears_}
        );
        losses_ = store_->on_lost_writes([this] {
            ledger_->drop();
            lost_ = true;
        });
        auto opened = Ledger::open(
            *store_,
            clock_,
            log_id,
            {.zone = zone_ == "UTC" ? LedgerZone{} : LedgerZone{TimeZone::find(zone_).value()},
             .currency = std::string{currency},
             .secret = {.k0 = 1, .k1 = 2},
             .owners = shared_ ? &other_process_ : nullptr}
        );
        ASSERT_TRUE(opened) << opened.error().message;
        ledger_ = *std::move(opened);
        begin();
    }

private:
    static constexpr std::string_view currency = "XXX";

    /// From the checkpoints on.
    void begin() {
        lost_ = false;
        std::vector<projecting::LaneStart> all;
        all.reserve(lanes);
        for (std::uint32_t lane = 0; lane < lanes; ++lane) {
            all.push_back({.lane = lane, .offset = checkpoints_[lane]});
        }
        const Result<void> begun = ledger_->begin(all);
        ASSERT_TRUE(begun) << begun.error().message;
        told_ = checkpoints_;
        apply_again();
    }

    /// What the ledger had been told: the story goes on from where it was.
    void apply_again() {
        for (std::uint32_t lane = 0; lane < lanes; ++lane) {
            apply(lane, story_.lanes[lane].size() - told_[lane]);
        }
    }

    void note_stored() {
        for (std::uint32_t lane = 0; lane < lanes; ++lane) {
            story_.stored[lane] = told_[lane];
        }
    }

    ManualClock clock_;
    storage::MemoryStore disk_;
    std::string zone_;
    std::uint64_t seed_;
    bool tears_;
    bool shared_;
    std::unique_ptr<PromptStore> store_;
    std::unique_ptr<Ledger> ledger_;
    OtherProcess other_process_{ledger_};
    storage::Subscription losses_;
    bool lost_ = false;
    std::vector<std::vector<events::LogRecord>> log_{lanes};
    std::vector<std::size_t> told_ = std::vector<std::size_t>(lanes);
    std::vector<std::size_t> checkpoints_ = std::vector<std::size_t>(lanes);
    brute::Story story_;
};

}  // namespace footfall::ads
