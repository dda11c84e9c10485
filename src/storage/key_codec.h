#pragma once

#include "foundation/result.h"
#include "storage/forgotten_records.h"
#include "storage/table.h"
#include "storage/value.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::storage {

/// Keys as bytes whose order under memcmp is the order of the rows: docs/formats/keys.md has the
/// layout with examples. Pure; the encoding of a value never is a prefix of another's, so a prefix
/// of columns is a prefix of bytes.

/// Appends the encoding of the first `values.size()` columns of the table's key to `out`.
void append_key(const Table& table, std::span<const ValueView> values, std::string& out);

/// Appends the encoding of leading clustering columns.
void append_clustering(const Table& table, std::span<const ValueView> values, std::string& out);

/// Reads a whole key back. `texts` keeps the bytes of decoded texts that the views point into.
Result<void> decode_key(
    const Table& table, std::string_view key, std::vector<ValueView>& values, std::string& texts
);

/// How many leading bytes of `key` are partition columns; `corrupt` if it is no key of the table.
/// Allocates nothing.
Result<std::size_t> partition_length(const Table& table, std::string_view key);

/// The smallest string above every string that starts with `prefix`; empty when there is none.
std::string end_of_prefix(std::string prefix);

/// The value columns of a row as bytes: docs/formats/keys.md. Columns added to the table later read
/// as 0 or empty.
void append_row_values(const Table& table, std::span<const ValueView> values, std::string& out);

/// How many bytes each part of an encoded row takes.
struct RowBytes {
    std::uint32_t partition = 0;  ///< Of the key, its leading ones.
    std::uint32_t key = 0;
    std::uint32_t values = 0;
};

/// Appends the key of a whole row and behind it its value columns.
RowBytes append_row(const Table& table, std::span<const ValueView> values, std::string& out);

/// The same of a row whose last column is a text: appends all before its bytes, and then leaves
/// `text_bytes` at the end of `out` for the caller to write.
RowBytes append_row_before_text(
    const Table& table, std::span<const ValueView> values, std::size_t text_bytes, std::string& out
);

/// Reads them back, appending one view a value column to `values`; texts point into `bytes`.
Result<void> decode_row_values(
    const Table& table, std::string_view bytes, std::vector<ValueView>& values
);

/// The number in the column that `table.expires` names, without decoding the rest; 0 when the table
/// has none.
Result<std::int64_t> decode_expires(const Table& table, std::string_view bytes);

/// The record that a row of a table `of_record` follows from, without decoding the rest.
Result<RecordPlace> decode_record(const Table& table, std::string_view bytes);

}  // namespace footfall::storage
