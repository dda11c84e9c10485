#pragma once

#include "storage/table.h"
#include "storage/value.h"

#include <compare>
#include <span>

namespace footfall::storage {

/// The order of keys that `table` declares, by comparing values: numbers as signed numbers, texts
/// and bytes byte by byte (unsigned, a text before every longer one that starts with it), reversed
/// where the column is descending. The meaning that key_codec's bytes have to reproduce, and the
/// order of MemoryStore.
///
/// Compares the leading columns that both have; so a prefix is `equal` to every key that starts
/// with it. Pure.
std::strong_ordering compare_keys(
    const Table& table, std::span<const Value> left, std::span<const Value> right
);

}  // namespace footfall::storage
