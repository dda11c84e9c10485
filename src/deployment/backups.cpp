#include "deployment/backups.h"

#include "backup/place.h"
#include "backup/route.h"
#include "deployment/node_backups.h"
#include "deployment/restored_erasures.h"
#include "deployment/store_place.h"
#include "erasure/schema.h"
#include "events/rfc3339.h"
#include "foundation/check.h"
#include "foundation/log.h"
#include "journal_rocksdb/blocks.h"
#include "journal_rocksdb/store_log.h"
#include "moving/export_tables.h"
#include "storage/deployment.h"
#include "storage_rocksdb/directory_format.h"
#include "storage_rocksdb/past_logs.h"
#include "storage_rocksdb/rocks_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace footfall::deployment {
namespace {

namespace fs = std::filesystem;

/// Of a log that nobody has open; 0 where there is none.
Result<LogPosition> position_of_log(storage::Store& store) {
    TRY(const auto id, journal_rocksdb::stored_id(store));
    if (!id) {
        return LogPosition{};
    }
    TRY(const auto log, journal_rocksdb::StoreLog::open(store));
    LogPosition position{.id = log->id()};
    for (std::uint32_t lane = 0; lane < log->lanes(); ++lane) {
        position.records += log->end(lane);
    }
    return position;
}

Result<void> export_ledger(storage::Store& store, const Clock& clock, const fs::path& directory) {
    const std::array<const storage::Table*, 1> tables{&erasure::erasure_table};
    TRY(const moving::Exported exported,
        moving::export_tables(store, tables, clock, {.directory = directory}));
    static_cast<void>(exported);
    return {};
}

/// Fetches the ledger that is newer than that of `manifest` into `folder`; false where there is
/// none.
Result<bool> fetch_newer_ledger(
    backup::Depot& depot, const backup::Manifest& manifest, const fs::path& folder
) {
    TRY(const backup::Manifest newest, backup::find(depot, ""));
    const auto same = [](const backup::StoredFile& left, const backup::StoredFile& right) {
        return left.name == right.name && left.sums == right.sums;
    };
    if (std::ranges::equal(newest.beside, manifest.beside, same)) {
        return false;  // the same rows make the same bytes
    }
    backup::Step uncounted;
    for (const backup::StoredFile& file : newest.beside) {
        TRY_VOID(backup::fetch(depot, file, folder, uncounted, backup::go_on));
    }
    return true;
}

Result<void> remove_folder(const fs::path& folder) {
    std::error_code error;
    fs::remove_all(folder, error);
    return error ? Result<void>{fail(
                       ErrorKind::unavailable,
                       fmt::format("cannot remove {}: {}", folder.string(), error.message())
                   )}
                 : Result<void>{};
}

/// Takes over who was erased since the backup was made, if anybody knows.
Result<std::optional<std::size_t>> restore_newer_erasures(
    storage::Store& store,
    const fs::path& directory,
    const RestoreTerms& terms,
    const backup::Manifest& manifest,
    const Clock& clock
) {
    if (!terms.erasures.empty()) {
        TRY(const std::size_t ids, restore_erasures(store, terms.erasures, clock));
        return std::optional{ids};
    }
    const fs::path folder = directory / "newer-ledger";
    TRY(const bool newer, fetch_newer_ledger(*terms.depot, manifest, folder));
    if (!newer) {
        return std::optional<std::size_t>{};
    }
    TRY(const std::size_t ids, restore_erasures(store, folder, clock));
    TRY_VOID(remove_folder(folder));
    return std::optional{ids};
}

/// Writes what came after the backup up to a moment, and removes the logs.
Result<storage_rocksdb::RocksStore::Replayed> replay(
    storage::Store& store, const fs::path& folder, const backup::Route& route, Instant moment
) {
    auto* const files = dynamic_cast<storage_rocksdb::RocksStore*>(&store);
    CHECK(files != nullptr, "a data directory is opened as one");
    TRY(const auto logs, storage_rocksdb::past_logs_in(folder));
    TRY(const auto replayed, files->replay(logs, moment));
    if (!replayed.reached_end && replayed.last.block < route.block_min) {
        return fail(
            ErrorKind::not_found,
            fmt::format(
                "the blocks {} to {} are in no backup, so nothing is known of what was written "
                "after {}: more was written between two backups than the setting backup_history "
                "keeps, or a person or a key was erased in between. Restore a backup as it is, or "
                "an earlier moment.",
                replayed.last.block + 1,
                route.block_min,
                events::format_rfc3339(replayed.last.at)
            )
        );
    }
    TRY_VOID(remove_folder(folder));
    return replayed;
}

/// Opens what was restored, which looks through it, goes on to the moment, and takes over who was
/// erased since.
Result<void> finish_restore(
    const fs::path& directory,
    const RestoreTerms& terms,
    const backup::Route& route,
    const Clock& clock,
    metrics::Metrics& metrics,
    Restored& restored
) {
    TRY(const auto store,
        open_store(
            DirectoryPlace{.path = directory, .create = false, .begin_history = true},
            {.tables = terms.tables, .memory_bytes = terms.memory_bytes},
            clock,
            metrics
        ));
    TRY(const SipKey secret, storage::load_secret(*store));
    const std::string deployment = storage::deployment_id(secret);
    if (deployment != restored.manifest.deployment) {
        return fail(
            ErrorKind::corrupt,
            fmt::format(
                "the backup {} says that it is of the deployment {}, and holds {}",
                restored.manifest.name,
                restored.manifest.deployment,
                deployment
            )
        );
    }
    if (terms.moment) {
        const fs::path past = directory / storage_rocksdb::past_folder;
        TRY(restored.replayed, replay(*store, past, route, *terms.moment));
    }
    TRY(restored.erased_ids,
        restore_newer_erasures(*store, directory, terms, restored.manifest, clock));
    return {};
}

}  // namespace

Result<backup::Taken> take_backup(
    storage::Store& store,
    const std::optional<LogPosition>& log,
    const Clock& clock,
    const backup::TakeOptions& options
) {
    auto* const files = dynamic_cast<storage_rocksdb::RocksStore*>(&store);
    if (files == nullptr) {
        return fail(
            ErrorKind::invalid_input,
            "a backup is made of a data directory; of a cluster, of the snapshot of each node: "
            "--snapshot NAME --node-data DIR (docs/operations.md)"
        );
    }
    TRY(const SipKey secret, storage::load_secret(store));
    LogPosition position = log.value_or(LogPosition{});
    if (!log) {
        TRY(position, position_of_log(store));
    }
    const backup::Source source{
        .deployment = storage::deployment_id(secret),
        .format = storage_rocksdb::directory_format,
        .log_id = position.id,
        .log_records = position.records,
        .freeze = [&]() -> Result<backup::Frozen> {
            const storage_rocksdb::Stamp stamp = files->stamp();
            TRY(const fs::path linked, files->link_files());
            TRY(const auto past, files->past_blocks(linked));
            return backup::Frozen{
                .directory = linked,
                .scratch = linked / backup::beside_folder,
                .history = stamp.history,
                .block = stamp.block,
                .past_from = past.first,
                .past_to = past.first == 0 ? stamp.block : past.last
            };
        },
        .past_folder = std::string{storage_rocksdb::past_folder},
        .write_beside = [&](const fs::path& directory
                        ) { return export_ledger(store, clock, directory); }
    };
    Result<backup::Taken> taken = backup::take(source, clock, options);
    if (taken) {
        if (const Result<void> forgotten = files->forget_past(); !forgotten) {
            footfall::log(LogLevel::warning, "after a backup: {}", forgotten.error().message);
        }
    }
    if (const Result<void> unlinked = files->unlink_files(); !unlinked) {
        footfall::log(LogLevel::warning, "after a backup: {}", unlinked.error().message);
    }
    return taken;
}

Result<Restored> restore_backup(
    const RestoreTerms& terms, const Clock& clock, metrics::Metrics& metrics
) {
    Restored restored;
    backup::Route route;
    if (terms.moment) {
        TRY(const backup::Listing listing, backup::list(*terms.depot));
        TRY(route, backup::route_to(listing, *terms.moment));
    } else {
        TRY(route.base, backup::find(*terms.depot, terms.name));
    }
    TRY_VOID(check_is_directory(route.base));
    restored.manifest = route.base;
    TRY(restored.manifest,
        backup::restore(
            {.depot = terms.depot,
             .name = restored.manifest.name,
             .target = terms.target,
             .format = storage_rocksdb::directory_format,
             .folder = std::string{storage_rocksdb::restoring_folder},
             .last_file = std::string{storage_rocksdb::current_file},
             .past = route.past,
             .past_folder = std::string{storage_rocksdb::past_folder},
             .finish =
                 [&](const fs::path& directory) {
                     return finish_restore(directory, terms, route, clock, metrics, restored);
                 },
             .before_step = terms.before_step}
        ));
    return restored;
}

}  // namespace footfall::deployment
