#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "metrics/metrics.h"
#include "runtime/lanes.h"
#include "storage/store.h"
#include "tokens/activity.h"
#include "tokens/counted_object.h"
#include "tokens/counter_config.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::tokens {

/// Connects tokens with objects and answers how many distinct live tokens an object has: exact up
/// to the counter's limit, durable before the answer is given away, each token expiring by the
/// injected clock.
///
/// put() and get() never wait. For an object in memory the answer comes back at once; it may be
/// given away when the store says that its position is durable. For any other the operation waits,
/// bounded, until the object is loaded, and `done` is called with the answer on a thread of the
/// store. Putting a token again changes nothing but its expiry, so repeating a PUT whose outcome is
/// unknown is safe.
///
/// Errors: invalid_input (names, ttl), overloaded (the object's or the store's queue is full),
/// unavailable, corrupt.
///
/// State: 64 lanes, each with the objects whose hash names it, under the lane's mutex; nothing is
/// shared between lanes. When the store loses writes all objects are dropped and loaded again.
/// Thread-safe. `store` and `clock` must outlive it, and the store must be closed (no more
/// callbacks) before it is destroyed.
class TokenCounters {
public:
    struct Options {
        std::vector<CounterConfig> counters = {CounterConfig{}};
        std::size_t waiting_limit =
            10'000;  ///< Operations that may wait for one object to be loaded.
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

    /// Puts a token on an object and answers the count after it, if the object is in memory;
    /// absent, with nothing done, if it is not.
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

    /// The count of an object, if it is in memory; else absent.
    std::optional<Result<Count>> get_now(const CounterConfig& config, std::string_view object);

    /// The same for any object; 0 for one never heard of. `done` is called once, within the call or
    /// later.
    void get(const CounterConfig& config, std::string_view object, CountDone done);

    /// What happened in the closed seconds [from, before): for the live chart.
    std::vector<ActivitySecond> activity_between(std::int64_t from, std::int64_t before);

    const Clock& clock() const { return *clock_; }

    /// The lane of an object: part of its directory rows.
    std::int64_t lane_of(const CounterConfig& config, std::string_view object) const;

private:
    struct Waiting {
        Operation operation;  ///< Its `token` points into `token` below.
        std::string token;
        CountDone done;
    };

    /// An object in memory, or on its way there.
    struct Entry {
        std::optional<CountedObject> object;  ///< Absent while it is loaded.
        bool busy = false;            ///< Being loaded, or a row of it being read: operations wait.
        std::deque<Waiting> waiting;  ///< In order of arrival; empty unless busy.
    };

    using Answers = std::vector<std::pair<CountDone, Result<Count>>>;

    struct NameHash {
        using is_transparent = void;
        using is_avalanching = void;
        SipKey secret;

        std::size_t operator()(std::string_view name) const { return siphash13(secret, name); }
    };

    struct NameEqual {
        using is_transparent = void;

        bool operator()(std::string_view left, std::string_view right) const {
            return left == right;
        }
    };

    /// Objects by counter and name. The entry stays where it is while the map grows.
    using Objects =
        boost::unordered_flat_map<std::string, std::unique_ptr<Entry>, NameHash, NameEqual>;

    struct LaneState {
        Objects objects;  ///< Made anew in the constructor, with the secret.
        storage::Batch scratch;
        ActivitySecond activity;
    };

    struct Key {
        const CounterConfig* config;
        std::string full_name;  ///< The counter's index as two bytes, then the object's name.
        std::size_t lane;

        std::string_view object() const { return std::string_view{full_name}.substr(2); }
    };

    /// What follows once the lane's mutex is released.
    struct Followup {
        enum class Kind { none, load, probe };
        Kind kind = Kind::none;
        std::string token = {};             ///< The row to probe,
        std::int64_t expiry = 0;            ///< for a PUT that would expire then.
        storage::CommitPosition after = 0;  ///< What has to be durable before the store is asked.
    };

    Key key_of(const CounterConfig& config, std::string_view object) const;
    Result<Operation> put_operation(
        const CounterConfig& config,
        std::string_view object,
        std::string_view token,
        std::optional<std::chrono::seconds> ttl
    ) const;
    std::optional<Result<Count>> operate_now(const Key& key, const Operation& operation);
    void operate(const Key& key, const Operation& operation, CountDone done);
    std::optional<Result<Count>> operate_or_queue(
        LaneState& lane,
        const Key& key,
        const Operation& operation,
        CountDone& done,
        Followup& followup
    );
    Applied apply_in_lane(
        LaneState& lane, const Key& key, Entry& entry, const Operation& operation
    );
    Followup suspend(Entry& entry, const Operation& operation, Applied::Step step) const;
    void follow(Key key, Followup followup);
    void load(Key key);
    void probe(Key key, const Followup& followup);
    void take_loaded(Key key, std::uint64_t incarnation, Result<CountedObject> loaded);
    void take_probed(
        Key key, std::uint64_t incarnation, std::int64_t expiry, Result<storage::Found> found
    );
    Followup resume(LaneState& lane, const Key& key, Answers& answers);
    void drop_objects();
    void note(LaneState& lane, const Applied& applied, Instant now);

    storage::Store* store_;
    const Clock* clock_;
    const SipKey secret_;
    const Options options_;
    metrics::Counter puts_;
    metrics::Counter added_;
    metrics::Counter loads_;
    runtime::Lanes<LaneState> lanes_;
    Activity activity_;
    std::atomic<std::uint64_t> incarnation_ =
        0;  ///< Raised when writes were lost; what was loaded before is void.
};

}  // namespace footfall::tokens
