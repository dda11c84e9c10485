#include "storage_rocksdb/rocks_options.h"

#include "storage/key_codec.h"
#include "storage_rocksdb/dropped_rows.h"

#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/sst_file_manager.h>
#include <rocksdb/table.h>
#include <rocksdb/version.h>

#include <chrono>
#include <cstdint>
#include <limits>

namespace footfall::storage_rocksdb {
namespace {

using storage::Table;

/// Files with rows that go are rewritten at least this often, so that the space comes back,
constexpr std::chrono::seconds reclaim_interval{24 * 3600};
/// or this often where most go when files are merged anyway.
constexpr std::chrono::seconds reclaim_interval_of_records{7 * 24 * 3600};
/// So many files of a table that is seldom read may wait to be merged. From twice `merged_at_once`
/// on the engine merges files of different sizes, too, so there are more only while it falls
/// behind.
constexpr std::uint64_t seldom_read_files_max = 64;

bool seldom_read(const Table& table) {
    return table.merged_at_once > 0;
}

/// The partition columns of a key: what filters are built over, so that looking for an object that
/// is not there reads no file.
class PartitionPrefix final : public rocksdb::SliceTransform {
public:
    explicit PartitionPrefix(const Table& table) : table_{&table} {}

    const char* Name() const override { return "footfall.partition"; }

    rocksdb::Slice Transform(const rocksdb::Slice& key) const override {
        const auto length = storage::partition_length(*table_, {key.data(), key.size()});
        return {key.data(), length.value_or(key.size())};
    }

    bool InDomain(const rocksdb::Slice& /*key*/) const override { return true; }

private:
    const Table* table_;
};

/// Deletes files of old, logs too, a piece at a time. A disk that is told what is free (discard) is
/// busy with that for 40 ms and more for a file of 60 MB, and the log's sync with it.
rocksdb::SstFileManager* delete_bit_by_bit(const rocksdb::DBOptions& options) {
    constexpr std::int64_t bytes_a_second = 128 << 20;
    constexpr std::uint64_t piece_bytes = 2 << 20;
    // More than so many times what is in use goes at once: the disk must not fill with rubbish.
    constexpr double most_waiting = 4;
    return rocksdb::NewSstFileManager(
        options.env, options.info_log, "", bytes_a_second, true, nullptr, most_waiting, piece_bytes
    );
}

/// Rows of a bulk table arrive as files of a whole generation over all keys. Merging them a few at
/// a time, similar sizes together, rewrites a row least often (universal compaction); the more at a
/// time the less often, but a look-up asks more files. Look-ups are by partition, so filters hold
/// partitions alone, unless these are large.
void arrange_for_bulk(
    const Table& table,
    rocksdb::BlockBasedTableOptions& blocks,
    rocksdb::ColumnFamilyOptions& options
) {
    blocks.whole_key_filtering = table.large_partitions;
    blocks.block_size = 4 << 10;
    options.compaction_style = rocksdb::kCompactionStyleUniversal;
    // Not with universal compaction: 7.8 then skips levels when it looks whether a file that is
    // taken in overlaps with others, and lets older rows stand above newer ones.
    options.level_compaction_dynamic_level_bytes = false;
    auto& universal = options.compaction_options_universal;
    if (seldom_read(table)) {
        // So many of one size, never more: a merge of all that waits would take the cores for many
        // seconds at once, and merge the same rows again with the next.
        universal.stop_style = rocksdb::kCompactionStopStyleSimilarSize;
        universal.size_ratio = 100;
        universal.min_merge_width = table.merged_at_once;
        universal.max_merge_width = table.merged_at_once;
        options.level0_file_num_compaction_trigger = table.merged_at_once;
    } else {
        universal.size_ratio = 20;
        universal.min_merge_width = 4;
        options.level0_file_num_compaction_trigger = 6;
    }
    // All is merged when what is newer than the oldest files is so many percent of them: rows that
    // were erased go then.
    universal.max_size_amplification_percent = seldom_read(table) ? 300 : 200;
    // Whoever takes files in waits for compaction by itself (BulkWriter); the engine's own brakes
    // would slow down every table, and are out of reach.
    options.level0_slowdown_writes_trigger = 1 << 20;
    options.level0_stop_writes_trigger = 1 << 20;
}

}  // namespace

MemoryPlan plan_memory(std::size_t budget_bytes) {
    const std::size_t pending = budget_bytes / 10 * 4;
    return {
        .block_cache = rocksdb::NewLRUCache(budget_bytes / 10 * 4),
        .pending = {.bytes = pending, .generation_bytes = pending / 3},
        .block_buffer_bytes = budget_bytes / 10,
        .table_buffer_bytes = budget_bytes / 40
    };
}

rocksdb::DBOptions database_options(
    const MemoryPlan& memory, std::shared_ptr<rocksdb::Logger> log, rocksdb::Env* env
) {
    rocksdb::DBOptions options;
    options.env = env;
    options.info_log = std::move(log);
    options.create_if_missing = true;
    // What was acknowledged is a prefix of what was written; recovery takes the longest prefix that
    // is whole.
    options.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
    options.db_write_buffer_size = 2 * memory.block_buffer_bytes;
    // Two flushes, and six compactions: there may be a long one of each table that is seldom read,
    // and they must not keep the short ones of others from being done, for which writes wait.
    options.max_background_jobs = 8;
    // Threads that answer do not delete files of old.
    options.avoid_unnecessary_blocking_io = true;
    // Files go to the disk as they are written: a large one at once would keep the log waiting.
    options.bytes_per_sync = 512 << 10;
    options.strict_bytes_per_sync = true;
    options.max_total_wal_size = 4 * memory.block_buffer_bytes;
    // By time alone, and never: PastLogs removes them.
    options.WAL_ttl_seconds = memory.keep_past_logs ? std::numeric_limits<std::uint32_t>::max() : 0;
    options.max_open_files = 512;
    options.stats_dump_period_sec = 0;
    options.sst_file_manager.reset(delete_bit_by_bit(options));
    return options;
}

rocksdb::ColumnFamilyOptions table_options(
    const storage::Table& table,
    const MemoryPlan& memory,
    const Clock& clock,
    const storage::ForgottenRecords& forgotten
) {
    rocksdb::BlockBasedTableOptions blocks;
    blocks.block_cache = memory.block_cache;
    blocks.cache_index_and_filter_blocks = true;
    blocks.pin_l0_filter_and_index_blocks_in_cache = true;
    blocks.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
    blocks.format_version = 5;
    // A file may hold millions of keys. In one piece its filter would be larger than a shard of the
    // cache, and be read from the disk again for every look-up.
    blocks.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
    blocks.partition_filters = true;
    blocks.metadata_block_size = 32 << 10;
    blocks.metadata_cache_options.top_level_index_pinning = rocksdb::PinningTier::kAll;
    blocks.cache_index_and_filter_blocks_with_high_priority = true;

    rocksdb::ColumnFamilyOptions options;
    options.prefix_extractor = std::make_shared<PartitionPrefix>(table);
    options.memtable_prefix_bloom_size_ratio = 0.05;
    options.compression = memory.compress ? rocksdb::kLZ4Compression : rocksdb::kNoCompression;
    options.level_compaction_dynamic_level_bytes = true;
    options.write_buffer_size = memory.table_buffer_bytes;
    options.compaction_filter_factory = dropped_rows(table, clock, forgotten);
    if (options.compaction_filter_factory != nullptr) {
        const auto interval = table.of_record ? reclaim_interval_of_records : reclaim_interval;
        options.periodic_compaction_seconds = static_cast<std::uint64_t>(interval.count());
    }
    if (table.bulk) {
        arrange_for_bulk(table, blocks, options);
    }
    options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(blocks));
    return options;
}

std::uint64_t waiting_files_max(const storage::Table& table) {
    return seldom_read(table) ? seldom_read_files_max : 12;
}

rocksdb::ColumnFamilyOptions block_options(const MemoryPlan& memory) {
    rocksdb::ColumnFamilyOptions options;
    options.write_buffer_size = memory.block_buffer_bytes;
    options.max_write_buffer_number = 4;
    options.compression = rocksdb::kNoCompression;  // seldom read, soon dropped
    // All but the newest files hold only what has been dropped. While others are merged before them
    // they may be as many as they like: nobody reads them, and a brake would slow down every table.
    options.level0_slowdown_writes_trigger = 1 << 20;
    options.level0_stop_writes_trigger = 1 << 20;
    return options;
}

rocksdb::ColumnFamilyOptions own_options() {
    rocksdb::ColumnFamilyOptions options;
    // Some rows written over and over: so much of them that a log is not kept for their sake.
    options.write_buffer_size = 4 << 20;
    return options;
}

rocksdb::ReadOptions walk_options() {
    rocksdb::ReadOptions options;
    options.ignore_range_deletions = true;
    return options;
}

std::string engine_version() {
    return rocksdb::GetRocksVersionAsString();
}

Error to_error(const rocksdb::Status& status, std::string_view doing) {
    // When a table file is gone the engine looks for it by its name of old, and complains of that.
    std::string why = status.ToString();
    const bool table_gone = status.IsIOError() && why.contains(".ldb: No such file");
    if (table_gone) {
        why.replace(why.find(".ldb:"), 4, ".sst");
    }
    if (status.IsCorruption() || table_gone) {
        return {
            .kind = ErrorKind::corrupt,
            .message = fmt::format("{}: {}. Restore the data directory from a backup.", doing, why)
        };
    }
    return {
        .kind = status.IsTimedOut() ? ErrorKind::timed_out : ErrorKind::unavailable,
        .message = fmt::format("{}: {}", doing, why)
    };
}

}  // namespace footfall::storage_rocksdb
