#pragma once

#include "foundation/result.h"
#include "storage/value.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace footfall::storage {

/// What a column holds. `text` is UTF-8, `bytes` anything; `integer` is signed 64 bits; `day`
/// counts days since 1970-01-01; `timestamp` counts microseconds since then (UTC). These three
/// travel as a signed 64-bit number. `decimal` is exact, for money: up to 128 bits of millionths,
/// which travel as bytes (decimal.h). It stands in value columns only.
enum class ColumnType { text, bytes, integer, day, timestamp, decimal };

/// The order of a clustering column within its partition. Partition columns have no order that a
/// reader may use.
enum class Order { ascending, descending };

struct Column {
    std::string_view name;
    ColumnType type;
    Order order = Order::ascending;
};

/// How many replicas must agree before a read is answered; a write always takes a quorum of the
/// local ones. With `local_one` a read may miss the last writes for a moment. Embedded there is one
/// copy and both are the same.
enum class Consistency { local_quorum, local_one };

/// How Cassandra should arrange the files of a table (notes on compaction:
/// docs/decisions/0005-tables-as-data.md).
enum class Compaction { read_heavy, write_heavy };

/// A table, declared once, as data: the only place where a column is named. The key and value
/// encoding of the embedded store and the CQL of the distributed one are both derived from it.
/// Plain constant data; lives as long as the program.
///
/// Invariants, held by check_table: names are lower_case and unique; there is a partition column;
/// no key column is a decimal; `expires`, if given, names a value column of type timestamp; a table
/// `of_record` has the columns that it is to have; one that is `secret` is not bulk.
struct Table {
    std::string_view name;
    std::string_view purpose;  ///< One sentence for a person; becomes the table's comment.
    std::vector<Column>
        partition;  ///< Together they choose the partition; a read always gives them all.
    std::vector<Column>
        clustering;  ///< Order rows within the partition; with `partition` they are the key.
    std::vector<Column> values;  ///< What an upsert replaces as a whole. New columns are only ever
                                 ///< added at the end.
    /// The value column that says when a row stops to count (microseconds, 0 = never). The store
    /// may reclaim the row an hour after that moment and never earlier; whether it counts is for
    /// the reader to ask of its own clock.
    std::string_view expires = {};
    /// Each row follows from a record of a log, which its first three values name: `log`, `lane`,
    /// `offset`. Nobody erases such a row. Where the log is in the same store the row goes some
    /// time after its record (Store::forget_records); on a cluster it expires.
    bool of_record = false;
    bool bulk = false;  ///< Rows arrive in volume and at random keys: the embedded store may write
                        ///< them in sorted bulk.
    /// Of a bulk table whose look-ups memory spares nearly all: the embedded store merges so many
    /// files of one size at once, never fewer. The more, the less often a row is rewritten, and the
    /// more a look-up costs. Each table has another number: their longest merges, which come after
    /// a power of it, would otherwise all begin at once. 0: files are merged as soon as look-ups
    /// gain by it.
    std::uint8_t merged_at_once = 0;
    /// Of a bulk table: a partition has very many rows, and a row is asked for by its whole key, so
    /// the embedded store is to know at once which keys it does not have.
    bool large_partitions = false;
    /// Rows are keys, or the like: what is erased of them or written over is to be in no file soon
    /// (Store::shred), which costs writing the table anew. Not of a bulk table.
    bool secret = false;
    /// Rows name people, by what others call them: an erasure writes its files anew
    /// (Store::rewrite). Others name nobody, or by keyed hashes alone.
    bool personal = false;
    /// Any process writes any of its rows, and what was written last stands. Rows of other tables
    /// belong to who has their lane, and who takes a lane over writes behind who had it
    /// (Store::write_after_others).
    bool shared = false;
    /// Whether its rows may be read from one replica, or from another datacenter, by a deployment
    /// that is set so (StoreOptions): what is made of them may be a moment old.
    bool may_be_old = false;
    /// Its rows are made anew in each region, from what all regions have: on a cluster of several
    /// they stand in a keyspace of the region's own. Of no effect embedded.
    bool of_region = false;
    Consistency consistency = Consistency::local_quorum;
    Compaction compaction = Compaction::read_heavy;

    std::size_t key_width() const { return partition.size() + clustering.size(); }

    std::size_t width() const { return key_width() + values.size(); }

    /// The column at `index`, counting partition, clustering and value columns in this order.
    const Column& column(std::size_t index) const;

    /// The index of the column `expires` names; `width()` when rows never expire.
    std::size_t expires_index() const;
};

constexpr bool is_number(ColumnType type) {
    return type == ColumnType::integer || type == ColumnType::day || type == ColumnType::timestamp;
}

/// What a row that was written before the column was added has in it: 0, or nothing.
ValueView absent_value(ColumnType type);

/// Whether the declaration is sound; the error names the column at fault. Stores CHECK it when they
/// open.
Result<void> check_table(const Table& table);

}  // namespace footfall::storage
