#pragma once

#include "ads/line.h"
#include "ads/month.h"
#include "events/control.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace footfall::ads {

/// Somebody said what share a party has.
struct RateEntry {
    std::uint64_t offset = 0;
    Month booked = from_the_beginning;
    events::RateSaid said;
};

/// Somebody sealed a month.
struct SealEntry {
    std::uint64_t offset = 0;
    events::MonthSealed said;
};

/// Changes are rare, and larger than lines: they stand elsewhere.
template <class Change>
using RareEntry = std::shared_ptr<const Change>;

/// What the ledger keeps of a record until its rows are written (projecting::OrderedWriteBehind).
struct Entry {
    std::variant<Line, RareEntry<RateEntry>, RareEntry<SealEntry>> what;

    static std::uint64_t offset_of(const Entry& entry) {
        if (const auto* const line = std::get_if<Line>(&entry.what)) {
            return line->offset;
        }
        const auto* const rate = std::get_if<RareEntry<RateEntry>>(&entry.what);
        return rate != nullptr ? (*rate)->offset
                               : std::get<RareEntry<SealEntry>>(entry.what)->offset;
    }

    /// That a lane has passed a seal says that all amounts before it are in rows.
    static bool concludes(const Entry& entry) {
        return std::holds_alternative<RareEntry<SealEntry>>(entry.what);
    }

    static std::size_t heap_bytes_of(const Entry& entry) {
        if (const auto* const line = std::get_if<Line>(&entry.what)) {
            return line->heap_bytes();
        }
        // Changes are rare: their texts are bounded (rate_changes.h), and booked as such.
        return rare_heap_bytes;
    }

private:
    static constexpr std::size_t rare_heap_bytes = 4 << 10;
};

/// The seals that stand in a lane, by their places. A seal of a month is one of all before it, so
/// of several the latest month holds. A plain value; not thread-safe.
class LaneSeals {
public:
    /// In any order; one that is there changes nothing.
    void add(std::uint64_t offset, Month month) {
        const std::pair place{offset, month};
        const auto at = std::ranges::lower_bound(places_, place);
        if (at == places_.end() || *at != place) {
            places_.insert(at, place);
        }
    }

    /// The month was sealed before the lane's log began: in one that was moved here.
    void add_from_the_start(Month month) {
        from_the_start_ = std::max(from_the_start_.value_or(month), month);
    }

    /// The last month that is sealed for a record at `offset`; absent: none is.
    std::optional<Month> sealed_before(std::uint64_t offset) const {
        std::optional<Month> sealed = from_the_start_;
        for (const auto& [at, month] : places_) {
            if (at < offset) {
                sealed = std::max(sealed.value_or(month), month);
            }
        }
        return sealed;
    }

private:
    std::vector<std::pair<std::uint64_t, Month>> places_;
    std::optional<Month> from_the_start_;
};

}  // namespace footfall::ads
