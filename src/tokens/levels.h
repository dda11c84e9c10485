#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace footfall::tokens {

/// How the rows of an object lie on a cluster (docs/decisions/0038-levels-and-buckets.md). A span
/// of an object begins as one partition, level 0; when that is full, rows go to the 16 of level 1,
/// then to the 256 of level 2, by the token's hash. What is written stays where it is, so a reader
/// unites all levels that the span has.
inline constexpr std::int64_t top_level = 3;

/// The partitions of a level.
constexpr std::int64_t buckets_of(std::int64_t level) {
    return std::int64_t{1} << (4 * level);
}

/// A token that nobody can put: its row, the first one of bucket 0, says that the next level has
/// rows, too, and lasts as long as the span.
inline constexpr std::string_view level_marker = "";

/// In which partition of its level the row of a token lies.
constexpr std::int64_t bucket_of(std::uint64_t token_hash, std::int64_t level) {
    return static_cast<std::int64_t>(token_hash) & (buckets_of(level) - 1);
}

/// The level of a span in which so many tokens, of an object with `rows_a_partition` rows a
/// partition (0: any number), have room.
constexpr std::int64_t level_for(std::uint64_t tokens, std::size_t rows_a_partition) {
    std::int64_t level = 0;
    while (rows_a_partition > 0 && level < top_level &&
           tokens > rows_a_partition * static_cast<std::uint64_t>(buckets_of(level))) {
        ++level;
    }
    return level;
}

/// Whether a token that is put above the counter's limit, where nobody counts, begins the next
/// level: of as many tokens as a level has room for, about one does, and however often it is put.
constexpr bool begins_next_level(
    std::uint64_t token_hash, std::int64_t level, std::size_t rows_a_partition
) {
    // Other bits than those that choose the bucket.
    return rows_a_partition > 0 && level < top_level &&
           (token_hash >> 16) %
                   (rows_a_partition * static_cast<std::uint64_t>(buckets_of(level))) ==
               0;
}

}  // namespace footfall::tokens
