#include "storage_rocksdb/rocks_store.h"

#include "foundation/check.h"
#include "foundation/log.h"
#include "storage/key_codec.h"
#include "storage_rocksdb/engine_log.h"
#include "storage_rocksdb/rocks_read.h"
#include "storage_rocksdb/slices.h"

#include <fmt/format.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace footfall::storage_rocksdb {

using storage::Batch;
using storage::CommitPosition;
using storage::DurableDone;
using storage::FoundDone;
using storage::PageDone;
using storage::RangeQuery;
using storage::Table;
using storage::Value;

namespace {

// How full the memory for bulk rows may be before blocks have to wait a little, and before nothing
// more is taken.
constexpr double brake_from = 0.7;
constexpr double refuse_from = 0.95;
constexpr std::chrono::microseconds longest_pause{4000};

constexpr std::uint64_t disk_reserve_min = 64 << 20;

/// A thread that encoded more than this at once gives the memory back.
constexpr std::size_t kept_block_bytes = 1 << 20;

MemoryPlan memory_plan(const RocksStoreOptions& options) {
    MemoryPlan plan = plan_memory(options.memory_budget_bytes);
    plan.compress = options.compress;
    plan.keep_past_logs = PastLogs::are_kept(options.directory, options.past_log_bytes);
    plan.pending.generation_bytes =
        options.generation_bytes.value_or(plan.pending.generation_bytes);
    return plan;
}

/// Room for the files of all rows that wait, and for merging as many.
std::uint64_t disk_reserve(const MemoryPlan& memory) {
    return std::max<std::uint64_t>(disk_reserve_min, 2 * std::uint64_t{memory.pending.bytes});
}

/// Puts rows of ordinary tables, as they stand in a block, into `writes`. Whether some are secret.
bool append_rows(std::string_view rows, const Database& database, rocksdb::WriteBatch& writes) {
    bool secret = false;
    BlockRow row;
    while (take_row(rows, row)) {
        const Table* const table = database.numbers().table(row.table);
        CHECK(table != nullptr, "the block was made with these numbers", row.table);
        rocksdb::ColumnFamilyHandle* const family = database.family(*table);
        const rocksdb::Status status =
            row.erase ? writes.Delete(family, slice_of(row.key))
                      : writes.Put(family, slice_of(row.key), slice_of(row.value));
        CHECK(status.ok(), "a write batch in memory cannot fail", status.ToString());
        secret = secret || table->secret;
    }
    return secret;
}

/// Runs `read` in the pool and hands its answer to `done`; when the pool is full `done` gets that
/// answer instead.
template <class Answer, class Done, class Read>
void answer_from_pool(runtime::BlockingPool& pool, Done done, Read read) {
    auto shared_done = std::make_shared<Done>(std::move(done));
    Result<void> taken =
        pool.submit([shared_done, read = std::move(read)]() mutable { (*shared_done)(read()); });
    if (!taken) {
        (*shared_done)(Result<Answer>{std::unexpected(std::move(taken).error())});
    }
}

}  // namespace

Result<std::unique_ptr<RocksStore>> RocksStore::open(
    RocksStoreOptions options, const Clock& clock, metrics::Metrics& metrics
) {
    std::unique_ptr<RocksStore> store{new RocksStore{std::move(options), clock, metrics}};
    TRY_VOID(store->database_.open(store->options_.create));
    TRY_VOID(store->database_.remove_links());  // of a backup that was cut short
    TRY_VOID(store->open_history());
    store->pending_.find_by_key(store->database_.large_tables());
    store->disk_.start();
    store->past_logs_.start();
    store->committer_ = std::make_unique<Committer>(
        Committer::Options{
            .queue_limit_bytes = store->options_.write_queue_limit_bytes,
            .sync_interval = store->options_.sync_interval,
            .recover_pause = store->options_.recover_pause,
            .troubles = store->troubles_
        },
        store->committer_actions()
    );
    store->bulk_writer_->start();
    TRY_VOID(store->replay_blocks());
    return store;
}

RocksStore::RocksStore(RocksStoreOptions options, const Clock& clock, metrics::Metrics& metrics)
    : options_{std::move(options)},
      clock_{&clock},
      block_seconds_{metrics.histogram(
          "footfall_store_block_seconds",
          "Time from the start of writing a block of rows until it was durable.",
          metrics::duration_bounds()
      )},
      block_bytes_{metrics.histogram(
          "footfall_store_block_bytes",
          "Size of a block of rows written and synced together.",
          {100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000}
      )},
      failed_writes_{metrics.counter(
          "footfall_store_failed_writes_total",
          "Blocks whose write or sync failed, so that their outcome is unknown."
      )},
      pending_rows_{metrics.gauge(
          "footfall_store_pending_rows", "Bulk rows that are durable and wait for their files."
      )},
      pending_bytes_{metrics.gauge(
          "footfall_store_pending_bytes", "Memory taken by bulk rows that wait for their files."
      )},
      memory_{memory_plan(options_)},
      database_{
          options_.directory,
          options_.tables,
          memory_,
          clock,
          forgotten_,
          metrics,
          std::make_shared<EngineLog>(clock, troubles_),
          options_.env
      },
      pending_{memory_.pending},
      disk_{
          {.directory = options_.directory,
           .reserve_bytes = disk_reserve(memory_),
           .look = options_.look_at_disk,
           .troubles = troubles_},
          metrics
      },
      past_logs_{
          {.directory = options_.directory,
           .bytes_max = options_.past_log_bytes,
           .disk_is_full = [this] { return !disk_.health(); }},
          metrics
      },
      readers_{options_.read_threads, options_.read_queue_limit, runtime::Urgency::first},
      bulk_writer_{std::make_unique<BulkWriter>(
          BulkWriter::Options{
              .directory = options_.directory / "bulk",
              .retry_pause = options_.recover_pause,
              .troubles = troubles_
          },
          database_,
          pending_,
          metrics,
          bulk_actions()
      )} {}

RocksStore::~RocksStore() {
    close();
}

Committer::Actions RocksStore::committer_actions() {
    return {
        .write = [this](Block& block, bool sync) { return write_block(block, sync); },
        .sync = [this] { return sync_log(); },
        .recover = [this] { return recover(); },
        .observe =
            [this](std::chrono::nanoseconds duration, std::size_t bytes) {
                block_seconds_.observe(std::chrono::duration<double>(duration).count());
                block_bytes_.observe(static_cast<double>(bytes));
                if (options_.on_block) {
                    options_.on_block(duration);
                }
            },
        .brake = [this] { return brake(); }
    };
}

BulkWriter::Actions RocksStore::bulk_actions() {
    return {// With every block synced, what is pending is durable already.
            .sync_log = [this] { return options_.sync_interval ? sync_log() : Result<void>{}; },
            .forget_oldest =
                [this](std::uint64_t last_block) {
                    // In this order: whoever finds the rows written finds the blocks droppable.
                    droppable_.store(last_block);
                    pending_.drop_oldest();
                    report_pending();
                },
            .fail_store = [this](Error cause
                          ) { committer_->fail_store(noted_failure(std::move(cause))); }
    };
}

/// One record of the log: the rows of ordinary tables, the bulk rows as they are, and the news that
/// earlier blocks are not needed any more.
Result<void> RocksStore::write_block(Block& block, bool sync) {
    rocksdb::WriteBatch writes;
    bool secret = false;
    const std::uint64_t number = last_block_ + 1;
    const std::uint64_t droppable = droppable_.load();
    Stamp stamp = this->stamp();
    ++stamp.block;
    stamp.at = clock_->now();
    Result<void> written = database_.use([&](rocksdb::DB& db) -> Result<void> {
        secret = append_rows(block.rows, database_, writes);
        if (!block.bulk_rows.empty()) {
            writes.Put(database_.block_family(), block_key(number), block.bulk_rows);
        }
        if (droppable > dropped_) {
            writes.DeleteRange(database_.block_family(), block_key(0), block_key(droppable + 1));
        }
        writes.Put(database_.own_family(), slice_of(stamp_key), encode_stamp(stamp));
        if (secret) {
            writes.Put(
                database_.own_family(), slice_of(secret_block_key), encode_block(stamp.block)
            );
        }
        rocksdb::WriteOptions write;
        write.sync = sync;
        const rocksdb::Status status = db.Write(write, &writes);
        return status.ok() ? Result<void>{}
                           : std::unexpected(to_error(status, "write a block of rows"));
    });
    if (!written) {
        failed_writes_.add();
        return std::unexpected(noted_failure(std::move(written).error()));
    }
    {
        const std::lock_guard lock{stamp_mutex_};
        stamp_ = stamp;
    }
    if (secret) {
        secret_block_ = stamp.block;  // only now: a shred() under way may not have seen it
    }
    dropped_ = droppable;
    if (!block.bulk_rows.empty()) {
        last_block_ = number;
        const Result<void> taken = pending_.append(number, std::move(block.bulk_rows));
        CHECK(taken, "a block is what submit() made", taken ? "" : taken.error().message);
        report_pending();
    }
    return {};
}

void RocksStore::report_pending() {
    pending_rows_.set(static_cast<double>(pending_.rows()));
    pending_bytes_.set(static_cast<double>(pending_.bytes()));
}

Result<void> RocksStore::sync_log() {
    return database_.use([this](rocksdb::DB& db) -> Result<void> {
        const rocksdb::Status status = db.SyncWAL();
        return status.ok()
                   ? Result<void>{}
                   : std::unexpected(noted_failure(to_error(status, "sync the write-ahead log")));
    });
}

Result<void> RocksStore::recover() {
    if (read_only_) {
        return damage();
    }
    bulk_writer_->stop();
    // Closed first: what the handlers make others load again must not come from rows in memory
    // that the files may not have.
    database_.close(last_write_failure());
    pending_.clear();
    subscribers_.tell();
    TRY_VOID(database_.open(false));
    TRY_VOID(open_history());
    last_block_ = droppable_.load();  // of what came later some may be lost
    bulk_writer_->start();
    TRY_VOID(replay_blocks());
    // The engine would meet the same damage again: what can be read is answered, nothing is taken.
    read_only_ = writes_met_damage_.load();
    return read_only_ ? damage() : Result<void>{};
}

/// Remembers a failure after which the store must be opened anew.
Error RocksStore::noted_failure(Error cause) {
    writes_met_damage_ = writes_met_damage_ || cause.kind == ErrorKind::corrupt;
    {
        const std::lock_guard lock{damage_mutex_};
        write_failure_ = cause.message;
    }
    return noted(Result<void>{std::unexpected(std::move(cause))}).error();
}

std::string RocksStore::last_write_failure() const {
    const std::lock_guard lock{damage_mutex_};
    return write_failure_;
}

Result<void> RocksStore::damage() const {
    const std::lock_guard lock{damage_mutex_};
    return damage_ ? Result<void>{std::unexpected(*damage_)} : Result<void>{};
}

Result<CommitPosition> RocksStore::submit(const Batch& batch) {
    if (batch.empty()) {
        return 0;
    }
    TRY_VOID(check_room());
    thread_local Block rows;  // kept, since this is called for every PUT
    rows.rows.clear();
    rows.bulk_rows.clear();
    append_batch(batch, database_.numbers(), rows);
    Result<CommitPosition> position = committer_->submit(rows);
    if (rows.bytes() > kept_block_bytes) {
        rows = {};
    }
    return position;
}

/// Bulk rows that cannot be written to files must not fill the memory; nor what is written the
/// disk.
Result<void> RocksStore::check_room() const {
    TRY_VOID(disk_.health());
    if (pending_.fill() < refuse_from) {
        return {};
    }
    TRY_VOID(bulk_writer_->health());
    return fail(ErrorKind::overloaded, "more is written than the disk takes; try again shortly");
}

/// The fuller the memory for bulk rows, the longer blocks wait: from 0.7 of it on, up to 4 ms.
Committer::Brake RocksStore::brake() const {
    const double fill = pending_.fill();
    if (fill < brake_from) {
        return {};
    }
    const double strength = std::min(1.0, (fill - brake_from) / (refuse_from - brake_from));
    return {
        .pause = std::chrono::microseconds{static_cast<std::int64_t>(
            strength * static_cast<double>(longest_pause.count())
        )},
        .again = fill >= 1
    };
}

double RocksStore::pressure() const {
    return pending_.fill() / brake_from;
}

bool RocksStore::durable(CommitPosition position) const {
    return committer_->durable(position);
}

void RocksStore::when_durable(CommitPosition position, DurableDone done) {
    committer_->when_durable(position, std::move(done));
}

void RocksStore::read_many(
    const Table& table, std::vector<std::vector<Value>> keys, FoundDone done
) {
    answer_from_pool<storage::Found>(
        readers_,
        std::move(done),
        [this, &table, keys = std::move(keys)] {
            return noted(read_keys(database_, pending_, table, keys));
        }
    );
}

std::optional<Result<storage::Found>> RocksStore::read_many_here(
    const Table& table, const std::vector<std::vector<Value>>& keys
) {
    return noted(read_keys(database_, pending_, table, keys));
}

void RocksStore::read_range(RangeQuery query, PageDone done) {
    answer_from_pool<storage::Page>(readers_, std::move(done), [this, query = std::move(query)] {
        return noted(*read_page(database_, pending_, query, Waiting::allowed));
    });
}

std::optional<Result<storage::Page>> RocksStore::read_range_here(const RangeQuery& query) {
    auto page = read_page(database_, pending_, query, Waiting::allowed);
    return page ? std::optional{noted(*std::move(page))} : std::nullopt;
}

std::optional<Result<storage::PartitionsFound>> RocksStore::read_partitions_here(
    const Table& table, std::span<const storage::ValueView> partitions
) {
    auto found = read_partitions(database_, pending_, table, partitions);
    return found ? std::optional{noted(*std::move(found))} : std::nullopt;
}

std::optional<Result<storage::Page>> RocksStore::read_range_now(const RangeQuery& query) {
    return read_page(database_, pending_, query, Waiting::refused);
}

void RocksStore::scan(storage::ScanQuery query, PageDone done) {
    answer_from_pool<storage::Page>(readers_, std::move(done), [this, query = std::move(query)] {
        return noted(scan_page(query));
    });
}

Result<storage::Page> RocksStore::scan_page(const storage::ScanQuery& query) {
    CHECK(query.table != nullptr, "a scan without a table");
    TRY(ScanStart start, scan_start(query));
    const std::uint64_t epoch = pending_.epoch();
    if (query.table->bulk && start.epoch != epoch) {
        TRY_VOID(write_pending());
    }
    start.epoch = epoch;
    TRY(storage::Page page, scan_files(database_, query, start));
    if (query.table->bulk && (pending_.epoch() != epoch || !pending_.is_complete())) {
        return fail(ErrorKind::unavailable, "the store was reopened after a failed write");
    }
    return page;
}

/// Returns when all bulk rows that wait now stand in files.
Result<void> RocksStore::write_pending() {
    const std::uint64_t generations = pending_.seal();
    while (!pending_.wait_until_written(options_.recover_pause, generations)) {
        TRY_VOID(bulk_writer_->health());
    }
    return {};
}

Result<void> RocksStore::health() const {
    TRY_VOID(committer_->health());
    TRY_VOID(bulk_writer_->health());
    TRY_VOID(disk_.health());
    return damage();
}

storage::Subscription RocksStore::on_lost_writes(std::move_only_function<void()> handler) {
    return subscribers_.add(std::move(handler));
}

void RocksStore::close() {
    readers_.stop();
    if (committer_) {
        committer_->stop();
    }
    bulk_writer_->stop();
    past_logs_.stop();
    disk_.stop();
    if (droppable_.load() > dropped_) {
        // Not while the store is being reopened; then, or if it fails, the next start writes their
        // rows once more.
        (void)database_.use([this](rocksdb::DB& db) { return drop_blocks(db); });
        dropped_ = droppable_.load();
    }
    database_.close();
}

}  // namespace footfall::storage_rocksdb
