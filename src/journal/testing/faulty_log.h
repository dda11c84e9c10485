#pragma once

#include "foundation/random.h"
#include "journal/log.h"
#include "journal_testing/log_contract.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace footfall::journal {

/// What goes wrong, and how often: chances from 0 to 1, each drawn for each call.
struct LogFaults {
    /// append() answers `refuse_as` and does nothing.
    double refuse_append = 0;
    ErrorKind refuse_as = ErrorKind::overloaded;
    /// read() answers `fail_read_as`.
    double fail_read = 0;
    ErrorKind fail_read_as = ErrorKind::timed_out;
    /// Records that were appended together reach the log below one by one.
    double tear_append = 0;
    /// What is appended is held, neither readable nor durable, until release() or lose().
    bool hold_appends = false;
};

/// A Log that fails as real ones do, over one that does not: for tests of whatever must survive it.
/// One seed gives the same faults for the same calls. Nothing sleeps; what is late is late until
/// the test releases it. With torn appends it keeps the Log contract (the contract suite runs on
/// it, over each log).
///
/// Destroying it is a crash: what is held is dropped and nobody is told. The log below is then what
/// was on disk.
///
/// Thread-safe as a Log is; nobody appends during release() and lose().
class FaultyLog final : public Log {
public:
    FaultyLog(Log& inner, std::uint64_t seed, LogFaults faults = {});
    ~FaultyLog() override;
    FaultyLog(const FaultyLog&) = delete;
    FaultyLog& operator=(const FaultyLog&) = delete;

    LogId id() const override { return inner_.id(); }

    std::uint32_t lanes() const override { return inner_.lanes(); }

    std::uint64_t begin(std::uint32_t lane) const override { return inner_.begin(lane); }

    Result<void> find_begins() override { return inner_.find_begins(); }

    void rest(std::uint32_t lane) override { inner_.rest(lane); }

    std::uint64_t end(std::uint32_t lane) const override;
    Result<storage::CommitPosition> append(
        std::uint32_t lane, std::span<const std::string_view> records
    ) override;
    bool durable(storage::CommitPosition position) const override;
    void when_durable(storage::CommitPosition position, storage::DurableDone done) override;
    Result<Records> read(std::uint32_t lane, std::uint64_t from, ReadLimit limit) override;

    Result<void> retain(std::uint32_t lane, std::uint64_t from) override {
        return inner_.retain(lane, from);
    }

    void on_lost_records(std::move_only_function<void()> lost) override;
    Result<void> recover() override;

    /// Changes the faults from here on; what is held stays held.
    void set_faults(const LogFaults& faults);

    /// How many appends are held.
    std::size_t held() const;

    /// Gives all that is held to the log below, in order.
    void release();

    /// Loses all that is held: the waiters get outcome_unknown, appends are refused until
    /// recover(), and who asked for it is told. Of what is lost a beginning, drawn, stands in the
    /// log all the same.
    void lose();

private:
    /// One append: where the log below has it, once it does.
    struct Given {
        enum class State { held, given, lost } state = State::held;
        storage::CommitPosition below = 0;
    };

    struct Held {
        storage::CommitPosition position;
        std::uint32_t lane;
        std::vector<std::string> records;
    };

    using Waiters = std::vector<std::pair<storage::CommitPosition, storage::DurableDone>>;

    // With mutex_ held.
    bool draw(double chance);
    Result<storage::CommitPosition> give(
        std::uint32_t lane, std::span<const std::string_view> records
    );
    storage::CommitPosition give_held(const Held& held);
    void take_waiters(storage::CommitPosition position, Waiters& taken);

    Log& inner_;

    mutable std::mutex mutex_;  // guards all below
    Random random_;
    LogFaults faults_;
    std::vector<Given> given_;  ///< By position, from 1 on.
    std::deque<Held> held_;
    std::map<std::uint32_t, std::uint64_t> held_records_;  ///< By lane.
    std::multimap<storage::CommitPosition, storage::DurableDone> waiters_;
    std::move_only_function<void()> lost_handler_;
    bool losing_ = false;
};

/// A subject of the contract suite around another one: half of what is appended together reaches it
/// one by one.
std::unique_ptr<LogSubject> torn(std::unique_ptr<LogSubject> inner);

}  // namespace footfall::journal
