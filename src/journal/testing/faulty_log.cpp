#include "journal_testing/faulty_log.h"

#include "foundation/check.h"

#include <algorithm>
#include <utility>

namespace footfall::journal {

using storage::CommitPosition;
using storage::DurableDone;

namespace {

std::vector<std::string_view> views_of(const std::vector<std::string>& records) {
    return {records.begin(), records.end()};
}

/// A FaultyLog over a subject's log.
class TornSubject final : public LogSubject {
public:
    explicit TornSubject(std::unique_ptr<LogSubject> inner) : inner_{std::move(inner)} { open(); }

    Log& log() override { return *log_; }

    void reopen() override {
        log_.reset();
        inner_->reopen();
        open();
    }

private:
    void open() {
        log_ = std::make_unique<FaultyLog>(inner_->log(), ++opened_, LogFaults{.tear_append = 0.5});
    }

    std::unique_ptr<LogSubject> inner_;
    std::uint64_t opened_ = 0;
    std::unique_ptr<FaultyLog> log_;
};

}  // namespace

std::unique_ptr<LogSubject> torn(std::unique_ptr<LogSubject> inner) {
    return std::make_unique<TornSubject>(std::move(inner));
}

FaultyLog::FaultyLog(Log& inner, std::uint64_t seed, LogFaults faults)
    : inner_{inner}, random_{seed}, faults_{faults} {}

FaultyLog::~FaultyLog() {
    inner_.on_lost_records({});
}

std::uint64_t FaultyLog::end(std::uint32_t lane) const {
    const std::scoped_lock lock{mutex_};
    const auto held = held_records_.find(lane);
    return inner_.end(lane) + (held == held_records_.end() ? 0 : held->second);
}

bool FaultyLog::draw(double chance) {
    return random_.fraction() < chance;
}

Result<CommitPosition> FaultyLog::append(
    std::uint32_t lane, std::span<const std::string_view> records
) {
    const std::scoped_lock lock{mutex_};
    if (losing_) {
        return fail(ErrorKind::unavailable, "log: records were lost");
    }
    if (draw(faults_.refuse_append)) {
        return fail(faults_.refuse_as, "log append: refused by the test");
    }
    if (!faults_.hold_appends && held_.empty()) {
        TRY(const CommitPosition below, give(lane, records));
        given_.push_back({.state = Given::State::given, .below = below});
        return given_.size();
    }
    for (const std::string_view record : records) {
        if (record.size() > record_bytes_max) {
            return fail(ErrorKind::invalid_input, "log append: a record too large");
        }
    }
    given_.push_back({});
    held_records_[lane] += records.size();
    held_.push_back(
        {.position = given_.size(), .lane = lane, .records = {records.begin(), records.end()}}
    );
    return given_.size();
}

/// Appends to the log below, together or one by one.
Result<CommitPosition> FaultyLog::give(
    std::uint32_t lane, std::span<const std::string_view> records
) {
    const bool whole = std::ranges::all_of(records, [](std::string_view record) {
        return record.size() <= record_bytes_max;
    });
    if (records.size() < 2 || !whole || !draw(faults_.tear_append)) {
        return inner_.append(lane, records);
    }
    CommitPosition last = 0;
    for (std::size_t at = 0; at < records.size(); ++at) {
        const Result<CommitPosition> below = inner_.append(lane, records.subspan(at, 1));
        if (!below && at == 0) {
            return below;
        }
        CHECK(below, "the log below took a part", below ? "" : below.error().message);
        last = *below;
    }
    return last;
}

CommitPosition FaultyLog::give_held(const Held& held) {
    const Result<CommitPosition> below = inner_.append(held.lane, views_of(held.records));
    CHECK(below, "the log below does not take it", below ? "" : below.error().message);
    return *below;
}

bool FaultyLog::durable(CommitPosition position) const {
    Given given;
    {
        const std::scoped_lock lock{mutex_};
        if (position == 0) {
            return true;
        }
        given = given_.at(position - 1);
    }
    return given.state == Given::State::given && inner_.durable(given.below);
}

void FaultyLog::when_durable(CommitPosition position, DurableDone done) {
    Given given{.state = Given::State::given};
    {
        const std::scoped_lock lock{mutex_};
        if (position > 0) {
            given = given_.at(position - 1);
        }
        if (given.state == Given::State::held) {
            waiters_.emplace(position, std::move(done));
            return;
        }
    }
    if (given.state == Given::State::lost) {
        done(fail(ErrorKind::outcome_unknown, "log: the record was lost"));
    } else {
        inner_.when_durable(given.below, std::move(done));
    }
}

Result<Records> FaultyLog::read(std::uint32_t lane, std::uint64_t from, ReadLimit limit) {
    {
        const std::scoped_lock lock{mutex_};
        if (draw(faults_.fail_read)) {
            return fail(faults_.fail_read_as, "log read: failed by the test");
        }
    }
    return inner_.read(lane, from, limit);
}

void FaultyLog::on_lost_records(std::move_only_function<void()> lost) {
    const std::scoped_lock lock{mutex_};
    lost_handler_ = std::move(lost);
    if (!lost_handler_) {
        inner_.on_lost_records({});
        return;
    }
    inner_.on_lost_records([this] { lost_handler_(); });
}

Result<void> FaultyLog::recover() {
    {
        const std::scoped_lock lock{mutex_};
        losing_ = false;
    }
    return inner_.recover();
}

void FaultyLog::set_faults(const LogFaults& faults) {
    const std::scoped_lock lock{mutex_};
    faults_ = faults;
}

std::size_t FaultyLog::held() const {
    const std::scoped_lock lock{mutex_};
    return held_.size();
}

void FaultyLog::take_waiters(CommitPosition position, Waiters& taken) {
    const auto [first, last] = waiters_.equal_range(position);
    for (auto waiter = first; waiter != last; ++waiter) {
        taken.emplace_back(given_.at(position - 1).below, std::move(waiter->second));
    }
    waiters_.erase(first, last);
}

void FaultyLog::release() {
    Waiters waiting;
    {
        const std::scoped_lock lock{mutex_};
        for (const Held& held : held_) {
            given_.at(held.position - 1) = {.state = Given::State::given, .below = give_held(held)};
            take_waiters(held.position, waiting);
        }
        held_.clear();
        held_records_.clear();
    }
    for (auto& [below, done] : waiting) {
        inner_.when_durable(below, std::move(done));
    }
}

void FaultyLog::lose() {
    Waiters waiting;
    {
        const std::scoped_lock lock{mutex_};
        std::size_t stand = random_.below(held_.size() + 1);
        for (const Held& held : held_) {
            if (stand > 0) {
                give_held(held);
                --stand;
            }
            given_.at(held.position - 1).state = Given::State::lost;
            take_waiters(held.position, waiting);
        }
        held_.clear();
        held_records_.clear();
        losing_ = true;
    }
    for (auto& [below, done] : waiting) {
        done(fail(ErrorKind::outcome_unknown, "log: the record was lost"));
    }
    if (lost_handler_) {
        lost_handler_();
    }
}

}  // namespace footfall::journal
