#include "storage_rocksdb/directory_format.h"
#include "storage_rocksdb/rewriting.h"
#include "storage_rocksdb/rocks_options.h"
#include "storage_rocksdb/rocks_store.h"
#include "storage_rocksdb/slices.h"

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
    const std::uint64_t secret = secret_block_.load();
    if (secret == shredded_block_.load()) {
        return {};
    }
    TRY_VOID(database_.use([this, secret](rocksdb::DB& db) -> Result<void> {
        TRY_VOID(noted(shred_families(db, database_.secret_families(), database_.families())));
        TRY_VOID(past_logs_.remove_all(db));
        const rocksdb::Status written =
            db.Put({}, database_.own_family(), slice_of(shredded_block_key), encode_block(secret));
        return written.ok() ? Result<void>{}
                            : std::unexpected(to_error(written, "note that secrets were shredded"));
    }));
    shredded_block_ = secret;
    return {};
}

Result<bool> RocksStore::rewrite() {
    TRY_VOID(write_pending());
    TRY_VOID(database_.use([this](rocksdb::DB& db) -> Result<void> {
        TRY_VOID(drop_blocks(db));
        auto families = database_.personal_families();
        families.push_back(database_.block_family());
        TRY_VOID(noted(shred_families(db, families, database_.families())));
        return past_logs_.remove_all(db);
    }));
    TRY_VOID(noted(database_.reopen()));
    return true;
}

Result<std::filesystem::path> RocksStore::link_files() {
    TRY(std::filesystem::path folder, noted(database_.link_files()));
    TRY_VOID(database_.use([&](rocksdb::DB& db) {
        return past_logs_.link(db, folder / past_folder);
    }));
    return folder;
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
