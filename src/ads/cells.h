#pragma once

#include "ads/account.h"
#include "ads/line.h"
#include "ads/packed.h"
#include "ads/schema.h"
#include "foundation/result.h"
#include "projecting/writer.h"
#include "storage/batch.h"
#include "storage/rows.h"
#include "storage/value.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

// What each row of sums has: which lines it counts (`key_of`), under which key, and how a row is
// read and written. One type a table, used by the poster that writes them, by readers, and by
// whoever holds them to the log.

namespace footfall::ads {

/// What rows that show refusals and quarter-hours say.
struct DayCell {
    Amounts amounts;
    RefusalsByQuarter refused;
    AmountsByQuarter quarters;
    std::uint64_t through = 0;  ///< Lines of the lane before this are in.
    Instant first_arrival{};    ///< Of the first of them.

    void add(const LineSum& lines);
};

/// What a month's row says.
struct MonthCell {
    AmountsByDay days;
    std::uint64_t through = 0;

    void add(const LineSum& lines);
    Amounts amounts() const;
};

/// What an ad's row says.
struct AdCell {
    Amounts amounts;
    AmountsByQuarter quarters;
    std::uint64_t through = 0;

    void add(const LineSum& lines);
};

/// Rows of PartyTables::day. What has no reseller is there as that of the reseller "", the
/// network's own, so that the amounts of all resellers are all amounts; a publisher "" there is
/// not.
struct DayRows {
    using Cell = DayCell;
    using Key = std::tuple<std::string_view, std::string_view, Day, Month, Day, std::uint32_t>;

    PartyKind kind;

    const storage::Table& table() const { return tables_of(kind).day; }

    /// Absent: the line is in none of them.
    std::optional<Key> key_of(std::uint32_t lane, const Line& line) const;
    static std::vector<storage::Value> row_key(const Key& key, std::uint64_t log);
    static Result<Cell> read(const storage::Rows& rows, std::size_t row);
    static void append(const Cell& cell, std::vector<storage::Value>& row);
};

/// Rows of PartyTables::month: of the same parties as DayRows.
struct MonthRows {
    using Cell = MonthCell;
    using Key = std::tuple<std::string_view, std::string_view, Month, std::uint32_t>;

    PartyKind kind;

    const storage::Table& table() const { return tables_of(kind).month; }

    std::optional<Key> key_of(std::uint32_t lane, const Line& line) const;
    static std::vector<storage::Value> row_key(const Key& key, std::uint64_t log);
    static Result<Cell> read(const storage::Rows& rows, std::size_t row);
    static void append(const Cell& cell, std::vector<storage::Value>& row);
};

/// Rows of PartyTables::ad: of parties that have a name.
struct AdRows {
    using Cell = AdCell;
    /// Party, month of the day, ad, other party, currency, day, booked, arrived, lane.
    using Key = std::tuple<
        std::string_view,
        Month,
        std::string_view,
        std::string_view,
        std::string_view,
        Day,
        Month,
        Day,
        std::uint32_t>;

    PartyKind kind;

    const storage::Table& table() const { return tables_of(kind).ad; }

    std::optional<Key> key_of(std::uint32_t lane, const Line& line) const;
    static std::vector<storage::Value> row_key(const Key& key, std::uint64_t log);
    static Result<Cell> read(const storage::Rows& rows, std::size_t row);
    static void append(const Cell& cell, std::vector<storage::Value>& row);
};

/// Rows of clicks_per_ad_table.
struct ClicksPerAdRows {
    using Cell = DayCell;
    using Key = std::tuple<std::string_view, Day, std::string_view, std::uint32_t>;

    static const storage::Table& table() { return clicks_per_ad_table; }

    static std::optional<Key> key_of(std::uint32_t lane, const Line& line);
    static std::vector<storage::Value> row_key(const Key& key, std::uint64_t log);

    static Result<Cell> read(const storage::Rows& rows, std::size_t row) {
        return DayRows::read(rows, row);
    }

    static void append(const Cell& cell, std::vector<storage::Value>& row) {
        DayRows::append(cell, row);
    }
};

/// Puts the row of a counted line in ad_click_table. `writer`: of its lane.
void add_click_row(
    const Line& line, const events::Event& event, std::string_view writer, storage::Batch& batch
);

}  // namespace footfall::ads
