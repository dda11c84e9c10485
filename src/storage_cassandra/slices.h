#pragma once

#include "storage/table.h"
#include "storage/value.h"

#include <span>
#include <vector>

namespace footfall::storage_cassandra {

/// A part of a partition that one SELECT can name: some leading clustering columns are given, the
/// next ones, all of one order, lie between two bounds. A bound that is shorter than its columns
/// takes or leaves all rows that start with it.
struct Slice {
    std::vector<storage::Value> equal;
    std::vector<storage::Value> lower;  ///< In the table's order; empty: from the start.
    std::vector<storage::Value> upper;  ///< Empty: to the end.
    bool lower_included = true;
    bool upper_included = true;

    friend bool operator==(const Slice&, const Slice&) = default;
};

/// The rows from `start` through `end` (leading clustering columns; empty: the partition's start or
/// end), as slices in the table's order that do not overlap. `start_included` is false when `start`
/// is the key of a row already seen. One slice if all columns that the bounds differ in have one
/// order, else one more for each change of order that a bound goes through: CQL compares several
/// columns only as if all were ascending. No slice: no row can lie there. Pure.
std::vector<Slice> slices_between(
    const storage::Table& table,
    std::span<const storage::Value> start,
    bool start_included,
    std::span<const storage::Value> end
);

}  // namespace footfall::storage_cassandra
