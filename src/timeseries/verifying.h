#pragma once

#include "foundation/result.h"
#include "storage/blocking.h"
#include "storage/rows.h"
#include "storage/store.h"
#include "timeseries/catalogue.h"
#include "timeseries/verify.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::timeseries {

/// Calls `take(rows, row)` with each row of a table: those of a partition, and of what its rows
/// begin with, behind each other, forwards or backwards.
template <class Take>
Result<void> each_row_of(storage::Store& store, storage::ScanQuery query, const Take& take) {
    do {
        TRY(storage::Page page, storage::scan_page(store, query));
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            TRY_VOID(take(page.rows, row));
        }
        query.continuation = std::move(page.continuation);
    } while (!query.continuation.empty());
    return {};
}

/// What all parts of verify() know: which series there are, what is to be sealed yet, whom to tell.
class Verifying {
public:
    Verifying(
        storage::Store& store, const VerifyOptions& options, const VerifyListeners& listeners
    );

    /// Before all else: names, each held to its number, and what is to be sealed.
    Result<void> read();

    storage::Store& store() const { return *store_; }

    /// Microseconds since 1970: what is written later is not looked at.
    std::int64_t now() const { return now_; }

    /// `hour` is in microseconds, as rows have it.
    void differ(std::int64_t series, std::int64_t hour, std::string_view what);

    void remark(const std::string& text) const { listeners_->remark(text); }

    /// There are so many points more, of this hour of the series.
    void count(std::int64_t series, std::int64_t hour, std::size_t points);

    /// Whether a row that expires then has points or cells that are still told: for so long its
    /// series has a name.
    bool is_told(std::int64_t expires) const;

    bool is_named(std::int64_t series) const;

    /// None if it has no name.
    std::span<const series::Resolution> resolutions(std::int64_t series) const;

    /// Whether the hour of the series is noted as one that is to be sealed; also: as one of which
    /// rows were written in that hour.
    bool is_to_be_sealed(std::int64_t series, std::int64_t hour) const;
    bool is_to_be_sealed(std::int64_t series, std::int64_t hour, std::chrono::hours written) const;

    /// The oldest hour of which count() was told.
    std::optional<std::int64_t> oldest_hour(std::int64_t series) const;

    const Verified& verified() const { return verified_; }

private:
    struct Note {
        std::int64_t series;
        std::int64_t hour;
        std::int64_t written;

        friend auto operator<=>(const Note&, const Note&) = default;
    };

    Result<void> take_name(const storage::Rows& rows, std::size_t row);
    void tell(const std::string& text);

    storage::Store* store_;
    const VerifyOptions* options_;
    const VerifyListeners* listeners_;
    const std::int64_t now_;
    Catalogue names_;
    std::vector<Note> notes_;  ///< Ascending.
    boost::unordered_flat_map<std::int64_t, std::int64_t> oldest_;
    Verified verified_;
};

/// Holds the rows of points to the hours they stand in, to names, and to what is noted of them.
Result<void> verify_points(Verifying& verifying);

/// Holds the rows of cells to the points that they are of, behind verify_points().
Result<void> verify_cells(Verifying& verifying);

}  // namespace footfall::timeseries
