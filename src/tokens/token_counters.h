#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "metrics/metrics.h"
#include "runtime/memory_shares.h"
#include "storage/store.h"
#include "tokens/activity.h"
#include "tokens/counted_object.h"
#include "tokens/counter_config.h"
#include "tokens/object_cache.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace footfall::tokens {

/// Connects tokens with objects and answers how many distinct live tokens an object has: exact up
/// to the counter's limit, durable before the answer is given away, each token expiring by the
/// injected clock.
///
/// put() and get() never wait. For an object in memory, or one that the store can load without
/// waiting for its disk, the answer comes back at once; it may be given away when the store says
/// that its position is durable. For any other the operation waits, bounded, until the object is
/// loaded, and `done` is called with the answer on a thread of the store. Putting a token again
/// changes nothing but its expiry, so repeating a PUT whose outcome is unknown is safe.
///
/// Errors: invalid_input (names, ttl), overloaded (the object's or the store's queue is full),
/// unavailable, corrupt.
///
/// State: the objects in memory, by lane (object_cache.h), within `memory_bytes`: those that were
/// not used again go first, and come back with the same counts. When the store loses writes all
/// are dropped and loaded again. Thread-safe. `store` and `clock` must outlive it, and the store
/// must be closed (no more callbacks) before it is destroyed.
///
/// Cost: about 0.3 us for an object in memory, beside what the store takes for the row.
class TokenCounters {
public:
    struct Options {
        std::vector<CounterConfig> counters = {CounterConfig{}};
        /// The share of memory for objects, counted as the heap rounds it. What is not durable yet
        /// stays whatever it takes.
        std::size_t memory_bytes = 128 << 20;
        runtime::MemoryShare* memory = nullptr;  ///< Says how much, in place of memory_bytes.
        /// Operations that may wait for one object to be loaded.
        std::size_t waiting_limit = 10'000;
        /// Where other processes put tokens, too: for how long an object that was loaded is
        /// answered from memory before the store is asked again (longer from 4,000 tokens on, 0.25
        /// ms each, so that loading one takes at most a hundredth of a core). Own tokens are seen
        /// at once. Absent: nobody else writes.
        std::optional<std::chrono::milliseconds> fresh_for = {};
        /// About so many rows of an object lie in one partition of the token table before more are
        /// used (levels.h); 0: any number, for a store that does not care.
        std::size_t rows_a_partition = 0;
    };

    TokenCounters(
        storage::Store& store,
        const Clock& clock,
        SipKey secret,
        metrics::Metrics& metrics,
        Options options
    );
    TokenCounters(const TokenCounters&) = delete;
    TokenCounters& operator=(const TokenCounters&) = delete;
    ~TokenCounters() = default;

    /// The counter of this name; not_found says how to configure one.
    Result<const CounterConfig*> counter(std::string_view name) const;

    /// Puts a token on an object and answers the count after it, if that needs no waiting. Absent:
    /// nothing was put, ask put(); the object may be on its way already.
    std::optional<Result<Count>> put_now(
        const CounterConfig& config,
        std::string_view object,
        std::string_view token,
        std::optional<std::chrono::seconds> ttl
    );

    /// The same for any object. `done` is called once, within the call or later.
    void put(
        const CounterConfig& config,
        std::string_view object,
        std::string_view token,
        std::optional<std::chrono::seconds> ttl,
        CountDone done
    );

    /// The count of an object, if that needs no waiting; else absent, as put_now().
    std::optional<Result<Count>> get_now(const CounterConfig& config, std::string_view object);

    /// The same for any object; 0 for one never heard of. `done` is called once, within the call or
    /// later.
    void get(const CounterConfig& config, std::string_view object, CountDone done);

    /// What happened in the closed seconds [from, before): for the live chart.
    std::vector<ActivitySecond> activity_between(std::int64_t from, std::int64_t before);

    /// Store::pressure(): above 0.8 or so whoever puts many tokens should pause.
    double pressure() const { return cache_.pressure(); }

    const Clock& clock() const { return *clock_; }

    /// The lane of an object: part of its directory rows.
    std::int64_t lane_of(const CounterConfig& config, std::string_view object) const;

    /// What objects in memory take now.
    MemoryUse memory_use() const { return cache_.memory_use(); }

    /// Counts anew what a lane of them takes. Costs what the lane has objects, 1/64 of all, with
    /// the lane's mutex held.
    MemoryAudit audit(std::size_t lane) { return cache_.audit(lane); }

private:
    std::uint16_t index_of(const CounterConfig& config) const;
    Result<Operation> put_operation(
        const CounterConfig& config,
        std::string_view object,
        std::string_view token,
        std::optional<std::chrono::seconds> ttl
    ) const;

    const Clock* clock_;
    const SipKey secret_;
    const std::vector<CounterConfig> counters_;
    ObjectCache cache_;
};

}  // namespace footfall::tokens
