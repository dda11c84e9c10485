#pragma once

#include "storage/table.h"
#include "storage_cassandra/keyspaces.h"
#include "storage_cassandra/slices.h"

#include <cstddef>
#include <string>

namespace footfall::storage_cassandra {

/// The statement that reads a slice with as many values as this one: markers are the partition, the
/// slice's values (equal, lower, upper), and the limit. Columns answered are those that
/// `answered_columns` says.
std::string select_cql(const storage::Table& table, const Keyspaces& keyspaces, const Slice& slice);

/// From which column on a SELECT asks for: all behind the `known` leading ones, or, where there are
/// none, the last of those known, since an answer has to have a column.
std::size_t first_answered(const storage::Table& table, std::size_t known);

/// The statement that reads the value columns of one row by its whole key.
std::string select_row_cql(const storage::Table& table, const Keyspaces& keyspaces);

/// Whether rows of several partitions may be asked for by one statement: a key is one column, or
/// one and a clustering column.
bool has_select_rows(const storage::Table& table);

/// That statement: markers are the list of the partition columns, and that of the clustering
/// columns if there is one. Answered are all columns, of all rows whose columns are in the lists.
std::string select_rows_cql(const storage::Table& table, const Keyspaces& keyspaces);

/// The statement that reads the beginnings of several partitions that differ in their last column:
/// markers are the partition but for that, a list of that, and how many rows of each. Answered are
/// the columns from that one on, the rows of a partition one after the other.
std::string select_partitions_cql(const storage::Table& table, const Keyspaces& keyspaces);

/// The statement that reads rows of all partitions in the order of their tokens: from the start, or
/// of greater tokens than that of a partition. Markers are that partition, and the limit; answered
/// are all columns.
std::string select_tokens_cql(
    const storage::Table& table, const Keyspaces& keyspaces, bool from_start
);

/// The statement that names the partitions whose token is that of a partition: markers are the
/// partition, and the limit; answered are the partition columns.
std::string select_same_token_cql(const storage::Table& table, const Keyspaces& keyspaces);

/// The statement that replaces a row: markers are all columns, the write's timestamp, and, if rows
/// of the table expire, the time to live.
std::string insert_cql(const storage::Table& table, const Keyspaces& keyspaces);

/// The statement that writes a row unless one with its key is there: markers are all columns. The
/// first column of the answer says whether it did.
std::string insert_new_cql(const storage::Table& table, const Keyspaces& keyspaces);

/// The statement that erases a row: markers are the write's timestamp and the key.
std::string delete_cql(const storage::Table& table, const Keyspaces& keyspaces);

}  // namespace footfall::storage_cassandra
