#pragma once

#include "foundation/result.h"
#include "journal/log_reader.h"
#include "storage/store.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace footfall::journal_rocksdb {

/// How the records of the embedded log stand in rows (schema.h): what its owner and who only reads
/// it both need. Functions without state; those with a store wait.

inline constexpr std::uint32_t lane_count = 64;
/// Records of a row, at most.
inline constexpr std::size_t block_records = 1000;
inline constexpr std::size_t block_bytes = 256 << 10;  ///< Or one record.
/// Records of a lane that stand in one partition; a block may end in the next.
inline constexpr std::uint64_t segment_records = 1 << 16;

constexpr std::uint64_t segment_of(std::uint64_t offset) {
    return offset / segment_records;
}

/// Where blocks begin that may hold a record from `from` on.
constexpr std::uint64_t first_block_of(std::uint64_t from) {
    return from < block_records ? 0 : from - (block_records - 1);
}

/// A number as a column has it.
constexpr std::int64_t stored(std::uint64_t number) {
    return static_cast<std::int64_t>(number);
}

struct Block {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::string_view records;
};

Block block_at(const storage::Rows& rows, std::size_t row);

/// The rows of a lane that may hold a record from `from` on, of one segment.
storage::RangeQuery blocks_of(
    journal::LogId id, std::uint32_t lane, std::uint64_t segment, std::uint64_t from
);

/// A number that a table of the log keeps for each lane, in its value column; 0 where it has none.
Result<std::array<std::uint64_t, lane_count>> read_lanes(
    storage::Store& store, const storage::Table& table, journal::LogId id
);

/// The log that the store has; absent: none was ever begun there.
Result<std::optional<journal::LogId>> stored_id(storage::Store& store);

/// The key of the log's id among what the deployment remembers.
inline constexpr const char* id_name = "log_id";

/// The lane's records from `from` on, which is kept if there is any; none: that is its end.
/// `corrupt` if there is a gap.
Result<journal::Records> read_blocks(
    storage::Store& store,
    journal::LogId id,
    std::uint32_t lane,
    std::uint64_t from,
    journal::ReadLimit limit
);

}  // namespace footfall::journal_rocksdb
