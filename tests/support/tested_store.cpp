#include "test_support/tested_store.h"

#include "test_support/must.h"

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <string_view>

namespace footfall::test_support {
namespace {

/// The keyspace that stands for a directory. Tests run one at a time, so all begin with the first.
const std::string& keyspace_of(const std::string& data) {
    static std::map<std::string, std::string> keyspaces;
    const auto [found, is_new] = keyspaces.try_emplace(data);
    if (is_new) {
        found->second = fmt::format("footfall_test_{}", keyspaces.size());
        empty_keyspace(found->second);
    }
    return found->second;
}

}  // namespace

std::vector<std::string> store_words(const std::string& data) {
    const char* const named = std::getenv("FOOTFALL_TEST_STORE");
    if (named == nullptr) {
        return {"--data", data};
    }
    if (std::string_view{named} != "cassandra") {
        give_up(fmt::format("FOOTFALL_TEST_STORE is \"{}\", not cassandra", named));
    }
    return {"--store", "cassandra", "--cassandra-keyspace", keyspace_of(data)};
}

}  // namespace footfall::test_support
