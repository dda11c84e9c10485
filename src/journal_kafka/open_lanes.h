#pragma once

#include "metrics/metrics.h"
#include "runtime/turns.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

namespace footfall::journal_kafka {

/// Which lanes of a topic are open to be read: a few at once, since each reads ahead, and each used
/// by one thread at a time. The one that was not used for longest is closed where another one is to
/// be opened, and any that nobody used for a while.
///
/// Thread-safe. A thread that uses a lane must not ask for another one.
class OpenLanes {
public:
    struct Options {
        std::size_t most = 8;                    ///< Open at once; above 0.
        std::chrono::milliseconds idle{30'000};  ///< Closed when unused so long, or half more.
        metrics::Metrics* metrics = nullptr;     ///< Null: not told.
    };

    /// What closes a lane. Called for one that is open, while nobody uses it and no lock is held.
    using Close = std::function<void(std::uint32_t)>;

    OpenLanes(const Options& options, Close close);
    OpenLanes(const OpenLanes&) = delete;
    OpenLanes& operator=(const OpenLanes&) = delete;

    /// Closes all, which nobody may use any more.
    ~OpenLanes();

    /// The right to use a lane, as long as it lives.
    class Use {
    public:
        Use(OpenLanes& lanes, std::uint32_t lane) : lanes_{&lanes}, lane_{lane} {}

        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

        ~Use() { lanes_->give_back(lane_); }

    private:
        OpenLanes* lanes_;
        std::uint32_t lane_;
    };

    /// Waits until nobody uses the lane, and, where it is not open, until there is room for it.
    [[nodiscard]] Use use(std::uint32_t lane);

    /// Closes the lane if it is open. Waits for whoever uses it.
    void close(std::uint32_t lane);

    /// How many are open.
    std::size_t count() const;

private:
    using Time = std::chrono::steady_clock::time_point;

    struct Open {
        std::uint32_t lane = 0;
        bool used = true;  ///< Or being closed.
        Time last_used = {};
    };

    Open* find(std::uint32_t lane);
    Open* longest_unused();
    void give_back(std::uint32_t lane);
    void close(std::unique_lock<std::mutex>& lock, Open& lane);
    void close_idle();
    void tell();

    const Options options_;
    const Close close_;
    std::optional<metrics::Gauge> open_gauge_;
    std::optional<metrics::Counter> opened_counter_;
    mutable std::mutex mutex_;  ///< Guards the next.
    std::vector<Open> open_;
    std::condition_variable changed_;
    runtime::Turns turns_;  // last: ends before what it uses
};

}  // namespace footfall::journal_kafka
