#include "storage_rocksdb/rewriting.h"
#include "storage_rocksdb/rocks_options.h"
#include "storage_rocksdb/rocks_store.h"

#include <rocksdb/db.h>

// What RocksStore does with files that are there.
namespace footfall::storage_rocksdb {

Result<void> RocksStore::compact() {
    TRY_VOID(write_pending());
    return database_.use([this](rocksdb::DB& db) -> Result<void> {
        TRY_VOID(drop_blocks(db));
        const auto families = database_.families().first(options_.tables.size() + 1);  // and blocks
        return noted(rewrite_files(db, families, Others::wait));
    });
}

Result<void> RocksStore::shred() {
    const std::uint64_t written = secrets_written_.load();
    if (written == secrets_shredded_.load()) {
        return {};
    }
    TRY_VOID(database_.use([this](rocksdb::DB& db) {
        return noted(shred_families(db, database_.secret_families(), database_.families()));
    }));
    secrets_shredded_ = written;
    return {};
}

Result<bool> RocksStore::rewrite() {
    TRY_VOID(write_pending());
    TRY_VOID(database_.use([this](rocksdb::DB& db) -> Result<void> {
        TRY_VOID(drop_blocks(db));
        auto families = database_.personal_families();
        families.push_back(database_.block_family());
        return noted(shred_families(db, families, database_.families()));
    }));
    TRY_VOID(noted(database_.reopen()));
    return true;
}

Result<std::filesystem::path> RocksStore::link_files() {
    return noted(database_.link_files());
}

Result<void> RocksStore::unlink_files() {
    return database_.remove_links();
}

/// Deletes the blocks whose rows stand in files, without waiting for the next block.
Result<void> RocksStore::drop_blocks(rocksdb::DB& db) const {
    const std::uint64_t droppable = droppable_.load();
    if (droppable == 0) {
        return {};
    }
    rocksdb::WriteOptions synced;
    synced.sync = true;
    const rocksdb::Status status =
        db.DeleteRange(synced, database_.block_family(), block_key(0), block_key(droppable + 1));
    return status.ok() ? Result<void>{}
                       : std::unexpected(to_error(status, "drop blocks whose rows are in files"));
}

}  // namespace footfall::storage_rocksdb
