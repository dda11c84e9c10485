#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "storage/store.h"
#include "tokens/counter_config.h"
#include "tokens/token_set.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace footfall::tokens {

/// The answer to a PUT or a GET. It may be given away once `position` is durable.
struct Count {
    std::uint64_t count = 0;
    bool at_least = false;  ///< There may be more live tokens than `count`; else it is exact.
    std::uint32_t limit = 0;
    storage::CommitPosition position = 0;
};

using CountDone = std::move_only_function<void(Result<Count>)>;

/// What is asked of an object: a PUT with a token, or a GET.
struct Operation {
    enum class Kind { put, get };

    Kind kind = Kind::get;
    std::string_view token = {};
    std::uint64_t token_hash = 0;
    std::optional<std::chrono::seconds> ttl = {};  ///< Effective, not as asked.
    bool explicit_ttl = false;  ///< The PUT named a ttl, so it may be shorter than what is stored.
    /// The span whose stored row was looked at: the PUT lives longer than that.
    std::optional<std::int64_t> probed_span = {};
};

/// Where an object lives and what its rows are called.
struct ObjectPlace {
    const CounterConfig* config;
    std::string_view object;
    std::int64_t lane;
    std::size_t rows_a_partition = 0;  ///< As of TokenCounters::Options.
};

/// A span whose rows lie in more levels than the first (levels.h).
struct SpanLevel {
    std::int64_t span;
    std::int64_t level = 0;   ///< The highest.
    std::int64_t marked = 0;  ///< Up to here the levels below say so for certain (DirectoryEntry).
};

/// Where the directory has an object: in the row of this class, which counts at least until
/// `expiry`.
struct DirectoryEntry {
    std::int64_t expiry = 0;
    std::int8_t size_class = -1;  ///< -1: nowhere, and no token of the object is stored.
    /// It is there for certain: written since the object was loaded, or the store never parts what
    /// was written together. Else, should a batch have been lost in part, the next PUT mends it.
    bool confirmed = false;

    friend bool operator==(const DirectoryEntry&, const DirectoryEntry&) = default;
};

/// So many tokens at most are held by short hashes: of more, too many would look alike.
inline constexpr std::size_t short_hashes_max = 32;

/// What only few objects need to remember.
struct RareState {
    bool saturated = false;  ///< There may be live tokens that the set does not hold.
    std::vector<std::int64_t>
        known_spans;  ///< Rows of token_span that exist. Only for counters without a ttl.
    std::vector<SpanLevel> levels;  ///< Of the spans that have more than level 0.
    /// With fewer live tokens than this it is worth loading the object again; 0 while it is exact.
    std::size_t reload_below = 0;
    /// From this moment on (milliseconds) it is worth it in any case: rows that had expired stood
    /// in the way of the load, and then their span is over.
    std::int64_t reload_at = never;
};

/// The hot state of one object: its live tokens and what the store is known to hold about it.
/// Guarded by its lane.
///
/// Invariant: every live token of the set is in the store or in a batch submitted before
/// `last_position`; unless `saturated`, the set holds every live token of the object.
///
/// An object that is seldom used may hold its tokens by short hashes: enough to see that a token is
/// new. Whether one with the same short hash is the same token only the store knows.
struct CountedObject {
    TokenSet set;
    storage::CommitPosition last_position = 0;
    std::unique_ptr<RareState> rare;  ///< Null: nothing of it is needed.
    DirectoryEntry directory;
    /// From then on (milliseconds) the store is asked again, for other processes may have put
    /// tokens. `never` where there are none.
    std::int64_t fresh_until = never;
    /// The set holds held_hash() of its tokens, all different, and there is no `rare`.
    bool short_hashes = false;

    /// What the set holds of a token.
    std::uint64_t held_hash(std::uint64_t token_hash) const {
        return short_hashes ? short_hash(token_hash) : token_hash;
    }

    /// The highest 16 bits, and never 0.
    static std::uint64_t short_hash(std::uint64_t token_hash) {
        return (token_hash & ~std::uint64_t{0} << 48) | 1;
    }

    /// Whether other processes put tokens on it, too.
    bool shared() const { return fresh_until != never; }

    /// Whether there may be live tokens that the set does not hold.
    bool saturated() const { return rare && rare->saturated; }

    RareState& rare_state();

    bool knows_span(std::int64_t span) const;

    /// What is known of the levels of a span.
    SpanLevel level_of(std::int64_t span) const;

    void note_level(const SpanLevel& span);

    /// Whether the store should be asked again: it may hold few enough tokens by now, or those of
    /// others.
    bool worth_reloading(std::int64_t now);

    /// What it takes from the heap. O(1).
    std::size_t bytes() const;
};

/// What an operation came to.
struct Applied {
    enum class Step {
        answered,     ///< `count` is the answer.
        needs_load,   ///< What is in memory is too little to tell: load the object, then repeat.
        needs_probe,  ///< Whether the PUT lengthens a token is only known to the store: read its
                      ///< row, then repeat.
    };

    Step step = Step::answered;
    Result<Count> count = Count{};
    bool added = false;  ///< The token was not live before.
    /// Whether it was live nobody knows: the object is saturated and its token not in memory.
    bool unsure = false;
};

/// Applies `operation` to the state in memory and submits what has to be written. Never waits. When
/// the store refuses the write the state is as before. `scratch` is an empty batch to be reused.
Applied apply(
    CountedObject& state,
    const ObjectPlace& place,
    const Operation& operation,
    Instant now,
    storage::Store& store,
    storage::Batch& scratch
);

}  // namespace footfall::tokens
