#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "storage/store.h"
#include "webhooks/hook_rows.h"
#include "webhooks/poster.h"
#include "webhooks/source.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace footfall::webhooks {

/// Sends each receiver the changes of its subject, in the order of their numbers, each at least
/// once: what is not answered with 2xx is sent again, later and later (wait_after), and given up
/// after some days. How far a receiver is stands in a row once it has answered, so a killed process
/// sends at most its last changes again, under the same ids.
///
/// One process of a deployment delivers at a time; if two do for a moment, some changes come twice.
///
/// State: hooks and how far each is, behind a mutex that is never held while anything is sent or
/// read. Thread-safe; any number of threads call deliver(), each with a Poster of its own, and no
/// hook is worked on by two.
class Deliveries {
public:
    struct Options {
        std::chrono::milliseconds give_up_after = std::chrono::hours{72};
        std::size_t changes_max = 500;  ///< In a request.
        /// How long a receiver that has everything is left alone.
        std::chrono::milliseconds idle = std::chrono::milliseconds{500};
    };

    /// For metrics.
    struct Figures {
        std::size_t hooks = 0;
        std::size_t failing = 0;  ///< Failed last time, and are tried again.
        std::size_t dead = 0;
        std::uint64_t delivered = 0;  ///< Changes, since the start.
        std::uint64_t failures = 0;   ///< Of requests, since the start.
    };

    /// All must outlive it.
    Deliveries(storage::Store& store, const Clock& clock, Source& source, Options options);

    /// Reads the rows: hooks that were added, changed, removed or resumed here or elsewhere hold
    /// from then on. Failures: the store's; all stays as it was.
    Result<void> refresh();

    /// Sends one receiver what is due, at most one request. Answers how long there is nothing to do
    /// for anybody: 0 where a request was made. A receiver that fails is no failure of this.
    Result<std::chrono::milliseconds> deliver(Poster& poster, const std::stop_token& stop);

    Figures figures() const;

private:
    struct Entry {
        Hook hook;
        Progress progress;
        bool taken = false;  ///< A thread works on it.
    };

    struct Taken {
        Hook hook;
        Progress progress;
    };

    std::optional<Taken> take_due();
    void give_back(const Hook& hook, const Progress& progress);
    std::chrono::milliseconds until_due() const;
    Result<bool> send(const Hook& hook, Progress& progress, Poster& poster, const std::stop_token&);
    void note_answer(const Result<Reply>& reply, const Hook& hook, Progress& progress);
    Result<void> write(const Hook& hook, const Progress& progress);

    storage::Store* store_;
    const Clock* clock_;
    Source* source_;
    const Options options_;
    mutable std::mutex mutex_;
    std::map<std::string, Entry, std::less<>> entries_;  ///< Guarded by mutex_.
    std::atomic<std::uint64_t> delivered_ = 0;
    std::atomic<std::uint64_t> failures_ = 0;
};

}  // namespace footfall::webhooks
