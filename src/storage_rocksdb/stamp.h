#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace footfall::storage_rocksdb {

/// Which block of a data directory was written last, and when. Written with each block, as a row of
/// the default column family, so a directory, or files of it of one moment, say by themselves how
/// far they are; and the write-ahead logs say of each block where it belongs. A plain value.
struct Stamp {
    /// Drawn when a directory is made, and when a backup was restored into it: blocks of the same
    /// number in two histories are two blocks.
    std::uint64_t history = 0;
    std::uint64_t block = 0;  ///< Blocks are numbered from 1 without a gap; 0: none yet.
    Instant at;               ///< When its writing began, so before anybody was told it is durable.

    friend bool operator==(const Stamp&, const Stamp&) = default;
};

/// The key of the row, whose value is a stamp.
inline constexpr std::string_view stamp_key = "footfall_stamp";

/// The key of the number of the last block that had secret rows, and of the one of the last such
/// block when shred() ended well: as long as they are equal, nothing has to be shredded.
inline constexpr std::string_view secret_block_key = "footfall_secret_block";
inline constexpr std::string_view shredded_block_key = "footfall_shredded_block";

/// A stamp of a history that begins now, behind block `last` of another one.
Stamp begin_history(std::uint64_t last, Instant now);

std::string encode_block(std::uint64_t block);
/// `corrupt` when it is none.
Result<std::uint64_t> decode_block(std::string_view bytes);

std::string encode_stamp(const Stamp& stamp);

/// `corrupt` when it is none.
Result<Stamp> decode_stamp(std::string_view bytes);

}  // namespace footfall::storage_rocksdb
