// Two regions, each a datacenter with a log and processes of its own, are told who is who. What
// goes between them is cut off for a while: a parting is said here and its link there. When they
// are joined again nothing is lost, both have the same profiles under the same names, and rows are
// those that follow from the facts. On the cluster that tools/cluster started.
//
//   FOOTFALL_CUT_SECONDS=60 build/release/tests/cluster/regions_test

#include "foundation_testing/repository.h"
#include "foundation_testing/temporary_directory.h"
#include "identities_clients.h"
#include "test_support/api.h"
#include "test_support/eventually.h"
#include "test_support/footfall_process.h"
#include "test_support/must.h"
#include "test_support/random_seed.h"
#include "test_support/run_command.h"
#include "test_support/test_topics.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace footfall::cluster_test {
namespace {

using namespace std::chrono_literals;
using namespace test_support;

/// Of one chain a profile may have all ids, in this test.
constexpr std::size_t all_of_chain = 900;
constexpr std::size_t clients_of_region = 2;
/// Hints of what was missed are sent slowly, and it may be said again.
constexpr std::chrono::seconds joined_within{240};

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    if (value == nullptr) {
        give_up(fmt::format(
            "{} is not set: tools/cluster up --nodes 1 --datacenters 2 --brokers 1, source "
            "build/cluster/env",
            name
        ));
    }
    return value;
}

/// Whether this machine, and who runs it, can cut the second datacenter off.
bool can_cut() {
    return std::getenv("FOOTFALL_TEST_CUTS") != nullptr;
}

void cluster(std::vector<std::string> words) {
    words.insert(words.begin(), in_repository("tools/cluster"));
    const CommandResult done = run_command({.words = words}, 320s);
    ASSERT_EQ(done.exit_code, 0) << words[1] << ": " << done.errors;
}

/// A datacenter, its log, a server and those who talk to it.
class Region {
public:
    Region(std::string datacenter, std::string contacts, const std::string& keyspace)
        : datacenter_{std::move(datacenter)},
          contacts_{std::move(contacts)},
          keyspace_{keyspace},
          topics_{variable("FOOTFALL_TEST_KAFKA")} {}

    std::vector<std::string> store_words() const {
        std::vector<std::string> words{"--store", "cassandra"};
        add(keyspace_words(), words);
        return words;
    }

    std::vector<std::string> keyspace_words() const {
        return {
            "--cassandra",
            contacts_,
            "--cassandra-datacenter",
            datacenter_,
            "--cassandra-keyspace",
            keyspace_,
            "--cassandra-region-keyspace",
            keyspace_ + "_" + datacenter_
        };
    }

    std::vector<std::string> log_words() const {
        return {
            "--log",
            "kafka",
            "--kafka",
            variable("FOOTFALL_TEST_KAFKA"),
            "--kafka-prefix",
            topics_.prefix()
        };
    }

    void make_tables() const {
        std::vector<std::string> words{"schema", "apply"};
        add(keyspace_words(), words);
        add({"--cassandra-replication", variable("FOOTFALL_CASSANDRA_REPLICATION")}, words);
        const CommandResult made = run_footfall(std::move(words));
        ASSERT_EQ(made.exit_code, 0) << made.output << made.errors;
    }

    void start(const std::string& guards) {
        std::vector<std::string> flags = store_words();
        add(log_words(), flags);
        add({"--kafka-replicas", "1", "--instance", "one", "--config", guards}, flags);
        add({"--memory", "256MiB"}, flags);
        server_ = std::make_unique<FootfallProcess>("none", flags);
    }

    FootfallProcess& server() { return *server_; }

    Api api() const { return Api{*server_}; }

    CommandResult verify() const {
        std::vector<std::string> words{"verify", "identities"};
        add(store_words(), words);
        add(log_words(), words);
        return run_footfall(std::move(words));
    }

    /// The rows of a table, in order.
    std::vector<std::string> rows_of(const std::string& table) const {
        std::vector<std::string> words{"table", table, "--json", "--limit", "1000000"};
        add({"--looks", "1000000"}, words);
        add(store_words(), words);
        const CommandResult told = run_footfall(std::move(words));
        EXPECT_EQ(told.exit_code, 0) << told.errors;
        std::vector<std::string> rows;
        std::istringstream lines{told.output};
        for (std::string line; std::getline(lines, line);) {
            rows.push_back(std::move(line));
        }
        std::ranges::sort(rows);
        return rows;
    }

private:
    static void add(const std::vector<std::string>& more, std::vector<std::string>& words) {
        words.insert(words.end(), more.begin(), more.end());
    }

    const std::string datacenter_;
    const std::string contacts_;
    const std::string keyspace_;
    TestTopics topics_;
    std::unique_ptr<FootfallProcess> server_;
};

std::string id(const std::string& name) {
    return fmt::format(R"({{"identifier":"region","id_name":"id","id_value":"{}"}})", name);
}

std::vector<std::string> ids_of_chain() {
    constexpr int count = 25;
    std::vector<std::string> ids;
    ids.reserve(count);
    for (int at = 0; at < count; ++at) {
        ids.push_back(fmt::format("c{}", at));
    }
    return ids;
}

class TwoRegions : public testing::Test {
protected:
    void SetUp() override {
        ams_.make_tables();
        fra_.make_tables();
        const std::string guards = directory_.write(
            "guards.toml",
            fmt::format(
                "[[identifier]]\nname = \"{}\"\nper_profile = {}\n",
                IdentitiesClient::chain,
                all_of_chain
            )
        );
        ams_.start(guards);
        fra_.start(guards);
    }

    static void link(Region& region, const std::string& one, const std::string& other, int second) {
        const std::string body = fmt::format(
            R"({{"ids":[{},{}],"time":"2026-03-01T00:{:02}:{:02}Z"}})",
            id(one),
            id(other),
            second / 60,
            second % 60
        );
        const auto answer =
            region.api().send(http_server::Method::post, "/api/v1/identities/match", body);
        EXPECT_EQ(answer.status, 200) << answer.body;
    }

    static std::string sid_of(Region& region, const std::string& name) {
        const auto answer =
            region.api().send(http_server::Method::get, "/api/v1/identities/region/id/" + name);
        return answer.status == 200 ? std::string{parse_object(answer.body).at("sid").as_string()}
                                    : std::string{};
    }

    /// Whether all these are one profile, of the same name, in both.
    bool are_one(const std::vector<std::string>& names) {
        std::set<std::string> sids;
        for (const std::string& each : names) {
            sids.insert(sid_of(ams_, each));
            sids.insert(sid_of(fra_, each));
        }
        return sids.size() == 1 && !sids.contains("");
    }

    void start_clients() {
        for (std::size_t number = 0; number < 2 * clients_of_region; ++number) {
            Region& region = number < clients_of_region ? ams_ : fra_;
            clients_.push_back(std::make_unique<IdentitiesClient>(
                number, random_(), std::vector{region.server().port()}
            ));
        }
    }

    /// A chain of which each region knows every other link; a parting here, and its link there.
    void say_in_both() {
        for (std::size_t at = 0; at + 1 < chain_.size(); ++at) {
            link(at % 2 == 0 ? ams_ : fra_, chain_[at], chain_[at + 1], 10 + static_cast<int>(at));
        }
        link(fra_, "y", "z", 50);
        const auto parted = ams_.api().send(
            http_server::Method::post,
            fmt::format("/api/v1/profiles/{}/detach", sid_of(ams_, "y")),
            fmt::format(R"({{"ids":[{}],"reason":"another person"}})", id("y"))
        );
        EXPECT_EQ(parted.status, 200) << parted.body;
    }

    /// Answers how many links were acknowledged.
    std::uint64_t stop_clients() {
        std::uint64_t said = chain_.size();
        for (const auto& client : clients_) {
            client->stop();
            EXPECT_TRUE(client->complaints().empty()) << client->complaints().front();
            said += client->load().links() + client->chained();
        }
        return said;
    }

    void expect_joined() {
        const bool are_joined = eventually(
            [&] {
                return are_one(chain_) && are_one({"y", "z"}) && !are_one({"x", "y"}) &&
                       ams_.api().metric("footfall_identities_region_lanes_behind") == 0 &&
                       fra_.api().metric("footfall_identities_region_lanes_behind") == 0;
            },
            joined_within,
            200ms
        );
        EXPECT_TRUE(are_joined);
    }

    /// What was acknowledged in one region holds in both.
    void expect_all_holds() {
        for (Region* const region : {&ams_, &fra_}) {
            Api api = region->api();
            for (const auto& client : clients_) {
                std::string difference;
                eventually(
                    [&] {
                        difference = client->difference(api, all_of_chain);
                        return difference.empty();
                    },
                    60s
                );
                EXPECT_EQ(difference, "");
            }
        }
    }

    void expect_equal_rows() {
        for (const char* const table : {"profile_index", "profile", "identity_contested"}) {
            EXPECT_EQ(ams_.rows_of(table), fra_.rows_of(table)) << table;
        }
        for (Region* const region : {&ams_, &fra_}) {
            const CommandResult verified = region->verify();
            EXPECT_EQ(verified.exit_code, 0) << verified.output << verified.errors;
            EXPECT_TRUE(verified.output.contains(": 0 differences\n")) << verified.output;
        }
    }

    const TemporaryDirectory directory_;
    Random random_{random_seed()};
    const std::string keyspace_ = fmt::format("footfall_regions_{}", random_.below(1'000'000'000));
    Region ams_{"dc1", variable("FOOTFALL_CASSANDRA"), keyspace_};
    Region fra_{"dc2", variable("FOOTFALL_CASSANDRA_DC2"), keyspace_};
    std::vector<std::string> chain_ = ids_of_chain();
    std::vector<std::unique_ptr<IdentitiesClient>> clients_;
};

TEST_F(TwoRegions, end_with_the_same_profiles_when_they_were_cut_off) {
    link(ams_, "x", "y", 1);
    link(fra_, "p", "q", 2);
    ASSERT_TRUE(eventually([&] { return are_one({"x", "y"}) && are_one({"p", "q"}); }, 120s));
    start_clients();
    if (can_cut()) {
        ASSERT_NO_FATAL_FAILURE(cluster({"partition", "--nodes-only"}));
    } else {
        fmt::print("left out: nothing is cut off, which needs root and network namespaces\n");
    }
    const auto cut_at = std::chrono::steady_clock::now();
    say_in_both();
    fra_.server().kill();
    fra_.server().restart();
    std::chrono::seconds cut_for{0};
    if (can_cut()) {
        cut_for = std::chrono::seconds{environment_number("FOOTFALL_CUT_SECONDS", 15)};
        std::this_thread::sleep_until(cut_at + cut_for);  // tidy-allow(sleep): it is cut off
        EXPECT_EQ(sid_of(ams_, "z"), "") << "it was not cut off";
        ASSERT_NO_FATAL_FAILURE(cluster({"heal"}));
    }
    const auto healed_at = std::chrono::steady_clock::now();
    const std::uint64_t said = stop_clients();
    expect_joined();
    const std::chrono::duration<double> joined = std::chrono::steady_clock::now() - healed_at;
    expect_all_holds();
    expect_equal_rows();
    fmt::print(
        "{} links acknowledged, cut off for {} s, the same profiles {:.1f} s after it\n",
        said,
        cut_for.count(),
        joined.count()
    );
}

}  // namespace
}  // namespace footfall::cluster_test
