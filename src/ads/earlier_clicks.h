#pragma once

#include "ads/ledger_zone.h"
#include "events/event.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "storage/store.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::ads {

/// Finds events of the ledger in ad_click, by what stands in its key: their reseller, time and id.
/// Thread-safe; what it is given must outlive it.
class EarlierClicks {
public:
    struct Options {
        LedgerZone zone = {};
        std::string currency = "XXX";  ///< Of events that name none.
        std::uint64_t log = 0;
        /// Rows are kept for so long after the seal of their month; absent: for ever.
        std::optional<std::chrono::seconds> keep = {};
    };

    /// What is known of an event.
    struct Known {
        struct Row {
            std::uint64_t log = 0;
            std::uint32_t lane = 0;
            std::uint64_t offset = 0;
            bool is_same = false;  ///< As far as a row says: all but who did it.
        };

        std::optional<Row> row = {};  ///< Absent: it was not counted, or has no id.
        /// The ledger day since when rows stand, where the event is from before it; absent: its
        /// rows stand.
        std::optional<Day> kept_from = {};
    };

    struct Asked {
        const events::Event* event = nullptr;
        Instant arrival{};
    };

    EarlierClicks(storage::Store& store, Options options)
        : store_{&store}, options_{std::move(options)} {}

    /// One for each. Reads the seals, and a short range for each reseller and time. Blocks.
    Result<std::vector<Known>> find(std::span<const Asked> asked) const;

private:
    using Place = std::pair<std::string_view, Instant>;  ///< Reseller and time.

    storage::RangeQuery rows_at(const Place& place) const;
    void note_rows(
        const storage::Rows& rows,
        std::span<const Asked> asked,
        std::span<const std::size_t> events,
        std::vector<Known>& known
    ) const;
    Known::Row row_of(const storage::Rows& rows, std::size_t row, const events::Event& event) const;

    storage::Store* store_;
    const Options options_;
};

}  // namespace footfall::ads
