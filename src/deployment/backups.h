#pragma once

#include "backup/restore.h"
#include "backup/take.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "journal/log_reader.h"
#include "metrics/metrics.h"
#include "storage/store.h"
#include "storage/table.h"
#include "storage_rocksdb/rocks_store.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace footfall::deployment {

/// How far a log of judged events is: what all its lanes have had.
struct LogPosition {
    journal::LogId id = 0;
    std::uint64_t records = 0;
};

/// Makes a backup of an embedded store, while others use it or not. `log`: of the log of events
/// that is open in it; absent: nobody has it open. `invalid_input` for a store of a cluster. For
/// one caller at a time; blocks. See backup::take().
Result<backup::Taken> take_backup(
    storage::Store& store,
    const std::optional<LogPosition>& log,
    const Clock& clock,
    const backup::TakeOptions& options
);

struct RestoreTerms {
    backup::Depot* depot = nullptr;  ///< Where backups are.
    std::string name = {};           ///< Of the backup; "": the newest.
    /// As it was at this moment: all that was acknowledged by then, and nothing that came later.
    /// With it `name` is "".
    std::optional<Instant> moment = {};
    std::filesystem::path target;
    /// A newer export, whose ledger of erasures is taken over;
    /// "": that of the newest backup of the place.
    std::filesystem::path erasures = {};
    std::vector<const storage::Table*> tables;  ///< All tables of the program.
    std::size_t memory_bytes = 0;               ///< For the store, while it is looked at.
    backup::BeforeStep before_step = backup::go_on;
};

struct Restored {
    backup::Manifest manifest;
    /// How many blocks of rows were written after the backup's, and when the last of them was;
    /// absent: the backup was restored as it is.
    std::optional<storage_rocksdb::RocksStore::Replayed> replayed = {};
    /// So many ids the ledger has that was taken over; absent: no newer one was there. The next
    /// server leaves nothing of them before it answers.
    std::optional<std::size_t> erased_ids = {};
};

/// Restores a backup into an empty place, opens what was restored, and takes over who was erased
/// since. See backup::restore(), backup::route_to(), RocksStore::replay(). Blocks.
Result<Restored> restore_backup(
    const RestoreTerms& terms, const Clock& clock, metrics::Metrics& metrics
);

}  // namespace footfall::deployment
