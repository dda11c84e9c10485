#pragma once

#include "ads/entries.h"
#include "ads/line.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace footfall::ads {

/// Such lines of one lane, in its order.
struct LineGroup {
    std::uint32_t lane = 0;
    std::span<const Line* const> lines = {};
    LineSum sum = {};

    std::uint64_t first() const { return lines.front()->offset; }

    /// The sum of those from `offset` on, of which there is at least one.
    LineSum sum_from(std::uint64_t offset) const;
};

/// The lines of a lane, or of several, in such groups: one pass over them, so that what is done for
/// each table is done for each group. Refers to the entries that it was made from. A plain value.
class LineGroups {
public:
    /// Takes the next entries of a lane; of entries of the lane that were taken before nothing is
    /// known, and they make groups of their own.
    void take(std::uint32_t lane, std::span<const Entry> entries);

    std::span<const LineGroup> all() const { return groups_; }

private:
    std::vector<std::vector<const Line*>> lines_;  ///< By call of take(), group by group.
    std::vector<LineGroup> groups_;
};

}  // namespace footfall::ads
