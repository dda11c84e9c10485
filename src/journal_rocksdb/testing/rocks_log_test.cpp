#include "foundation/check.h"
#include "foundation_testing/temporary_directory.h"
#include "journal_rocksdb/schema.h"
#include "journal_rocksdb/store_log.h"
#include "journal_testing/log_contract.h"
#include "storage/deployment.h"
#include "storage_rocksdb/rocks_store.h"

#include <memory>
#include <optional>
#include <utility>

namespace footfall::journal {
namespace {

/// A log in a RocksStore, in a directory of its own.
class RocksLog final : public LogSubject {
public:
    explicit RocksLog(std::optional<std::size_t> generation_bytes)
        : generation_bytes_{generation_bytes} {
        open();
    }

    Log& log() override { return *log_; }

    void reopen() override {
        log_.reset();
        store_.reset();
        open();
    }

private:
    void open() {
        auto store = storage_rocksdb::RocksStore::open(
            {.directory = directory_.path(),
             .tables =
                 {&storage::deployment_table,
                  &journal_rocksdb::log_block_table,
                  &journal_rocksdb::log_lane_table,
                  &journal_rocksdb::log_begin_table},
             .generation_bytes = generation_bytes_},
            clock_,
            metrics_
        );
        CHECK(store, "the store does not open", store ? "" : store.error().message);
        store_ = *std::move(store);
        auto log = journal_rocksdb::StoreLog::open(*store_);
        CHECK(log, "the log does not open", log ? "" : log.error().message);
        log_ = *std::move(log);
    }

    const TemporaryDirectory directory_;
    const std::optional<std::size_t> generation_bytes_;
    const SystemClock clock_;
    metrics::Metrics metrics_;
    std::unique_ptr<storage_rocksdb::RocksStore> store_;
    std::unique_ptr<journal_rocksdb::StoreLog> log_;
};

}  // namespace

INSTANTIATE_TEST_SUITE_P(
    RocksDb,
    LogContract,
    testing::Values(
        LogImplementation{
            .name = "rocksdb", .open = [] { return std::make_unique<RocksLog>(std::nullopt); }
        },
        // Writes rows to files all the time, so that reads find them everywhere.
        LogImplementation{
            .name = "eager", .open = [] { return std::make_unique<RocksLog>(100'000); }
        }
    ),
    implementation_name
);

}  // namespace footfall::journal
