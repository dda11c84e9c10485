#pragma once

#include "foundation/result.h"
#include "guard/rate.h"
#include "guard/shared_rates.h"
#include "guard_redis/connection.h"
#include "guard_redis/note_queue.h"
#include "guard_redis/rate_words.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace footfall::guard_redis {

/// What processes share for rules on rates, in one Redis.
///
/// Who asks does so itself, by a connection of its own out of those that are idle, and gives up at
/// the deadline. One thread tells what was noted, and looks once in a while whether Redis is back:
/// while it is away nobody waits for it, and nothing fails but the answer.
///
/// Thread-safe. Cost: to ask about 40 us a batch on the same machine, and 1 to 2 a key; to note 50
/// ns, and 1 us on the thread that tells.
class RedisRates final : public guard::SharedRates {
public:
    struct Options {
        std::string address = "127.0.0.1";  ///< Numeric: is_numeric_address().
        std::uint16_t port = 6379;
        std::string deployment;  ///< Stands before its keys, for several may use one Redis.
        std::uint64_t log = 0;   ///< The id of the log that this process judges.
        /// For all answers to at most `questions_at_once` questions; and for telling a block.
        std::chrono::milliseconds deadline{50};
        std::chrono::milliseconds pause{1000};  ///< Away, it is looked for so often.
        std::size_t notes_max = 1 << 16;        ///< Wait to be told at most; 48 bytes each.
    };

    static constexpr std::size_t questions_at_once = 2000;

    /// Waits to see whether it is there, at most for the deadline; that it is not is no failure.
    explicit RedisRates(Options options);

    RedisRates(const RedisRates&) = delete;
    RedisRates& operator=(const RedisRates&) = delete;

    /// Tells what is left if Redis is there and takes it within a second.
    ~RedisRates() override;

    bool ask(std::span<const guard::RateQuestion> questions, guard::RateState& own) override;
    void note(std::span<const guard::RateNote> notes) override;
    void settle() override;

    struct Figures {
        std::uint64_t asks = 0;            ///< Times that somebody asked,
        std::uint64_t answers = 0;         ///< and of them was answered.
        std::uint64_t failures = 0;        ///< Of what was sent; while it is away nothing is.
        std::uint64_t told = 0;            ///< Counted events that others can know of,
        std::uint64_t dropped = 0;         ///< and that they never will.
        std::size_t waiting = 0;           ///< To be told.
        std::chrono::microseconds away{};  ///< Time without it, since the start.
    };

    Figures figures() const;

private:
    using Steady = std::chrono::steady_clock;

    Result<void> ask_all(
        std::unique_ptr<Connection>& connection,
        std::span<const guard::RateQuestion> questions,
        guard::RateState& own
    ) const;
    Result<void> ask_some(
        Connection& connection,
        std::span<const guard::RateQuestion> questions,
        Deadline deadline,
        guard::RateState& own
    ) const;
    Result<void> tell_some(
        Connection& connection, std::span<guard::RateNote> notes, Deadline deadline
    ) const;
    template <class Use>
    Result<void> by(std::unique_ptr<Connection>& connection, Deadline deadline, Use use) const;

    void tell(const std::stop_token& stop);
    bool wait_for_work(std::unique_lock<std::mutex>& lock, const std::stop_token& stop);
    void went_away(const Error& error);
    void came_back();

    const Options options_;
    const RateWords words_;

    mutable std::mutex mutex_;
    std::condition_variable_any teller_wakes_;
    std::condition_variable told_;
    // Guarded by the mutex:
    std::vector<std::unique_ptr<Connection>> idle_;
    NoteQueue queue_;
    std::size_t telling_ = 0;  ///< Have left the queue and are not told yet.
    bool looked_ = false;      ///< At least once.
    std::optional<Steady::time_point> away_since_;
    Steady::time_point look_at_;
    std::chrono::microseconds away_before_{};  ///< In the times it was away before.
    Steady::time_point closing_ends_;
    Figures figures_;

    std::jthread teller_;
};

}  // namespace footfall::guard_redis
