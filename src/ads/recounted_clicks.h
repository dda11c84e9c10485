#pragma once

#include "ads/recount_line.h"
#include "ads/recounted_sums.h"
#include "foundation/result.h"
#include "projecting/recount.h"
#include "storage/decimal.h"
#include "storage/rows.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace footfall::ads {

/// Whether rows of ad_click of this ledger day are still kept.
using ClicksKept = std::function<bool(Day day)>;

/// The rows of ad_click that the lines of a part of a lane come to: of each about 50 bytes, so that
/// a million are held. Used by one thread.
class RecountedClicks {
public:
    explicit RecountedClicks(const projecting::RecountPart& part);

    void add(const RecountLine& line);

    /// Reads what is stored, waits for rows that may come yet, and says what differs. Blocks.
    Result<void> compare_stored(
        projecting::WrittenRows& rows,
        const Reach& reach,
        const ClicksKept& kept,
        std::vector<std::string>& differences
    );

    std::uint64_t lines() const { return lines_; }

private:
    /// A row in few bytes.
    struct Click {
        std::int64_t time = 0;
        std::uint64_t id = 0;  ///< Its hash.
        storage::Wide amount = 0;
        std::uint64_t rest = 0;  ///< The hash of all other columns.
    };

    using Place = std::tuple<std::string, Day, unsigned>;  ///< A partition.
    using Clicks = std::map<std::uint64_t, Click>;         ///< By the record.

    struct Stored {
        Clicks clicks;
        std::vector<std::string> twice;
    };

    Click click_of(const RecountLine& line) const;
    Result<Click> read_click(const storage::Rows& rows, std::size_t row) const;
    Result<Stored> read_partition(const Place& place) const;
    void compare(
        const Place& place,
        const Clicks& truth,
        const Stored& stored,
        const Reach& reach,
        std::vector<std::string>& differences
    ) const;

    const projecting::RecountPart part_;
    const std::string writer_;
    std::map<Place, Clicks> truth_;
    std::uint64_t lines_ = 0;
};

}  // namespace footfall::ads
