#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "identities/fact.h"
#include "storage/batch.h"
#include "storage/store.h"

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

/// How many partitions the index of each network has, and where entries stand while it doubles them
/// (index_doubling.h).
namespace footfall::identities {

/// A network has 2^level partitions: these at first.
inline constexpr int least_index_level = 8;
inline constexpr int most_index_level = 24;

/// Of a doubling, in their order. An id is in the partition of the low `level` bits of its hash, so
/// half of the entries of a partition stay where they are.
enum class IndexPhase : std::uint8_t {
    copying = 1,  ///< Readers ask the old places, writers write both.
    reading,      ///< Readers ask the new places, writers write both: old knowledge is still right.
    emptying,     ///< Only the new places are asked and written; old entries are erased.
    at_rest
};

/// How far a network has come on its way to 2^level partitions. It only ever goes up: what a step
/// says has been reached stays so, whoever says it, and however late.
struct IndexStep {
    int level = least_index_level;
    IndexPhase phase = IndexPhase::at_rest;

    friend auto operator<=>(const IndexStep&, const IndexStep&) = default;

    /// Readers ask there; whatever was acknowledged stands there.
    int read_level() const { return phase == IndexPhase::copying ? level - 1 : level; }

    /// Writers write there, too.
    std::optional<int> other_level() const;

    /// Partitions that readers ask: 0 to one below.
    std::int64_t partitions() const { return std::int64_t{1} << read_level(); }
};

std::int64_t index_partition(const Id& id, int level);

/// What was known of all networks. A plain value.
struct KnownLevels {
    std::map<std::string, IndexStep, std::less<>> steps;  ///< Of those that ever doubled.
    Instant read{};                                       ///< Not older than this.

    IndexStep of(std::string_view identifier) const;
};

using LevelsSeen = std::shared_ptr<const KnownLevels>;

/// After so long what is known is read again; what is older than the lease is not gone by; and who
/// doubles waits for longer than that, so that nobody is left who goes by what was before.
inline constexpr std::chrono::seconds levels_renewed_after{2};
inline constexpr std::chrono::seconds levels_lease{5};
inline constexpr std::chrono::seconds levels_wait{10};

/// Knows the steps of all networks. Where the store is this process's alone, memory has them, and
/// has the last word; if not, they are read now and then.
///
/// Thread-safe; what it is given must outlive it. Reads block.
class IndexLevels {
public:
    struct Options {
        const Clock* clock = nullptr;  ///< Null: nothing is remembered, each look reads.
        bool shared = true;            ///< Whether other processes double networks of this store.
        /// For who compares: each network is as if at rest where readers ask.
        bool only_read_places = false;
    };

    explicit IndexLevels(storage::Store& store) : IndexLevels{store, Options{}} {}

    IndexLevels(storage::Store& store, Options options) : store_{&store}, options_{options} {}

    storage::Store& store() const { return *store_; }

    /// What is known, and was read not long ago.
    Result<LevelsSeen> seen() const;

    /// What is true at some moment from now on.
    Result<LevelsSeen> newest() const;

    /// For who has read entries by `before`: what to go by. The same steps: what was read holds. He
    /// who has missed something asks more closely.
    Result<LevelsSeen> after_reading(const LevelsSeen& before, bool missed_some) const;

    /// Says that a network has come so far. Where the store is this process's alone nobody may be
    /// settling (Settling::alone()).
    Result<void> raise(const std::string& identifier, IndexStep step) const;

private:
    LevelsSeen remember(KnownLevels known) const;

    storage::Store* store_;
    Options options_;
    mutable std::mutex mutex_;
    mutable LevelsSeen seen_;  ///< Guarded by mutex_; null: not read yet.
};

}  // namespace footfall::identities
