#pragma once

#include "runtime/blocking_pool.h"
#include "storage/store.h"
#include "tokens/token_counters.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace footfall::tokens::routes {

/// The ten largest objects of a counter as JSON, for everybody who watches: however many they are,
/// they are looked up at most once a second, for a tenth of the time, and only while somebody
/// watches. Thread-safe. What it is made with must outlive it, and `pool` be stopped before it
/// goes.
class LargestCache {
public:
    struct Snapshot {
        std::uint64_t version = 0;  ///< Grows when the content changes; 0: nothing yet.
        std::string json;
    };

    LargestCache(
        storage::Store& store,
        tokens::TokenCounters& counters,
        const tokens::CounterConfig& config,
        runtime::BlockingPool& pool
    );

    /// The latest; has a newer one made if this one is a second old.
    std::shared_ptr<const Snapshot> latest();

private:
    void refresh();

    storage::Store* store_;
    tokens::TokenCounters* counters_;
    const tokens::CounterConfig* config_;
    runtime::BlockingPool* pool_;
    std::mutex mutex_;
    std::shared_ptr<const Snapshot> snapshot_ = std::make_shared<Snapshot>();  // guarded by mutex_
    std::chrono::steady_clock::time_point refresh_next_;                       // guarded by mutex_
    bool refreshing_ = false;                                                  // guarded by mutex_
};

}  // namespace footfall::tokens::routes
