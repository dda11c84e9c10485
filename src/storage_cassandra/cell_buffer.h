#pragma once

#include "foundation/result.h"
#include "storage/decimal.h"
#include "storage/table.h"
#include "storage/value.h"

#include <cstddef>
#include <cstdint>
#include <footfall_cql.h>
#include <forward_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::storage_cassandra {

/// Values on their way to the driver, as CQL has them on the wire: numbers big-endian, a day as
/// its distance from the middle of 32 bits, a decimal behind its scale, which is 6. Every value is
/// there: what a column shall not get is not in the statement, so nothing is ever bound as null
/// (which would be a tombstone).
///
/// Not thread-safe.
class CellBuffer {
public:
    void push(storage::ColumnType type, const storage::ValueView& value);

    /// A bigint, such as a write's timestamp.
    void push_bigint(std::int64_t number);

    /// An int, such as a limit or a time to live.
    void push_int(std::int32_t number);

    /// A list of values of one type.
    void push_list(storage::ColumnType type, std::span<const storage::ValueView> values);

    /// Puts another bigint in the place of the one at `index`.
    void set_bigint(std::size_t index, std::int64_t number);

    std::size_t size() const { return cells_.size(); }

    /// Bytes held, for limits on memory.
    std::size_t bytes() const { return bytes_.size() + cells_.size() * sizeof(Place); }

    /// Appends views of `count` cells from `first` on; valid until the buffer changes.
    void append_views(std::size_t first, std::size_t count, std::vector<cql_cell>& views) const;

private:
    struct Place {
        std::uint32_t start;
        std::uint32_t length;
    };

    void push_decimal(std::string_view millionths);
    void push_bytes(const void* data, std::size_t length);

    std::string bytes_;
    std::vector<Place> cells_;
};

/// Decimals that values point to, since no cell has their bytes. Empty unless somebody else than
/// Footfall wrote a decimal.
using OtherDecimals = std::forward_list<storage::DecimalBytes>;

/// The value of a cell that a read answered; a text points into it. A null reads as 0 or empty: the
/// column was added after the row was written. A decimal of another scale than ours (7.5, written
/// with cqlsh) is brought to ours and put into `decimals`, which the value then points to.
/// `corrupt` when the length does not fit the type, or a decimal has more than six decimals or
/// 128 bits.
Result<storage::ValueView> value_of(
    storage::ColumnType type, const cql_cell& cell, OtherDecimals& decimals
);

/// The number in a cell of type int; null reads as 0.
Result<std::int32_t> int_of(const cql_cell& cell);

/// What is in a cell of type map<text, text>; null reads as empty. `corrupt` when its lengths do
/// not add up.
Result<std::map<std::string, std::string>> text_map_of(const cql_cell& cell);

}  // namespace footfall::storage_cassandra
