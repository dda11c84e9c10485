#pragma once

#include "deployment/store_place.h"
#include "foundation/result.h"
#include "storage/table.h"

#include <string>
#include <vector>

namespace footfall::deployment {

/// How the keyspaces of a deployment differ from what this program needs.
struct ClusterDifferences {
    std::vector<std::string> missing = {};    ///< Statements that make what is not there.
    std::vector<std::string> conflicts = {};  ///< What is there and is another: for a person.
};

/// What a cluster is given and asked before a program serves from it. `invalid_input` when this
/// program was built without Cassandra; whatever the cluster answers otherwise.

/// The statements that make keyspaces (if the place says with how many copies) and all tables.
/// Asks nobody.
Result<std::vector<std::string>> cluster_schema(
    const ClusterPlace& place, const std::vector<const storage::Table*>& tables
);

/// Makes what is missing; the statements that were run. Blocks.
Result<std::vector<std::string>> apply_cluster_schema(
    const ClusterPlace& place, const std::vector<const storage::Table*>& tables
);

/// Draws the secret of the deployment unless there is one, now rather than by two servers that
/// start at the same time. Not where rows of a backup are to be loaded: theirs is older, and the
/// newer one would hide it. Blocks.
Result<void> make_cluster_secret(
    const ClusterPlace& place, const std::vector<const storage::Table*>& tables
);

/// Blocks.
Result<ClusterDifferences> compare_cluster_schema(
    const ClusterPlace& place, const std::vector<const storage::Table*>& tables
);

}  // namespace footfall::deployment
