#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "storage/batch.h"
#include "storage_cassandra/cell_buffer.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace footfall::storage_cassandra {

/// The numbers of the statements of one table.
struct TableStatements {
    std::uint32_t insert = 0;
    std::uint32_t erase = 0;
    std::uint32_t select_row = 0;
    std::optional<std::uint32_t> select_rows = {};  ///< Where has_select_rows().
};

/// What a batch does in one partition of one table: sent as one request, applied as one mutation.
/// Of several mutations of a key the last one alone is left, for all have one timestamp.
class PartitionWrite {
public:
    struct Row {
        std::uint32_t statement;
        std::size_t first_cell;
        std::size_t cells;
        std::size_t timestamp_cell;
    };

    CellBuffer cells;
    std::vector<Row> rows;

    bool shared = false;  ///< Table::shared of the table.

    void set_timestamp(std::int64_t timestamp);

    std::size_t bytes() const { return cells.bytes() + rows.size() * sizeof(Row); }
};

/// More than this of one partition in one batch cannot be one mutation: Cassandra takes half a
/// segment of its commit log (8 MiB where that is 16), and 65,535 statements.
inline constexpr std::size_t max_partition_write_bytes = 4 << 20;
inline constexpr std::size_t max_partition_write_rows = 65'535;

/// Sorts a batch by partitions. `invalid_input` when the batch holds too much of one partition, or
/// what Cassandra cannot keep: an empty text as the only partition column, a key column beyond 64
/// KiB, a text that is not UTF-8. Pure but for `statements_of`.
Result<std::vector<PartitionWrite>> plan_writes(
    const storage::Batch& batch,
    Instant now,
    const std::function<const TableStatements&(const storage::Table&)>& statements_of
);

/// How many seconds Cassandra shall keep a row that expires at this moment: until an hour after it,
/// and at least an hour, rounded up. 0: for ever; also when it ends after the year 2037, which a
/// cluster that kept the file formats of Cassandra 4 refuses (the row then stays until it is
/// written again or erased).
std::int32_t time_to_live(std::int64_t expires, Instant now);

}  // namespace footfall::storage_cassandra
