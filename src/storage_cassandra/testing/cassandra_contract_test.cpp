#include "cluster.h"
#include "foundation/check.h"
#include "storage_cassandra/cassandra_store.h"
#include "storage_testing/store_contract.h"
#include "storage_testing/written_twice.h"

#include <memory>
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
    CassandraSubject(std::span<const Table* const> tables, const Clock& clock)
        : tables_{tables.begin(), tables.end()}, clock_{clock} {
        empty_tables(tables_);
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
        auto opened = CassandraStore::open(cluster_options(tables_), clock_, metrics_);
        CHECK(opened, "the store does not open", opened ? "" : opened.error().message);
        store_ = *std::move(opened);
    }

    std::vector<const Table*> tables_;
    const Clock& clock_;
    metrics::Metrics metrics_;
    std::unique_ptr<CassandraStore> store_;
};

std::unique_ptr<ContractSubject> open_cassandra(
    std::span<const Table* const> tables, const Clock& clock
) {
    return std::make_unique<CassandraSubject>(tables, clock);
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
        StoreImplementation{.name = "written_twice", .open = open_twice}
    ),
    implementation_name
);

}  // namespace footfall::storage
