#include "storage/cql_schema.h"
#include "storage_cassandra/driver.h"
#include "test_support/must.h"
#include "test_support/tested_store.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <memory>

namespace footfall::test_support {
namespace {

using storage_cassandra::Answer;
using storage_cassandra::Driver;

constexpr std::chrono::milliseconds patience{60'000};

std::unique_ptr<Driver> connect() {
    const char* const contacts = std::getenv("FOOTFALL_CASSANDRA");
    if (contacts == nullptr) {
        give_up("there is no cluster: tools/cluster up --nodes 1, then source build/cluster/env");
    }
    auto driver =
        must(Driver::make({.contacts = contacts, .datacenter = "dc1", .keyspaces = "footfall_test"})
        );
    must(driver->connect(patience));
    return driver;
}

}  // namespace

void run_cql(const std::string& statement) {
    must(connect()->run(statement, patience));
}

std::string cell_of_cql(const std::string& statement) {
    const auto driver = connect();
    const Answer answer = must(driver->run(statement, patience));
    return answer.rows() == 0 ? std::string{} : std::string{answer.text(0, 0)};
}

std::string all_cells(const std::string& keyspace) {
    const auto driver = connect();
    const Answer tables = must(driver->run(
        fmt::format(
            "SELECT table_name FROM system_schema.tables WHERE keyspace_name = '{}'", keyspace
        ),
        patience
    ));
    std::string cells;
    for (std::size_t table = 0; table < tables.rows(); ++table) {
        const Answer rows = must(driver->run(
            fmt::format(
                "SELECT * FROM {}.{}",
                storage::quoted_cql(keyspace),
                storage::quoted_cql(tables.text(table, 0))
            ),
            patience
        ));
        for (std::size_t row = 0; row < rows.rows(); ++row) {
            for (std::size_t column = 0; column < rows.columns(); ++column) {
                cells += rows.text(row, column);
                cells += '\n';
            }
        }
    }
    return cells;
}

/// Rows are taken away, tables stay: making them takes seconds.
void empty_keyspace(const std::string& keyspace) {
    const auto driver = connect();
    const Answer tables = must(driver->run(
        fmt::format(
            "SELECT table_name FROM system_schema.tables WHERE keyspace_name = '{}'", keyspace
        ),
        patience
    ));
    for (std::size_t row = 0; row < tables.rows(); ++row) {
        const std::string table = fmt::format(
            "{}.{}", storage::quoted_cql(keyspace), storage::quoted_cql(tables.text(row, 0))
        );
        const Answer first =
            must(driver->run(fmt::format("SELECT * FROM {} LIMIT 1", table), patience));
        if (first.rows() > 0) {
            must(driver->run("TRUNCATE " + table, patience));
        }
    }
}

}  // namespace footfall::test_support
