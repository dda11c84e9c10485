#pragma once

#include "backup/manifest.h"
#include "backup/step.h"
#include "backup/take.h"
#include "foundation/clock.h"
#include "foundation/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace footfall::deployment {

/// What `nodetool snapshot` has made on one node of Cassandra.
struct NodeSnapshot {
    std::vector<std::filesystem::path> data;  ///< The node's data directories.
    std::string keyspace;
    std::string name;
};

/// Makes a backup of a node's snapshot: the table files of all tables of the keyspace, of which
/// those that older backups of the place have are not copied again. The node goes on meanwhile.
/// `invalid_input`: the words name no snapshot; `not_found`: there is none of that name;
/// `conflict`: the place holds something else, another keyspace or another machine. See
/// backup::take().
Result<backup::Taken> take_node_backup(
    const NodeSnapshot& snapshot, const Clock& clock, const backup::TakeOptions& options
);

struct NodeRestore {
    backup::Depot* depot = nullptr;  ///< Where backups are.
    std::string name = {};           ///< Of the backup; "": the newest.
    std::filesystem::path target;
    backup::BeforeStep before_step = backup::go_on;
};

/// Restores the table files of a node's snapshot as target/KEYSPACE/TABLE/FILES, which `nodetool
/// import` and sstableloader take. `invalid_input` for a backup of a data directory. See
/// backup::restore().
Result<backup::Manifest> restore_node_backup(const NodeRestore& terms);

/// `invalid_input` where a backup is of a node's snapshot, and so is no data directory.
Result<void> check_is_directory(const backup::Manifest& manifest);

}  // namespace footfall::deployment
