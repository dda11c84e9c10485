// Two regions, each a datacenter with a log and processes of its own, are told who is who. What
// goes between them is cut off for a while: a parting is said here and its link there. When they
// are joined again nothing is lost, both have the same profiles under the same names, and rows are
// those that follow from the facts. On the cluster that tools/cluster started.
//
//   FOOTFALL_CUT_SECONDS=60 build/release/tests/cluster/regions_test

#include "foundation_testing/repository.h"
#include "foundation_testing/temporary_directory.h"
#include "identities_clients.h"
#include "region.h"
#include "test_support/api.h"
#include "test_support/eventually.h"
#include "test_support/footfall_process.h"
#include "test_support/random_seed.h"
#include "test_support/run_command.h"

#include <boost/json/serialize.hpp>
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
#include <unistd.h>
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

/// Whether this machine, and who runs it, can cut the second datacenter off.
bool can_cut() {
    return std::getenv("FOOTFALL_TEST_CUTS") != nullptr;
}

void cluster(std::vector<std::string> words) {
    words.insert(words.begin(), in_repository("tools/cluster"));
    const CommandResult done = run_command({.words = words}, 320s);
    ASSERT_EQ(done.exit_code, 0) << words[1] << ": " << done.errors;
}

/// The size of a log that its checkpoint says, in the second line.
std::uint64_t size_in(const std::string& checkpoint) {
    std::istringstream lines{checkpoint};
    std::string origin;
    std::uint64_t size = 0;
    std::getline(lines, origin);
    lines >> size;
    return size;
}

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

    /// Erased in the first region: the receipt.
    std::string erase(const std::string& name) {
        const auto answer =
            ams_.api().send(http_server::Method::del, "/api/v1/profiles/" + sid_of(ams_, name));
        EXPECT_EQ(answer.status, 202) << answer.body;
        return std::string{parse_object(answer.body).at("receipt").as_string()};
    }

    bool is_cleared(const std::string& receipt) {
        const auto open = ams_.api().get_json("/api/v1/erasures/" + receipt).at("open").as_array();
        return std::ranges::find(open, "tables") == open.end();
    }

    /// The newest head of another region's log that this one's holds; empty: it holds none.
    static std::string head_held_by(const Region& region, const Region& other) {
        std::string newest;
        for (const Region::Act& each : region.acts()) {
            EXPECT_NE(each.kind, "head_refused") << boost::json::serialize(each.detail);
            if (each.kind == "head" && each.detail.at("log").as_string() == other.name()) {
                newest = each.detail.at("checkpoint").as_string();
            }
        }
        return newest;
    }

    /// The log of one region holds a head of the other's with so many entries under it, and the
    /// other's still goes on from there.
    void expect_head_held(const Region& region, const Region& other, std::uint64_t size) {
        std::string head;
        EXPECT_TRUE(eventually(
            [&] {
                head = head_held_by(region, other);
                return size_in(head) >= size;
            },
            60s,
            500ms
        )) << region.name()
           << " has no head of " << size << " entries of " << other.name() << ": " << head;
        const CommandResult verified =
            other.verify_audit(directory_.write("head-of-" + other.name(), head));
        EXPECT_EQ(verified.exit_code, 0) << verified.output << verified.errors;
    }

    /// How many entries a region's log has up to the last one of a kind.
    static std::uint64_t size_with(const Region& region, const std::string& kind) {
        std::uint64_t size = 0;
        for (const Region::Act& each : region.acts()) {
            size = each.kind == kind ? each.number + 1 : size;
        }
        return size;
    }

    /// What was erased in the first region is under the head that the second one holds of it; and
    /// the first one holds what is known of the second one's log by now.
    void expect_heads_of_each_other() {
        const std::uint64_t with_erasure = size_with(ams_, "erased");
        const std::uint64_t with_facts = size_with(fra_, "facts");
        EXPECT_GT(with_erasure, 0U) << "the act is no entry";
        EXPECT_GT(with_facts, 0U) << "what was said there is no entry";
        expect_head_held(fra_, ams_, with_erasure);
        expect_head_held(ams_, fra_, with_facts);
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
    // Two tests of a run have the same seed.
    const std::string keyspace_ = fmt::format("footfall_regions_{}", getpid());
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

/// Who is erased here is linked with somebody there, and neither region knows of the other's doing.
TEST_F(TwoRegions, have_an_id_no_more_that_one_erased_while_the_other_linked_it) {
    link(ams_, "gone", "stays", 1);
    ASSERT_TRUE(eventually([&] { return are_one({"gone", "stays"}); }, 120s));
    if (can_cut()) {
        ASSERT_NO_FATAL_FAILURE(cluster({"partition", "--nodes-only"}));
    } else {
        fmt::print("left out: nothing is cut off, which needs root and network namespaces\n");
    }
    link(fra_, "gone", "there", 2);
    link(fra_, "there", "too", 3);
    ASSERT_EQ(sid_of(fra_, "gone"), sid_of(fra_, "there"));
    const std::string receipt = erase("gone");
    EXPECT_EQ(sid_of(ams_, "gone"), "");
    if (can_cut()) {
        EXPECT_NE(sid_of(fra_, "gone"), "") << "it was not cut off";
        ASSERT_NO_FATAL_FAILURE(cluster({"heal"}));
    }
    const auto healed_at = std::chrono::steady_clock::now();
    EXPECT_TRUE(eventually(
        [&] {
            return sid_of(ams_, "gone").empty() && sid_of(fra_, "gone").empty() &&
                   are_one({"there", "too"}) && is_cleared(receipt);
        },
        joined_within,
        200ms
    ));
    const std::chrono::duration<double> joined = std::chrono::steady_clock::now() - healed_at;
    EXPECT_TRUE(eventually(
        [&] {
            return ams_.api().metric("footfall_identities_region_lanes_behind") == 0 &&
                   fra_.api().metric("footfall_identities_region_lanes_behind") == 0;
        },
        joined_within,
        200ms
    ));
    for (const char* const table :
         {"identity_fact", "fact_anchor", "profile", "profile_index", "sid_anchor"}) {
        for (Region* const region : {&ams_, &fra_}) {
            for (const std::string& row : region->rows_of(table)) {
                EXPECT_FALSE(row.contains(R"("gone")")) << table << ": " << row;
            }
        }
    }
    expect_equal_rows();
    expect_heads_of_each_other();
    fmt::print("the id was gone in both regions {:.1f} s after they were joined\n", joined.count());
}

}  // namespace
}  // namespace footfall::cluster_test
