#include "journal_rocksdb/store_log.h"

#include "foundation/check.h"
#include "foundation/secret_random.h"
#include "foundation/varint.h"
#include "journal_rocksdb/blocks.h"
#include "journal_rocksdb/schema.h"
#include "storage/blocking.h"
#include "storage/deployment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace footfall::journal_rocksdb {
namespace {

using journal::LogId;
using journal::ReadLimit;
using journal::Records;
using storage::Batch;
using storage::CommitPosition;
using storage::RangeQuery;

/// How many records are looked through, at most, to find an end.
constexpr std::uint64_t hint_records = 1 << 12;
static_assert(block_records <= hint_records && hint_records <= segment_records);

/// Blocks that are erased with one write.
constexpr std::size_t erased_at_once = 500;

/// Of this store: what it remembers, or what is drawn now.
Result<LogId> load_id(storage::Store& store) {
    TRY(const std::optional<LogId> known, stored_id(store));
    if (known) {
        return *known;
    }
    TRY(const auto id, draw_secret<LogId>());
    std::string bytes(sizeof(id), '\0');
    std::memcpy(bytes.data(), &id, sizeof(id));
    Batch batch;
    batch.upsert(storage::deployment_table, {id_name, std::string_view{bytes}});
    TRY_VOID(write_durably(store, batch));
    return id;
}

/// How many of `records` make the next block.
std::size_t next_block(std::span<const std::string_view> records) {
    std::size_t count = 0;
    std::size_t bytes = 0;
    while (count < std::min(records.size(), block_records)) {
        bytes += records[count].size();
        if (count > 0 && bytes > block_bytes) {
            break;
        }
        ++count;
    }
    return count;
}

/// What a block of them takes.
std::size_t bytes_of(std::span<const std::string_view> records) {
    std::size_t bytes = 0;
    for (const std::string_view record : records) {
        bytes += varint_bytes(record.size()) + record.size();
    }
    return bytes;
}

void put_records(std::span<const std::string_view> records, std::span<char> block) {
    char* at = block.data();
    for (const std::string_view record : records) {
        at = std::ranges::copy(record, put_varint(record.size(), at)).out;
    }
}

}  // namespace

StoreLog::StoreLog(storage::Store& store) : store_{&store} {
    store_losses_ = store.on_lost_writes([this] {
        lost_.store(true);
        const std::lock_guard lock{handler_mutex_};
        if (lost_records_handler_) {
            lost_records_handler_();
        }
    });
}

Result<std::unique_ptr<StoreLog>> StoreLog::open(storage::Store& store) {
    CHECK(store.loses_only_the_end(), "a log on a store that may lose what is in the middle");
    std::unique_ptr<StoreLog> log{new StoreLog{store}};
    TRY(log->id_, load_id(store));
    TRY_VOID(log->recover());
    return log;
}

StoreLog::Lane& StoreLog::lane_at(std::uint32_t lane) {
    CHECK(lane < lane_count, "no such lane", lane);
    return lanes_[lane];
}

std::uint64_t StoreLog::end(std::uint32_t lane) const {
    CHECK(lane < lane_count, "no such lane", lane);
    return lanes_[lane].end;
}

std::uint64_t StoreLog::begin(std::uint32_t lane) const {
    CHECK(lane < lane_count, "no such lane", lane);
    return lanes_[lane].begin.load();
}

Result<CommitPosition> StoreLog::append(
    std::uint32_t lane, std::span<const std::string_view> records
) {
    Lane& state = lane_at(lane);
    const auto too_large = [](std::string_view record) { return record.size() > record_bytes_max; };
    if (std::ranges::any_of(records, too_large)) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("a record is larger than {} bytes", record_bytes_max)
        );
    }
    if (lost_.load()) {
        return fail(ErrorKind::unavailable, "records were lost; the log is being recovered");
    }
    Batch batch;
    std::uint64_t next = state.end;
    std::uint64_t hinted = state.hinted;
    while (!records.empty()) {
        const std::size_t count = next_block(records);
        const auto block = records.first(count);
        const std::span<char> bytes = batch.upsert_before_text(
            log_block_table,
            {stored(id_),
             std::int64_t{lane},
             stored(segment_of(next)),
             stored(next),
             stored(next + count - 1)},
            bytes_of(block)
        );
        put_records(block, bytes);
        records = records.subspan(count);
        if (next >= hinted + hint_records) {
            hinted = next;
            batch.upsert(log_lane_table, {stored(id_), std::int64_t{lane}, stored(next)});
        }
        next += count;
    }
    TRY(const CommitPosition position, store_->submit(batch));
    state.end = next;
    state.hinted = hinted;
    return position;
}

bool StoreLog::durable(CommitPosition position) const {
    return store_->durable(position);
}

void StoreLog::when_durable(CommitPosition position, storage::DurableDone done) {
    store_->when_durable(position, std::move(done));
}

Result<Records> StoreLog::read(std::uint32_t lane, std::uint64_t from, ReadLimit limit) {
    CHECK(lane < lane_count && limit.records > 0, "a lane, and at least one record", lane);
    for (;;) {
        const std::uint64_t begin = lanes_[lane].begin.load();
        Result<Records> records = read_blocks(*store_, id_, lane, std::max(from, begin), limit);
        // What was being read may have gone meanwhile.
        if (lanes_[lane].begin.load() <= std::max(from, begin)) {
            return records;
        }
    }
}

Result<void> StoreLog::retain(std::uint32_t lane, std::uint64_t from) {
    const std::lock_guard alone{retaining_};
    Lane& state = lane_at(lane);
    if (from <= state.begin.load()) {
        return {};
    }
    // Before anything is gone, so that nobody looks for it and finds a gap.
    state.begin.store(from);
    Result<void> erased = erase_blocks(lane, from);
    if (erased) {
        store_->forget_records(id_, lane, from);
    } else {
        // As far as it came; should writes be lost, recover() looks once more.
        if (const auto begins = read_lanes(*store_, log_begin_table, id_)) {
            state.begin.store((*begins)[lane]);
        }
    }
    return erased;
}

Result<void> StoreLog::erase_blocks(std::uint32_t lane, std::uint64_t from) {
    // What the store says: after a failed call memory may say something else.
    TRY(const auto begins, read_lanes(*store_, log_begin_table, id_));
    const std::uint64_t first = first_block_of(begins[lane]);
    Batch batch;
    // With each write the lane begins where it ends: a lane never begins with a gap.
    const auto write = [&](std::uint64_t begin) -> Result<void> {
        batch.upsert(log_begin_table, {stored(id_), std::int64_t{lane}, stored(begin)});
        TRY_VOID(write_durably(*store_, batch));
        batch.clear();
        return {};
    };
    for (std::uint64_t segment = segment_of(first); segment <= segment_of(from - 1); ++segment) {
        RangeQuery query = blocks_of(id_, lane, segment, first);
        query.through = {stored(from - 1)};
        do {
            TRY(const storage::Page page, read_page(*store_, query));
            for (std::size_t row = 0; row < page.rows.size(); ++row) {
                const Block block = block_at(page.rows, row);
                if (block.last >= from) {
                    break;  // the lane begins within it
                }
                batch.erase(
                    log_block_table,
                    {stored(id_), std::int64_t{lane}, stored(segment), stored(block.first)}
                );
                if (batch.size() == erased_at_once) {
                    TRY_VOID(write(block.last + 1));
                }
            }
            query.continuation = page.continuation;
        } while (!query.continuation.empty());
    }
    return write(from);
}

void StoreLog::on_lost_records(std::move_only_function<void()> lost) {
    const std::lock_guard lock{handler_mutex_};
    lost_records_handler_ = std::move(lost);
}

Result<void> StoreLog::recover() {
    const std::lock_guard alone{retaining_};
    TRY(const auto begins, read_lanes(*store_, log_begin_table, id_));
    TRY(const auto hints, read_lanes(*store_, log_lane_table, id_));
    lost_.store(false);
    for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
        lanes_[lane].begin.store(begins[lane]);
        store_->forget_records(id_, lane, begins[lane]);
        TRY(const std::uint64_t end, find_end(lane, std::max(hints[lane], begins[lane])));
        lanes_[lane].end = end;
        lanes_[lane].hinted = hints[lane];
    }
    return {};
}

Result<std::uint64_t> StoreLog::find_end(std::uint32_t lane, std::uint64_t hint) {
    std::uint64_t end = hint;
    for (;;) {
        TRY(const Records records, read(lane, end, {}));
        if (records.empty()) {
            return end;
        }
        end = records.next();
    }
}

}  // namespace footfall::journal_rocksdb
