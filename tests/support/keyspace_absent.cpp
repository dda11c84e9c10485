#include "test_support/must.h"
#include "test_support/tested_store.h"

namespace footfall::test_support {

void empty_keyspace(const std::string& keyspace) {
    run_cql("USE " + keyspace);
}

void run_cql(const std::string& /*statement*/) {
    give_up("these tests were built without Cassandra: -DWITH_CASSANDRA=ON");
}

std::string cell_of_cql(const std::string& statement) {
    run_cql(statement);
    return {};
}

std::string all_cells(const std::string& keyspace) {
    return cell_of_cql("USE " + keyspace);
}

}  // namespace footfall::test_support
