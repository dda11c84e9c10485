#pragma once

#include "foundation/result.h"
#include "people/day_keys.h"
#include "storage/batch.h"
#include "storage/store.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// A write of read_url makes a row of what it found new: a fragment. A URL that is read all day has
/// thousands, so they are merged now and then, as the levels of a log-structured tree are (O'Neil
/// et al., "The log-structured merge-tree", 1996): each read is written again some log2(reads)
/// times, and a URL's day has about 16 rows, and as many more as its size has bits.
namespace footfall::reading {

/// Says when it is time, without reading: by a table of small counters, which URLs share. Those
/// that share one are looked at too early. 64 KiB; used by one thread at a time.
class FragmentCounts {
public:
    static constexpr std::uint8_t looked_at_after = 16;

    /// A fragment is written: whether those of this URL's day are to be looked at.
    bool note(std::uint64_t url, people::UtcDay day);

private:
    std::array<std::uint8_t, 1 << 16> counts_{};
};

/// From which of some rows on, oldest first, all are made one: of those that are about as large as
/// all behind them together. `sizes.size() - 1`, or more: there is nothing to do.
std::size_t merged_from(std::span<const std::size_t> sizes);

/// A fragment that is about to be written.
struct Fragment {
    std::uint64_t url = 0;
    people::UtcDay day = 0;
    std::uint64_t from = 0;  ///< Its first record.
};

/// Adds to the batch what merges those that stand before these, of one writer. Where one stands
/// that begins with the same record or a later one, a replay writes again what was written, and
/// nothing is merged: the batch has a row of that key already, with more in it. Waits for the
/// store.
Result<void> merge_fragments(
    storage::Store& store,
    std::string_view writer,
    std::span<const Fragment> fragments,
    storage::Batch& batch
);

}  // namespace footfall::reading
