#include "test_support/must.h"
#include "test_support/tested_store.h"

namespace footfall::test_support {

void empty_keyspace(const std::string& keyspace) {
    run_cql("USE " + keyspace);
}

void run_cql(const std::string& /*statement*/) {
    give_up("these tests were built without Cassandra: -DWITH_CASSANDRA=ON");
}

}  // namespace footfall::test_support
