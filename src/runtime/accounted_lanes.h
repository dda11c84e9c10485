#pragma once

#include "runtime/lanes.h"

#include <atomic>
#include <concepts>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>

namespace footfall::runtime {

/// What an account says of a lane's memory.
struct AccountAudit {
    std::size_t booked = 0;
    std::size_t counted = 0;  ///< The same, counted anew.
};

/// Whose account of memory is to be checked, by lane.
struct AuditedAccount {
    std::string of;
    std::function<AccountAudit(std::size_t lane)> audit;
};

/// State that says what memory it takes: cheaply, and by counting all of it anew.
template <class State>
concept Accounted = requires(const State& state) {
    { state.bytes() } -> std::same_as<std::size_t>;
    { state.recount() } -> std::same_as<std::size_t>;
};

/// Lanes whose memory is booked in one sum. Nobody reaches a lane's state to change it but through
/// change(), which books what it takes after that: so no change can be forgotten.
///
/// Thread-safe as Lanes is. Cost: that of Lanes, and an addition where the bytes changed.
template <Accounted State>
class AccountedLanes {
public:
    static constexpr std::size_t count = Lanes<State>::count;

    /// Runs `function(State&)` with the lane's mutex held.
    template <class Function>
    auto change(std::size_t lane, Function&& function) {
        return lanes_.with(lane, [&](Booked& entered) {
            const Rebook rebook{entered, sum_};
            return std::forward<Function>(function)(entered.state);
        });
    }

    /// Runs `function(const State&)` with the lane's mutex held.
    template <class Function>
    auto look(std::size_t lane, Function&& function) {
        return lanes_.with(lane, [&](const Booked& entered) {
            return std::forward<Function>(function)(entered.state);
        });
    }

    /// What all lanes take, as booked.
    std::size_t bytes() const { return sum_.load(std::memory_order_relaxed); }

    /// Costs what the lane has entries.
    AccountAudit audit(std::size_t lane) {
        return lanes_.with(lane, [&](const Booked& entered) {
            return AccountAudit{.booked = entered.bytes, .counted = entered.state.recount()};
        });
    }

private:
    struct Booked {
        State state{};
        std::size_t bytes = 0;
    };

    class Rebook {
    public:
        Rebook(Booked& entered, std::atomic<std::size_t>& sum) : entered_{entered}, sum_{sum} {}

        Rebook(const Rebook&) = delete;
        Rebook& operator=(const Rebook&) = delete;

        ~Rebook() {
            const std::size_t now = entered_.state.bytes();
            if (now != entered_.bytes) {
                sum_.fetch_add(now - entered_.bytes, std::memory_order_relaxed);  // may wrap
                entered_.bytes = now;
            }
        }

    private:
        Booked& entered_;
        std::atomic<std::size_t>& sum_;
    };

    Lanes<Booked> lanes_;
    std::atomic<std::size_t> sum_ = 0;
};

}  // namespace footfall::runtime
