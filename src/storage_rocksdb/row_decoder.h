#pragma once

#include "foundation/result.h"
#include "storage/key_codec.h"
#include "storage/rows.h"
#include "storage/table.h"
#include "storage/value.h"

#include <string>
#include <string_view>
#include <vector>

namespace footfall::storage_rocksdb {

/// Decodes stored rows one after the other, reusing its buffers. Not thread-safe.
class RowDecoder {
public:
    explicit RowDecoder(const storage::Table& table) : table_{&table} {}

    /// `corrupt` when these are no row of the table.
    Result<void> append(std::string_view key, std::string_view value, storage::Rows& rows) {
        TRY_VOID(storage::decode_key(*table_, key, columns_, texts_));
        TRY_VOID(storage::decode_row_values(*table_, value, columns_));
        rows.append(columns_);
        return {};
    }

private:
    const storage::Table* table_;
    std::vector<storage::ValueView> columns_;
    std::string texts_;
};

}  // namespace footfall::storage_rocksdb
