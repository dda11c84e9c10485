// Several servers on one keyspace of a real cluster (./test cluster).
#include "test_support/cluster_place.h"
#include "test_support/eventually.h"
#include "test_support/run_command.h"
#include "test_support/running_server.h"
#include "test_support/tested_store.h"

#include <boost/json/array.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace footfall {
namespace {

using http_server::ClientResponse;
using http_server::Method;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;
using namespace test_support;

class TwoServers : public RunningServer {
protected:
    /// Waits until the other server answers so many.
    bool other_counts(const std::string& object, std::uint64_t count) {
        return eventually([&] { return other_api_.count(object) == count; });
    }

    ClientResponse list(const FootfallProcess& server, const std::string& key) {
        auto client = server.client();
        return must(
            client.send(Method::get, "/api/v1/counters", {}, {{"Authorization", "Bearer " + key}})
        );
    }

    ClientResponse add_key(const std::string& name, const std::string& by) {
        auto client = server_.client();
        std::vector<std::pair<std::string, std::string>> headers;
        if (!by.empty()) {
            headers.emplace_back("Authorization", "Bearer " + by);
        }
        const auto body = fmt::format(R"({{"name":"{}","scopes":["admin"]}})", name);
        return must(client.send(Method::post, "/api/v1/keys", body, headers));
    }

    FootfallProcess other_{directory_ / "data"};
    Api other_api_{other_};
};

TEST_F(TwoServers, see_their_own_tokens_at_once_and_each_others_in_a_moment) {
    EXPECT_EQ(api_.put("a", "one"), 1U);
    EXPECT_EQ(other_api_.put("a", "two"), 2U);
    EXPECT_TRUE(eventually([&] { return api_.count("a") == 2; }));
    const auto put = std::chrono::steady_clock::now();
    EXPECT_EQ(api_.put("a", "three"), 3U);
    EXPECT_TRUE(other_counts("a", 3));
    EXPECT_LT(std::chrono::steady_clock::now() - put, 3s) << "a second, on a busy machine";
}

TEST_F(TwoServers, count_each_token_once_whoever_takes_it) {
    constexpr int clients = 4;
    constexpr int tokens = 200;
    std::vector<std::thread> threads;
    threads.reserve(clients);
    for (int client = 0; client < clients; ++client) {
        threads.emplace_back([this, client] {
            Api api{client % 2 == 0 ? server_ : other_};
            for (int token = 0; token < tokens; ++token) {
                // Half of the tokens are this client's, half are everybody's.
                api.put("crowd", fmt::format("{}-{}", token % 2 == 0 ? client : -1, token));
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    constexpr std::uint64_t expected = clients * tokens / 2 + tokens / 2;
    EXPECT_TRUE(other_counts("crowd", expected)) << other_api_.count("crowd");
    EXPECT_TRUE(eventually([&] { return api_.count("crowd") == expected; }));
    const auto page = other_api_.get_json("/api/v1/counters");
    ASSERT_EQ(page.at("counters").as_array().size(), 1U);
}

TEST_F(TwoServers, lose_nothing_that_one_of_them_acknowledged_before_it_was_killed) {
    std::uint64_t tokens = 0;
    for (int round = 0; round < 3; ++round) {
        for (int put = 0; put < 20; ++put) {
            ASSERT_EQ(Api{server_}.put("a", fmt::format("t{}", tokens)), tokens + 1);
            ++tokens;
        }
        server_.kill();
        EXPECT_TRUE(other_counts("a", tokens));
        server_.restart();
    }
}

/// More than one partition has room for: they lie in buckets of the next level (decision 38).
TEST_F(TwoServers, count_an_object_of_many_tokens_to_the_last) {
    constexpr int tokens = 30'000;
    constexpr int a_batch = 5'000;
    for (int first = 0; first < tokens; first += a_batch) {
        std::string lines;
        for (int token = first; token < first + a_batch; ++token) {
            lines += fmt::format(R"({{"object":"large","token":"t{}"}})", token) + '\n';
        }
        Api& api = first / a_batch % 2 == 0 ? api_ : other_api_;
        api.post_lines(lines);
    }
    EXPECT_TRUE(eventually([&] { return api_.count("large") == tokens; }));
    EXPECT_TRUE(other_counts("large", tokens));
    EXPECT_EQ(api_.put("large", "t17"), std::uint64_t{tokens}) << "it was there";
    EXPECT_EQ(other_api_.put("large", "another"), std::uint64_t{tokens} + 1);
    server_.kill();
    server_.restart();
    EXPECT_EQ(Api{server_}.count("large"), std::uint64_t{tokens} + 1) << "read anew";
}

TEST_F(TwoServers, never_shorten_a_life_that_the_other_one_gave) {
    api_.put("a", "stays", "?ttl=1000");
    EXPECT_EQ(other_api_.put("a", "stays", "?ttl=1"), 1U);
    other_api_.put("marker", "t", "?ttl=2");
    EXPECT_TRUE(other_counts("marker", 0));
    EXPECT_EQ(other_api_.count("a"), 1U);
    EXPECT_EQ(api_.count("a"), 1U);
}

TEST_F(TwoServers, let_in_and_shut_out_by_the_same_keys) {
    const auto made = add_key("ops", "");
    ASSERT_EQ(made.status, 201) << made.body;
    const std::string key{parse_object(made.body).at("key").as_string()};
    EXPECT_TRUE(eventually([&] { return list(other_, "").status == 401; }));
    EXPECT_EQ(list(other_, key).status, 200);
    EXPECT_EQ(add_key("second", key).status, 201);
    auto other_client = other_.client();
    const auto revoked = must(
        other_client.send(Method::del, "/api/v1/keys/ops", {}, {{"Authorization", "Bearer " + key}})
    );
    ASSERT_EQ(revoked.status, 200) << revoked.body;
    EXPECT_TRUE(eventually([&] { return list(server_, key).status == 401; }));
}

/// A keyspace that nobody made yet.
class Schema : public testing::Test {
protected:
    void SetUp() override { drop(); }

    void TearDown() override { drop(); }

    CommandResult schema(const std::string& verb, std::vector<std::string> more = {}) const {
        std::vector<std::string> words{"schema", verb, "--cassandra-keyspace", keyspace_};
        words.insert(words.end(), more.begin(), more.end());
        return run_footfall(words);
    }

    void drop() const {
        run_cql("DROP KEYSPACE IF EXISTS " + keyspace_);
        run_cql("DROP KEYSPACE IF EXISTS " + keyspace_ + "_dc1");
    }

    const std::string keyspace_ = fmt::format("footfall_test_schema_{}", cluster_place());
};

TEST_F(Schema, is_checked_made_and_then_as_it_should_be) {
    const CommandResult nothing = schema("check");
    EXPECT_EQ(nothing.exit_code, 1);
    EXPECT_THAT(nothing.output, HasSubstr("there is no keyspace " + keyspace_));
    const CommandResult printed = schema("print");
    EXPECT_EQ(printed.exit_code, 0);
    EXPECT_THAT(
        printed.output, HasSubstr(fmt::format(R"(CREATE KEYSPACE IF NOT EXISTS "{}")", keyspace_))
    );

    const CommandResult made = schema("apply");
    EXPECT_EQ(made.exit_code, 0) << made.errors;
    EXPECT_THAT(
        made.output, HasSubstr(fmt::format(R"(CREATE TABLE IF NOT EXISTS "{}"."token")", keyspace_))
    );
    EXPECT_EQ(schema("apply").last_line(), fmt::format("keyspace {}: 0 statements run", keyspace_));
    const CommandResult checked = schema("check", {"--json"});
    EXPECT_EQ(checked.exit_code, 0);
    EXPECT_EQ(
        checked.last_line(),
        fmt::format(R"({{"keyspace":"{}","missing":[],"conflicts":[]}})", keyspace_)
    );
}

TEST_F(Schema, of_one_region_of_several_has_a_keyspace_of_its_own) {
    const std::vector<std::string> words{"--cassandra-region-keyspace", keyspace_ + "_dc1"};
    const auto names = fmt::format("keyspaces {0} and {0}_dc1", keyspace_);
    const CommandResult nothing = schema("check", words);
    EXPECT_THAT(nothing.output, HasSubstr(fmt::format("no keyspace {}_dc1: ", keyspace_)));
    EXPECT_EQ(nothing.last_line(), names + ": 2 differences");
    EXPECT_EQ(schema("apply").exit_code, 0) << "one region, before there were two";
    const CommandResult made = schema("apply", words);
    EXPECT_EQ(made.exit_code, 0) << made.errors;
    EXPECT_THAT(
        made.output,
        AllOf(
            HasSubstr(fmt::format(R"(CREATE KEYSPACE IF NOT EXISTS "{}_dc1")", keyspace_)),
            HasSubstr(fmt::format(R"(CREATE TABLE IF NOT EXISTS "{}_dc1"."profile")", keyspace_)),
            Not(HasSubstr("identity_fact")),
            Not(HasSubstr("write_time"))
        )
    );
    EXPECT_EQ(schema("check", words).last_line(), names + ": 0 differences");

    run_cql(fmt::format("DROP TABLE {}_dc1.profile", keyspace_));
    EXPECT_THAT(schema("check", words).output, HasSubstr(R"(_dc1"."profile")"));
    EXPECT_EQ(schema("check").exit_code, 0) << "nobody asked for that of the region";
    const CommandResult of_nobody = schema(
        "apply",
        {"--cassandra-region-keyspace",
         keyspace_ + "_dc2",
         "--cassandra-replication",
         "dc3:1",
         "--cassandra-datacenter",
         "dc1"}
    );
    EXPECT_EQ(of_nobody.exit_code, 2);
    EXPECT_THAT(of_nobody.errors, HasSubstr("--cassandra-replication dc1:3"));
}

TEST_F(Schema, that_differs_is_told_place_by_place_and_mended_as_far_as_that_goes) {
    ASSERT_EQ(schema("apply").exit_code, 0);
    run_cql(fmt::format("ALTER TABLE {}.token_span DROP expires", keyspace_));
    run_cql(fmt::format("DROP TABLE {}.counter", keyspace_));
    const CommandResult differs = schema("check");
    EXPECT_EQ(differs.exit_code, 1);
    EXPECT_THAT(differs.output, HasSubstr(R"("counter")"));
    EXPECT_THAT(differs.output, HasSubstr(R"("token_span" ADD "expires")"));
    EXPECT_EQ(differs.last_line(), fmt::format("keyspace {}: 2 differences", keyspace_));
    EXPECT_EQ(schema("apply").exit_code, 0);
    EXPECT_EQ(schema("check").exit_code, 0);

    run_cql(fmt::format("DROP TABLE {}.counter", keyspace_));
    run_cql(fmt::format(
        "CREATE TABLE {}.counter (name blob PRIMARY KEY, ttl_seconds bigint)", keyspace_
    ));
    const CommandResult conflict = schema("check");
    EXPECT_EQ(conflict.exit_code, 1);
    EXPECT_THAT(
        conflict.output, HasSubstr("counter.name is partition_key 0 blob none and should be")
    );
    const CommandResult not_mended = schema("apply");
    EXPECT_EQ(not_mended.exit_code, 1);
    EXPECT_THAT(not_mended.errors, HasSubstr("counter.name"));
}

}  // namespace
}  // namespace footfall
