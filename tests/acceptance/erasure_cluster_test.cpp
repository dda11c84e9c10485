// A person is erased on Cassandra and Kafka (./test cluster): a mark that was planted in all that
// they are is in files of the nodes before, and in none once the ten days are over that nodes keep
// what was erased, and their files are merged. Of topics it goes with what was judged by then. The
// files are those of the cluster that tools/cluster started on this machine.

#include "foundation_testing/files_below.h"
#include "foundation_testing/repository.h"
#include "identities/schema.h"
#include "people/schema.h"
#include "segments/schema.h"
#include "segments_server.h"
#include "test_support/eventually.h"
#include "test_support/run_command.h"
#include "test_support/tested_store.h"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace footfall {
namespace {

using namespace std::chrono_literals;
using http_server::Method;
using testing::HasSubstr;
using testing::Not;
using namespace test_support;

constexpr std::string_view mark = "planted7f3a";

class ErasureOnCluster : public SegmentsServer {
protected:
    void plant() {
        match(
            {"www:planted7f3a-w", "crm:planted7f3a-c"},
            R"(,"source":"crm","data":{"city":"planted7f3a-city"})"
        );
        match({"www:u2", "crm:u3"});
        match({"www:u2", "zoo:planted7f3a-z"});
        api_.post_events(
            R"({"id":"planted7f3a-e","action":"view","object":"post","actor":"planted7f3a-a","agent":"planted7f3a-agent",)"
            R"("identifiers":[{"identifier":"www","id_name":"id","id_value":"planted7f3a-w"}]})"
            "\n"
            R"({"action":"view","object":"post","actor":"u5"})"
            "\n"
        );
        add("buyers", member_lines({"www:planted7f3a-w", "zoo:planted7f3a-z", "www:stays"}));
        expect_size("buyers", 3);
        ASSERT_TRUE(eventually([&] { return ids_of(sid("www:planted7f3a-w")).size() == 3; }));
    }

    /// What answers say of numbers.
    std::string numbers() {
        auto views = api_.get_json("/api/v1/views/post");
        views.erase("age");
        views.erase("provisional");
        return boost::json::serialize(views);
    }

    std::string erase(const std::string& sid) {
        const auto answer = api_.send(Method::del, "/api/v1/profiles/" + sid);
        EXPECT_EQ(answer.status, 202) << answer.body;
        return std::string{parse_object(answer.body).at("receipt").as_string()};
    }

    std::vector<std::string> open_parts(const std::string& receipt) {
        std::vector<std::string> parts;
        const auto answer = api_.get_json("/api/v1/erasures/" + receipt);
        for (const auto& each : answer.at("open").as_array()) {
            EXPECT_NE(answer.at("waits_for").at(each.as_string()).as_string(), "");
            parts.emplace_back(each.as_string());
        }
        return parts;
    }

    std::string keyspace() const {
        const std::vector<std::string> words = store_words(directory_ / "data");
        return *(std::ranges::find(words, "--cassandra-keyspace") + 1);
    }

    /// As if ten days had gone by: what was erased need not be kept for nodes that were away.
    void forget_what_was_erased() {
        const auto forget = [&](const auto& tables) {
            for (const storage::Table* const each : tables) {
                if (each->personal) {
                    run_cql(fmt::format(
                        "ALTER TABLE {}.{} WITH gc_grace_seconds = 0", keyspace(), each->name
                    ));
                }
            }
        };
        forget(identities::all_tables);
        forget(people::all_tables);
        forget(segments::all_tables);
    }

    void merge_files() {
        const CommandResult done =
            run_command({.words = {in_repository("tools/cluster"), "compact", keyspace()}}, 120s);
        ASSERT_EQ(done.exit_code, 0) << done.errors;
    }

    /// Folders of tables that have the mark in a file of a node, by their names.
    std::set<std::string> tables_in_files() const {
        const char* const cluster = std::getenv("FOOTFALL_TEST_CLUSTER");
        EXPECT_NE(cluster, nullptr) << "source build/cluster/env";
        std::set<std::string> found;
        for (const auto& server : std::filesystem::directory_iterator{cluster}) {
            const std::filesystem::path tables = server.path() / "data" / keyspace();
            if (!std::filesystem::exists(tables)) {
                continue;
            }
            for (const auto& table : std::filesystem::directory_iterator{tables}) {
                if (is_in_files_below(table.path(), mark)) {
                    const std::string name = table.path().filename();
                    found.insert(name.substr(0, name.find('-')));
                }
            }
        }
        return found;
    }
};

TEST_F(ErasureOnCluster, leaves_nothing_in_files_of_nodes_once_they_are_merged) {
    plant();
    for (const char* const table :
         {"profile", "identity_fact", "segment_member", "segment_of", "segment_change"}) {
        run_cql(fmt::format(
            "ALTER TABLE {}.{} WITH compression = {{'enabled': 'false'}}", keyspace(), table
        ));
    }
    merge_files();
    EXPECT_GE(tables_in_files().size(), 5) << "it would be found";
    const std::string before = numbers();
    const std::string receipt = erase(sid("www:planted7f3a-w"));
    const std::string other = erase(sid("zoo:planted7f3a-z"));
    EXPECT_EQ(sid("www:planted7f3a-w"), "");
    const auto waits_for_others = [&](const std::string& each) {
        return open_parts(each) == std::vector<std::string>{"kafka", "compaction"};
    };
    ASSERT_TRUE(
        eventually([&] { return waits_for_others(receipt) && waits_for_others(other); }, 90s)
    ) << boost::json::serialize(api_.get_json("/api/v1/erasures/" + receipt));
    expect_size("buyers", 1);
    EXPECT_EQ(numbers(), before);
    EXPECT_THAT(changes_of("buyers"), Not(testing::Contains(HasSubstr(std::string{mark}))));
    forget_what_was_erased();
    merge_files();
    EXPECT_EQ(tables_in_files(), std::set<std::string>{});
    EXPECT_EQ(numbers(), before);
}

}  // namespace
}  // namespace footfall
