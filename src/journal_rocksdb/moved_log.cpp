#include "journal_rocksdb/moved_log.h"

#include "foundation/check.h"
#include "journal_rocksdb/schema.h"

#include <algorithm>
#include <optional>

namespace footfall::journal_rocksdb {

Result<std::unique_ptr<MovedLog>> MovedLog::open(storage::Store& store) {
    TRY(const std::optional<journal::LogId> id, stored_id(store));
    if (!id) {
        return nullptr;
    }
    TRY(const auto begins, read_lanes(store, log_begin_table, *id));
    return std::unique_ptr<MovedLog>{new MovedLog{store, *id, begins}};
}

Result<journal::Records> MovedLog::read(
    std::uint32_t lane, std::uint64_t from, journal::ReadLimit limit
) {
    CHECK(lane < lane_count && limit.records > 0, "a lane, and at least one record", lane);
    return read_blocks(*store_, id_, lane, std::max(from, begins_[lane]), limit);
}

}  // namespace footfall::journal_rocksdb
