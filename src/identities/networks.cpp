#include "identities/networks.h"

#include "identities/schema.h"
#include "storage/blocking.h"

namespace footfall::identities {
namespace {

/// The only partition.
constexpr std::string_view all_networks = "networks";
constexpr std::size_t network_column = 1;

}  // namespace

void add_network(std::string_view identifier, storage::Batch& batch) {
    batch.upsert(identity_network_table, {all_networks, identifier});
}

Result<std::vector<std::string>> read_networks(storage::Store& store) {
    TRY(const storage::Rows rows,
        storage::read_all(
            store, {.table = &identity_network_table, .partition = {std::string{all_networks}}}
        ));
    std::vector<std::string> networks;
    networks.reserve(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        networks.emplace_back(rows.at(row, network_column).text());
    }
    return networks;
}

}  // namespace footfall::identities
