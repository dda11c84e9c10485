#pragma once

#include "storage_rocksdb/generation.h"

#include <cstddef>
#include <functional>

namespace footfall::storage_rocksdb {

/// Walking rows in the order of their keys jumps all over the memory: this asks for the row some
/// places ahead of `at`, and for the bytes of one less far, so that they are there in time.
/// `projection` leads from an element to its row.
template <class Rows, class Projection = std::identity>
void prefetch_row(const Rows& rows, std::size_t at, const Projection& projection = {}) {
    constexpr std::size_t ahead = 8;
    if (at + 2 * ahead < rows.size()) {
        __builtin_prefetch(std::invoke(projection, rows[at + 2 * ahead]));
        __builtin_prefetch(std::invoke(projection, rows[at + ahead])->start);
    }
}

}  // namespace footfall::storage_rocksdb
