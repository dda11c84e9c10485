#include "foundation/check.h"
#include "reading_store.h"
#include "storage/cql_schema.h"
#include "storage_cassandra/cassandra_store.h"

#include <chrono>
#include <cstdlib>
#include <utility>

namespace footfall::benchmarks {
namespace {

constexpr std::chrono::milliseconds patience{60'000};

std::string from_environment(const char* name) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
    CHECK(value != nullptr, "tools/cluster up --nodes 1 && source build/cluster/env", name);
    return value;
}

}  // namespace

std::unique_ptr<storage::Store> open_reading_store(
    const std::string& where,
    std::vector<const storage::Table*> tables,
    const Clock& clock,
    metrics::Metrics& metrics
) {
    auto copies = storage::parse_replication(from_environment("FOOTFALL_CASSANDRA_REPLICATION"));
    CHECK(copies, "copies", copies ? "" : copies.error().message);
    auto opened = storage_cassandra::CassandraStore::open(
        {.contacts = from_environment("FOOTFALL_CASSANDRA"),
         .datacenter = "dc1",
         .keyspace = where,
         .tables = std::move(tables),
         .replication = *std::move(copies),
         .read_deadline = patience,
         .attempt = std::chrono::milliseconds{10'000}},
        clock,
        metrics
    );
    CHECK(opened, "the store opens", opened ? "" : opened.error().message);
    return *std::move(opened);
}

void forget_reading_store(const std::string& /*where*/) {}

std::uint64_t bytes_of_reading_store(const std::string& /*where*/) {
    return 0;
}

void drop_reading_store(const std::string& where) {
    const auto driver = storage_cassandra::Driver::make(
        {.contacts = from_environment("FOOTFALL_CASSANDRA"), .datacenter = "dc1", .keyspaces = where
        }
    );
    CHECK(driver && (*driver)->connect(patience), "the cluster does not answer");
    CHECK((*driver)->run("DROP KEYSPACE IF EXISTS " + where, patience), "it is dropped");
}

}  // namespace footfall::benchmarks
