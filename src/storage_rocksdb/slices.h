#pragma once

#include <rocksdb/slice.h>

#include <string_view>

namespace footfall::storage_rocksdb {

/// The engine's name for the same thing. Neither owns what it points to.
inline rocksdb::Slice slice_of(std::string_view bytes) {
    return {bytes.data(), bytes.size()};  // NOLINT(bugprone-suspicious-stringview-data-usage)
}

inline std::string_view view_of(const rocksdb::Slice& slice) {
    return {slice.data(), slice.size()};
}

}  // namespace footfall::storage_rocksdb
