#include "storage_rocksdb/rocks_store.h"

#include "foundation/check.h"
#include "storage/key_codec.h"
#include "storage_rocksdb/rocks_read.h"

#include <fmt/format.h>

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
using storage::ValueView;

namespace {

/// Puts the rows of `batch` into the block, encoded by their tables' declarations.
void append_to_block(const Batch& batch, const Database& database, rocksdb::WriteBatch& block) {
    std::string key;
    std::string value;
    std::vector<ValueView> columns;
    for (const Batch::Mutation& mutation : batch.mutations()) {
        const Table& table = *mutation.table;
        const bool upsert = mutation.kind == Batch::Kind::upsert;
        columns.clear();
        for (std::size_t at = 0; at < (upsert ? table.width() : table.key_width()); ++at) {
            columns.push_back(batch.value(mutation, at));
        }
        const std::span all{columns};
        key.clear();
        storage::append_key(table, all.first(table.key_width()), key);
        rocksdb::Status status;
        if (upsert) {
            value.clear();
            storage::append_row_values(table, all.subspan(table.key_width()), value);
            status = block.Put(database.family(table), key, value);
        } else {
            status = block.Delete(database.family(table), key);
        }
        CHECK(status.ok(), "a write batch in memory cannot fail", status.ToString());
    }
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
    store->committer_ = std::make_unique<Committer>(
        Committer::Options{
            .queue_limit_bytes = store->options_.write_queue_limit_bytes,
            .sync_interval = store->options_.sync_interval,
            .recover_pause = store->options_.recover_pause
        },
        store->committer_actions()
    );
    return store;
}

RocksStore::RocksStore(RocksStoreOptions options, const Clock& clock, metrics::Metrics& metrics)
    : options_{std::move(options)},
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
      database_{
          options_.directory,
          options_.tables,
          plan_memory(options_.memory_budget_bytes),
          clock,
          options_.env
      },
      readers_{options_.read_threads, options_.read_queue_limit} {}

RocksStore::~RocksStore() {
    close();
}

Committer::Actions RocksStore::committer_actions() {
    return {
        .write = [this](rocksdb::WriteBatch& block, bool sync) { return write_block(block, sync); },
        .sync =
            [this] {
                return database_.use([](rocksdb::DB& db) -> Result<void> {
                    const rocksdb::Status status = db.SyncWAL();
                    return status.ok()
                               ? Result<void>{}
                               : std::unexpected(to_error(status, "sync the write-ahead log"));
                });
            },
        .recover = [this] { return recover(); },
        .observe =
            [this](std::chrono::nanoseconds duration, std::size_t bytes) {
                block_seconds_.observe(std::chrono::duration<double>(duration).count());
                block_bytes_.observe(static_cast<double>(bytes));
                if (options_.on_block) {
                    options_.on_block(duration);
                }
            }
    };
}

Result<void> RocksStore::write_block(rocksdb::WriteBatch& block, bool sync) {
    Result<void> written = database_.use([&](rocksdb::DB& db) -> Result<void> {
        rocksdb::WriteOptions write;
        write.sync = sync;
        const rocksdb::Status status = db.Write(write, &block);
        return status.ok() ? Result<void>{}
                           : std::unexpected(to_error(status, "write a block of rows"));
    });
    if (!written) {
        failed_writes_.add();
    }
    return written;
}

Result<void> RocksStore::recover() {
    // Closed first: what the handlers make others load again must not come from the rows in memory
    // that the files may not have.
    database_.close();
    for (auto& handler : lost_writes_handlers_) {
        handler();
    }
    return database_.open(false);
}

Result<CommitPosition> RocksStore::submit(const Batch& batch) {
    if (batch.empty()) {
        return 0;
    }
    return committer_->submit(batch.bytes(), [&](rocksdb::WriteBatch& block) {
        append_to_block(batch, database_, block);
    });
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
        [this, &table, keys = std::move(keys)] { return read_keys(database_, table, keys); }
    );
}

void RocksStore::read_range(RangeQuery query, PageDone done) {
    answer_from_pool<storage::Page>(readers_, std::move(done), [this, query = std::move(query)] {
        return read_page(database_, query);
    });
}

std::optional<Result<storage::Page>> RocksStore::read_range_now(const RangeQuery& /*query*/) {
    return std::nullopt;
}

Result<void> RocksStore::health() const {
    return committer_->health();
}

void RocksStore::on_lost_writes(std::move_only_function<void()> handler) {
    lost_writes_handlers_.push_back(std::move(handler));
}

Result<void> RocksStore::compact() {
    return database_.use([this](rocksdb::DB& db) -> Result<void> {
        rocksdb::CompactRangeOptions options;
        // Files that are already where they belong are rewritten too: only rewriting drops rows.
        options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
        for (const Table* table : options_.tables) {
            const rocksdb::Status status =
                db.CompactRange(options, database_.family(*table), nullptr, nullptr);
            if (!status.ok()) {
                return std::unexpected(to_error(status, "compact the store"));
            }
        }
        return {};
    });
}

void RocksStore::close() {
    readers_.stop();
    if (committer_) {
        committer_->stop();
    }
    database_.close();
}

}  // namespace footfall::storage_rocksdb
