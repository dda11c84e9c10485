// Segments that fill themselves, where two servers share rows and log: a rule is put at one, events
// come at both, late ones, and repeated ones also at the other. Both answer what going through all
// events says. On the cluster that tools/cluster started. What takes longer, that one server is
// killed and the other follows it:
//
//   FOOTFALL_RULE_HANDOVER=1 build/release/tests/cluster/segment_rules_cluster_test

#include "foundation_testing/temporary_directory.h"
#include "test_support/api.h"
#include "test_support/chance.h"
#include "test_support/deeds.h"
#include "test_support/eventually.h"
#include "test_support/footfall_process.h"
#include "test_support/run_command.h"
#include "test_support/tested_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace footfall::cluster_test {
namespace {

using namespace std::chrono_literals;
using namespace test_support;
using http_server::Method;

/// A rule is taken up ten seconds after it was written; who takes lanes over waits for others.
constexpr std::chrono::seconds followed_within{90};
constexpr std::uint64_t all_lanes = 64;

class RulesOnCluster : public testing::Test {
protected:
    static void SetUpTestSuite() {
        // Before there are other threads.
        setenv("FOOTFALL_TEST_LOG", "kafka", 1);  // NOLINT(concurrency-mt-unsafe)
    }

    std::vector<FootfallProcess*> both() { return {&one_, &other_}; }

    /// Half of the lines to each, and a few of them to both.
    void send(std::size_t count) {
        for (std::size_t part = 0; part < 2; ++part) {
            const std::string lines = deeds_.lines(count / 2);
            post(part == 0 ? one_ : other_, lines);
            post(
                part == 0 ? other_ : one_, lines.substr(0, lines.find('\n', lines.size() / 4) + 1)
            );
        }
    }

    static void post(const FootfallProcess& server, const std::string& lines) {
        auto client = server.client();
        const auto answer = client.send(
            Method::post, "/api/v1/events", lines, {{"Content-Type", "application/x-ndjson"}}
        );
        ASSERT_TRUE(answer) << answer.error().message;
        ASSERT_EQ(answer->status, 200) << answer->body;
    }

    static void put(
        const FootfallProcess& server, const std::string& name, const std::string& rule
    ) {
        const auto answer =
            Api{server}.send(Method::put, "/api/v1/segments/" + name, R"({"rule":)" + rule + "}");
        ASSERT_EQ(answer.status, 200) << answer.body;
    }

    void unite(const FootfallProcess& server, std::uint64_t one, std::uint64_t other) {
        const auto id = [](std::uint64_t actor) {
            return fmt::format(
                R"({{"identifier":"footfall","id_name":"actor","id_value":"a{}"}})", actor
            );
        };
        const auto answer = Api{server}.send(
            Method::post,
            "/api/v1/identities/match",
            fmt::format(R"({{"ids":[{},{}]}})", id(one), id(other))
        );
        ASSERT_EQ(answer.status, 200) << answer.body;
        deeds_.unite(one, other);
    }

    /// Of each actor whether the person is in it, as rows have it.
    std::set<std::string> members(const FootfallProcess& server, const std::string& name) const {
        Api api{server};
        std::set<std::string> found;
        for (std::uint64_t actor = 0; actor < deeds_.actors; ++actor) {
            const std::string id = fmt::format("a{}", actor);
            const auto answer =
                api.get_json(fmt::format("/api/v1/segments/{}/members/footfall/actor/{}", name, id)
                );
            if (answer.at("person").as_bool()) {
                found.insert(id);
            }
        }
        return found;
    }

    static std::set<std::string> told(const FootfallProcess& server, const std::string& name) {
        std::set<std::string> ids;
        const auto changes =
            Api{server}.get_json(fmt::format("/api/v1/segments/{}/changes?limit=10000", name));
        EXPECT_FALSE(changes.at("more").as_bool());
        for (const auto& each : changes.at("changes").as_array()) {
            const std::string id{each.at("id_value").as_string()};
            EXPECT_TRUE(each.at("change") == "joined" ? ids.insert(id).second : ids.erase(id) == 1);
        }
        return ids;
    }

    /// At this server, by numbers, by rows and by what was told.
    void expect_at(
        const FootfallProcess& server, const std::string& name, const Deeds::Holds& who
    ) {
        const auto [people, ids] = deeds_.who(who);
        ASSERT_GT(people, 0) << "nothing is compared";
        ASSERT_LT(ids.size(), deeds_.actors) << "it holds for all";
        Api api{server};
        std::string last;
        const bool came = eventually(
            [&, count = people] {
                last = api.send(Method::get, "/api/v1/segments/" + name).body;
                return last.contains(fmt::format(R"("people":{},)", count)) &&
                       last.contains(R"("rule_in_force":true)");
            },
            followed_within,
            50ms
        );
        ASSERT_TRUE(came) << name << " has not " << people << ": " << last;
        EXPECT_EQ(members(server, name), ids) << name;
        EXPECT_EQ(told(server, name), ids) << name;
    }

    void expect_all_at(const FootfallProcess& server) {
        const auto opened = [](const auto& of) { return Deeds::count(of, false, -1, 10) >= 3; };
        const auto bought = [](const auto& of) { return Deeds::count(of, true, -1, 20) >= 2; };
        ASSERT_NO_FATAL_FAILURE(expect_at(server, "opened", opened));
        ASSERT_NO_FATAL_FAILURE(expect_at(server, "bought", bought));
        expect_at(server, "only", [&](const auto& of) { return opened(of) && !bought(of); });
    }

    void expect_verified() {
        std::vector<std::string> words{"verify", "segments"};
        for (std::string& each : place_words(directory_ / "data")) {
            words.push_back(std::move(each));
        }
        const CommandResult verified = run_footfall(std::move(words));
        EXPECT_EQ(verified.exit_code, 0) << verified.output << verified.errors;
    }

    FootfallProcess start(const std::string& name) {
        std::vector<std::string> flags = small_memory;
        flags.insert(flags.end(), {"--instance", name});
        return FootfallProcess{directory_ / "data", flags};
    }

    /// How long a part of the test took.
    void tell(const std::string& what) {
        const auto now = std::chrono::steady_clock::now();
        const std::chrono::duration<double> took = now - told_;
        told_ = now;
        fmt::print("{:.1f} s: {}\n", took.count(), what);
    }

    std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now();
    TemporaryDirectory directory_;
    Deeds deeds_{17, 60};
    FootfallProcess one_ = start("one");
    FootfallProcess other_ = start("other");
};

TEST_F(RulesOnCluster, people_of_a_rule_equal_brute_force_at_both_servers) {
    ASSERT_TRUE(eventually([&] {
        return Api{one_}.metric(R"(footfall_lanes{role="project"})") == all_lanes / 2 &&
               Api{other_}.metric(R"(footfall_lanes{role="project"})") == all_lanes / 2;
    }));
    tell("both servers count a half of the lanes");
    // What happened before is looked up in the log; what comes while the other server does not know
    // of the rule yet is of both.
    send(400);
    tell("events before");
    put(one_, "opened", R"({"event":{"action":"open","times":3,"within":"10d"}})");
    put(other_, "bought", R"({"event":{"action":"buy","times":2,"within":"20d"}})");
    put(one_, "only", R"({"all":[{"segment":"opened"},{"not":{"segment":"bought"}}]})");
    tell("rules");
    send(200);
    unite(other_, 0, 30);
    tell("events, two are one");
    for (FootfallProcess* const each : both()) {
        ASSERT_NO_FATAL_FAILURE(expect_all_at(*each));
        tell("as brute force at a server");
    }
    send(200);
    unite(one_, 1, 31);
    for (FootfallProcess* const each : both()) {
        ASSERT_NO_FATAL_FAILURE(expect_all_at(*each));
        tell("more events, as brute force at a server");
    }
    expect_verified();
    tell("verified beside both");
    if (std::getenv("FOOTFALL_RULE_HANDOVER") == nullptr) {
        return;
    }
    // Whoever derived or counted is followed by the other, in the midst of a rule that is new.
    put(one_, "often", R"({"event":{"action":"open","times":5,"within":"30d"}})");
    post(one_, deeds_.lines(200));
    one_.kill();
    tell("one is killed");
    post(other_, deeds_.lines(200));
    ASSERT_NO_FATAL_FAILURE(expect_all_at(other_));
    expect_at(other_, "often", [](const auto& of) { return Deeds::count(of, false, -1, 30) >= 5; });
    tell("as brute force at the other");
    EXPECT_EQ(other_.stop(), 0);
    expect_verified();
    tell("verified");
}

}  // namespace
}  // namespace footfall::cluster_test
