#include "journal_rocksdb/blocks.h"

#include "foundation/varint.h"
#include "journal_rocksdb/schema.h"
#include "storage/blocking.h"
#include "storage/deployment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <variant>

namespace footfall::journal_rocksdb {

using journal::LogId;
using journal::ReadLimit;
using journal::Records;
using storage::RangeQuery;

namespace {

std::unexpected<Error> damaged(std::uint32_t lane, std::uint64_t offset) {
    return fail(
        ErrorKind::corrupt, fmt::format("the log is damaged: lane {}, record {}", lane, offset)
    );
}

/// Takes the records of a block that `into` goes on with, as far as the limit goes. False: damaged.
bool take_block(const Block& block, ReadLimit limit, Records& into) {
    std::string_view left = block.records;
    for (std::uint64_t offset = block.first; offset <= block.last; ++offset) {
        std::uint64_t size = 0;
        if (!take_varint(left, size) || size > left.size()) {
            return false;
        }
        const std::string_view record = left.substr(0, size);
        left.remove_prefix(size);
        if (offset < into.next()) {
            continue;
        }
        const bool fits = into.size() < limit.records && into.bytes() + size <= limit.bytes;
        if (!fits && !into.empty()) {
            return true;
        }
        into.append(record);
    }
    return left.empty();
}

}  // namespace

Block block_at(const storage::Rows& rows, std::size_t row) {
    return {
        .first = static_cast<std::uint64_t>(rows.at(row, 3).number()),
        .last = static_cast<std::uint64_t>(rows.at(row, 4).number()),
        .records = rows.at(row, 5).text()
    };
}

RangeQuery blocks_of(LogId id, std::uint32_t lane, std::uint64_t segment, std::uint64_t from) {
    return {
        .table = &log_block_table,
        .partition = {stored(id), std::int64_t{lane}, stored(segment)},
        .from = {stored(from)}
    };
}

Result<std::array<std::uint64_t, lane_count>> read_lanes(
    storage::Store& store, const storage::Table& table, LogId id
) {
    std::array<std::uint64_t, lane_count> lanes{};
    TRY(const storage::Rows rows, read_all(store, {.table = &table, .partition = {stored(id)}}));
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto lane = static_cast<std::uint64_t>(rows.at(row, 1).number());
        if (lane >= lanes.size()) {
            return fail(ErrorKind::corrupt, fmt::format("the log has a lane {}", lane));
        }
        lanes[lane] = static_cast<std::uint64_t>(rows.at(row, 2).number());
    }
    return lanes;
}

Result<std::optional<LogId>> stored_id(storage::Store& store) {
    TRY(const auto row, read_one(store, storage::deployment_table, {std::string{id_name}}));
    if (!row) {
        return std::nullopt;
    }
    const std::string& bytes = std::get<std::string>((*row)[1]);
    LogId id = 0;
    if (bytes.size() != sizeof(id)) {
        return fail(ErrorKind::corrupt, "the id of the log has not 8 bytes");
    }
    std::memcpy(&id, bytes.data(), sizeof(id));
    return id;
}

Result<Records> read_blocks(
    storage::Store& store, LogId id, std::uint32_t lane, std::uint64_t from, ReadLimit limit
) {
    Records records{from};
    // The block that holds `from` may stand in the segment before.
    std::uint64_t next = first_block_of(from);
    for (std::uint64_t segment = segment_of(next);; ++segment) {
        RangeQuery query = blocks_of(id, lane, segment, next);
        query.max_bytes = std::max(limit.bytes, block_bytes);
        do {
            TRY(const storage::Page page, read_page(store, query));
            for (std::size_t row = 0; row < page.rows.size(); ++row) {
                const Block block = block_at(page.rows, row);
                if (block.last < from) {
                    continue;
                }
                if (block.first > records.next()) {
                    return records.empty() ? damaged(lane, from) : Result<Records>{records};
                }
                if (!take_block(block, limit, records)) {
                    return damaged(lane, block.first);
                }
                if (records.next() <= block.last) {
                    return records;
                }
            }
            query.continuation = page.continuation;
        } while (!query.continuation.empty());
        next = (segment + 1) * segment_records;
        if (records.next() < next) {
            return records;
        }
    }
}

}  // namespace footfall::journal_rocksdb
