#include "cluster.h"
#include "foundation/check.h"
#include "storage_cassandra/cassandra_store.h"
#include "storage_testing/store_contract.h"
#include "storage_testing/written_twice.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace footfall::storage {
namespace {

using storage_cassandra::CassandraStore;
using storage_cassandra::cluster_options;
using storage_cassandra::empty_tables;

/// A CassandraStore on a keyspace that was emptied.
class CassandraSubject final : public ContractSubject {
public:
    /// `region_keyspace`: as of CassandraStoreOptions.
    CassandraSubject(
        std::span<const Table* const> tables, const Clock& clock, std::string region_keyspace = {}
    )
        : tables_{tables.begin(), tables.end()},
          clock_{clock},
          region_keyspace_{std::move(region_keyspace)} {
        empty_tables(tables_, region_keyspace_);
        open();
    }

    Store& store() override { return *store_; }

    bool reopen() override {
        store_.reset();
        open();
        return true;
    }

private:
    void open() {
        auto options = cluster_options(tables_);
        options.region_keyspace = region_keyspace_;
        auto opened = CassandraStore::open(std::move(options), clock_, metrics_);
        CHECK(opened, "the store does not open", opened ? "" : opened.error().message);
        store_ = *std::move(opened);
    }

    std::vector<const Table*> tables_;
    const Clock& clock_;
    const std::string region_keyspace_;
    metrics::Metrics metrics_;
    std::unique_ptr<CassandraStore> store_;
};

std::unique_ptr<ContractSubject> open_cassandra(
    std::span<const Table* const> tables, const Clock& clock
) {
    return std::make_unique<CassandraSubject>(tables, clock);
}

/// As one region of several: some tables of the suite stand in a keyspace of the region.
std::unique_ptr<ContractSubject> open_region(
    std::span<const Table* const> tables, const Clock& clock
) {
    return std::make_unique<CassandraSubject>(tables, clock, "footfall_test_region");
}

std::unique_ptr<ContractSubject> open_twice(
    std::span<const Table* const> tables, const Clock& clock
) {
    return written_twice(open_cassandra(tables, clock));
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(
    Cassandra,
    StoreContract,
    testing::Values(
        StoreImplementation{.name = "cassandra", .open = open_cassandra},
        StoreImplementation{.name = "region", .open = open_region},
        StoreImplementation{.name = "written_twice", .open = open_twice}
    ),
    implementation_name
);

}  // namespace footfall::storage
