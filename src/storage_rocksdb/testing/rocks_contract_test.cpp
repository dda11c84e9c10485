#include "foundation/check.h"
#include "foundation_testing/files_below.h"
#include "foundation_testing/temporary_directory.h"
#include "storage_rocksdb/rocks_store.h"
#include "storage_testing/store_contract.h"
#include "storage_testing/written_twice.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::storage {
namespace {

/// A RocksStore in a directory of its own.
class RocksSubject final : public ContractSubject {
public:
    RocksSubject(
        std::span<const Table* const> tables,
        const Clock& clock,
        std::optional<std::size_t> generation_bytes,
        bool compress = true
    )
        : tables_{tables.begin(), tables.end()},
          clock_{&clock},
          generation_bytes_{generation_bytes},
          compress_{compress} {
        open();
    }

    Store& store() override { return *store_; }

    bool reopen() override {
        store_.reset();
        open();
        return true;
    }

    bool reclaim() override {
        const Result<void> compacted = store_->compact();
        CHECK(compacted, "compaction failed", compacted ? "" : compacted.error().message);
        return true;
    }

    std::optional<bool> keeps(std::string_view bytes) override {
        return is_in_files_below(directory_.path(), bytes);
    }

    bool loses(std::string_view bytes) override {
        return goes_from_files_below(directory_.path(), bytes);
    }

private:
    void open() {
        auto opened = storage_rocksdb::RocksStore::open(
            {.directory = directory_.path(),
             .tables = tables_,
             .generation_bytes = generation_bytes_,
             .compress = compress_,
             .past_log_bytes = compress_ ? 0U : 64U << 20},
            *clock_,
            metrics_
        );
        CHECK(opened, "the store does not open", opened ? "" : opened.error().message);
        store_ = *std::move(opened);
    }

    const TemporaryDirectory directory_;
    std::vector<const Table*> tables_;
    const Clock* clock_;
    const std::optional<std::size_t> generation_bytes_;
    const bool compress_;
    metrics::Metrics metrics_;
    std::unique_ptr<storage_rocksdb::RocksStore> store_;
};

std::unique_ptr<ContractSubject> open_rocks(
    std::span<const Table* const> tables, const Clock& clock
) {
    return std::make_unique<RocksSubject>(tables, clock, std::nullopt);
}

/// Writes bulk rows to files all the time, so that reads find them everywhere.
std::unique_ptr<ContractSubject> open_eager(
    std::span<const Table* const> tables, const Clock& clock
) {
    return std::make_unique<RocksSubject>(tables, clock, 2000);
}

/// Whose files can be searched as they are.
std::unique_ptr<ContractSubject> open_plain(
    std::span<const Table* const> tables, const Clock& clock
) {
    return std::make_unique<RocksSubject>(tables, clock, std::nullopt, false);
}

std::unique_ptr<ContractSubject> open_twice(
    std::span<const Table* const> tables, const Clock& clock
) {
    return written_twice(open_rocks(tables, clock));
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(
    RocksDb,
    StoreContract,
    testing::Values(
        StoreImplementation{.name = "rocksdb", .open = open_rocks},
        StoreImplementation{.name = "eager", .open = open_eager},
        StoreImplementation{.name = "uncompressed", .open = open_plain},
        StoreImplementation{.name = "written_twice", .open = open_twice}
    ),
    implementation_name
);

}  // namespace footfall::storage
