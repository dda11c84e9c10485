#include "storage_cassandra/request_gate.h"

#include "foundation/check.h"

#include <vector>

namespace footfall::storage_cassandra {
namespace {

std::unexpected<Error> too_many() {
    return fail(ErrorKind::overloaded, "too many reads at once");
}

std::unexpected<Error> too_late() {
    return fail(ErrorKind::overloaded, "the store is slow, and others were before this");
}

std::unexpected<Error> is_closed() {
    return fail(ErrorKind::unavailable, "closed");
}

}  // namespace

RequestGate::Pass::~Pass() {
    if (gate_ != nullptr) {
        gate_->end([](Limiter& limiter) { limiter.abandon(); });
    }
}

void RequestGate::Pass::leave(bool failed, std::uint32_t speculations) {
    RequestGate* const gate = std::exchange(gate_, nullptr);
    CHECK(gate != nullptr, "a request ends once");
    gate->end([&](Limiter& limiter) { limiter.end(begun_, failed, speculations); });
}

RequestGate::RequestGate(
    Options options, std::string_view kind, const Clock& clock, metrics::Metrics& metrics
)
    : options_{options}, clock_{clock}, metrics_{kind, metrics}, limiter_{options.limiter, clock} {}

/// With mutex_.
std::optional<RequestGate::Pass> RequestGate::try_pass() {
    const auto speculate_after = limiter_.speculate_after();
    const std::optional<Instant> begun = limiter_.try_begin();
    if (!begun) {
        return std::nullopt;
    }
    return Pass{*this, *begun, speculate_after};
}

std::optional<RequestGate::Pass> RequestGate::try_enter() {
    const std::scoped_lock lock{mutex_};
    if (closed_ || !waiting_.empty()) {
        return std::nullopt;
    }
    return try_pass();
}

void RequestGate::enter(Turn turn) {
    if (std::optional<Result<Pass>> now = pass_or_wait(turn)) {
        turn(*std::move(now));
    }
}

/// Takes `turn` only if it has to wait.
std::optional<Result<RequestGate::Pass>> RequestGate::pass_or_wait(Turn& turn) {
    const std::scoped_lock lock{mutex_};
    if (closed_) {
        return is_closed();
    }
    std::optional<Pass> pass = waiting_.empty() ? try_pass() : std::nullopt;
    if (pass) {
        return *std::move(pass);
    }
    if (waiting_.size() >= options_.waiting) {
        return too_many();
    }
    waiting_.push_back({std::move(turn), clock_.now()});
    return std::nullopt;
}

/// One thread at a time does, so that who ends, or begins, requests in a turn does not do so inside
/// itself.
void RequestGate::give_turns() {
    std::unique_lock lock{mutex_};
    if (giving_turns_) {
        return;
    }
    giving_turns_ = true;
    while (!waiting_.empty()) {
        std::optional<Pass> pass = try_pass();
        if (!pass) {
            break;
        }
        Turn turn = std::move(waiting_.front().turn);
        waiting_.pop_front();
        lock.unlock();
        turn(*std::move(pass));
        turn = {};  // what it holds may end a request
        lock.lock();
    }
    giving_turns_ = false;
}

void RequestGate::end(const std::function<void(Limiter&)>& request) {
    {
        const std::scoped_lock lock{mutex_};
        request(limiter_);
    }
    give_turns();
}

bool RequestGate::is_throttled() const {
    const std::scoped_lock lock{mutex_};
    return limiter_.is_throttled();
}

void RequestGate::tick() {
    std::vector<Turn> late;
    {
        const std::scoped_lock lock{mutex_};
        const Instant now = clock_.now();
        while (!waiting_.empty() && now - waiting_.front().since > options_.patience) {
            late.push_back(std::move(waiting_.front().turn));
            waiting_.pop_front();
        }
        metrics_.tell(limiter_);
    }
    for (Turn& turn : late) {
        turn(too_late());
    }
    give_turns();
}

void RequestGate::close() {
    std::deque<Waiting> waiting;
    {
        const std::scoped_lock lock{mutex_};
        closed_ = true;
        waiting = std::exchange(waiting_, {});
    }
    for (Waiting& each : waiting) {
        each.turn(is_closed());
    }
}

}  // namespace footfall::storage_cassandra
