#include "deployment/cluster_schema.h"
#include "deployment/store_place.h"

namespace footfall::deployment {
namespace {

std::unexpected<Error> not_built() {
    return fail(
        ErrorKind::invalid_input,
        "this footfall was built without Cassandra; build it with `cmake --preset release "
        "-DWITH_CASSANDRA=ON && ninja -C build/release footfall`, which needs Rust 1.88 or newer"
    );
}

}  // namespace

Result<std::unique_ptr<storage::Store>> open_cluster(
    const ClusterPlace& /*place*/,
    StoreOptions /*options*/,
    const Clock& /*clock*/,
    metrics::Metrics& /*metrics*/
) {
    return not_built();
}

std::vector<const storage::Table*> tables_on_cluster(std::vector<const storage::Table*> tables) {
    return tables;
}

Result<std::vector<std::string>> cluster_schema(
    const ClusterPlace& /*place*/, const std::vector<const storage::Table*>& /*tables*/
) {
    return not_built();
}

Result<std::vector<std::string>> apply_cluster_schema(
    const ClusterPlace& /*place*/, const std::vector<const storage::Table*>& /*tables*/
) {
    return not_built();
}

Result<void> make_cluster_secret(
    const ClusterPlace& /*place*/, const std::vector<const storage::Table*>& /*tables*/
) {
    return not_built();
}

Result<ClusterDifferences> compare_cluster_schema(
    const ClusterPlace& /*place*/, const std::vector<const storage::Table*>& /*tables*/
) {
    return not_built();
}

}  // namespace footfall::deployment
