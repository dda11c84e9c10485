#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace footfall::storage_rocksdb {

/// Numbers as RocksDB writes them: lowest byte first. `bytes` must be long enough.
template <class Number>
Number fixed(std::string_view bytes) {
    Number number = 0;
    for (std::size_t at = 0; at < sizeof(Number); ++at) {
        number |= static_cast<Number>(Number{static_cast<unsigned char>(bytes[at])} << (8 * at));
    }
    return number;
}

}  // namespace footfall::storage_rocksdb
