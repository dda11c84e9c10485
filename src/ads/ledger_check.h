#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/time_zone.h"
#include "storage/store.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace footfall::ads {

/// What became of the last time that the ledger was held to its log: a row of the store, so that a
/// restart, and every process, shows it. A plain value.
struct LedgerCheck {
    std::optional<Instant> checked_at;  ///< Absent: it never was.
    std::uint64_t differences = 0;
    std::vector<std::string> first;   ///< The first of them, as sentences.
    std::optional<Instant> begun_at;  ///< When somebody last began.

    static constexpr std::size_t most_first = 20;
    static constexpr std::size_t most_bytes = 1 << 10;  ///< Of a sentence; what is longer is cut.

    /// Blocks, as write() does.
    static Result<LedgerCheck> read(storage::Store& store);
    Result<void> write(storage::Store& store) const;

    /// Counts a difference, and keeps it if it is one of the first.
    void add(const std::string& difference);

    /// Whether it is time: from 3 to 6 in the zone of the ledger, once a night, unless somebody is
    /// at it; at any hour where two nights have passed without, or since `up`, when this process
    /// started. Who began and is not done after six hours is gone. Pure.
    bool is_due(Instant now, Instant up, const TimeZone& zone) const;
};

}  // namespace footfall::ads
