// Nodes of Cassandra that have lost all: from backups of their snapshots, and from the log of what
// came afterwards, everything that was counted is there again. Runs alone, for it takes the data of
// all keyspaces away (./test cluster).

#include "foundation_testing/repository.h"
#include "foundation_testing/temporary_directory.h"
#include "test_support/api.h"
#include "test_support/eventually.h"
#include "test_support/footfall_process.h"
#include "test_support/must.h"
#include "test_support/run_command.h"
#include "test_support/tested_store.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <ranges>
#include <string>
#include <vector>

namespace footfall::cluster_test {
namespace {

using namespace std::chrono_literals;
using namespace test_support;
using http_server::Method;
using testing::HasSubstr;

constexpr int objects = 40;

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    if (value == nullptr) {
        give_up(fmt::format("{} is not set: tools/cluster up, source build/cluster/env", name));
    }
    return value;
}

std::string cluster_folder() {
    return variable("FOOTFALL_TEST_CLUSTER");
}

/// Of all nodes that tools/cluster started.
std::vector<std::string> nodes() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator{cluster_folder()}) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("cassandra-")) {
            names.push_back(name);
        }
    }
    std::ranges::sort(names);
    return names;
}

std::string cluster(std::vector<std::string> words) {
    words.insert(words.begin(), in_repository("tools/cluster"));
    const CommandResult done = run_command({.words = words}, 320s);
    EXPECT_EQ(done.exit_code, 0) << done.output << done.errors;
    return done.output;
}

std::string run_well(const std::vector<std::string>& words) {
    const CommandResult done = run_footfall(words);
    EXPECT_EQ(done.exit_code, 0) << done.output << done.errors;
    return done.output;
}

class NodeBackups : public testing::Test {
protected:
    std::vector<std::string> with_place(std::vector<std::string> words) const {
        const auto place = place_words(directory_ / "data");
        words.insert(words.end(), place.begin(), place.end());
        return words;
    }

    std::string keyspace() const {
        const auto words = store_words(directory_ / "data");
        return *(std::ranges::find(words, "--cassandra-keyspace") + 1);
    }

    /// Views of each object, by another person each time, and clicks on an ad.
    void see_all(int views) {
        std::string lines;
        for (int at = 0; at < views * objects; ++at) {
            lines += fmt::format(
                R"({{"id":"e{0}","action":"view","object":"post-{1}","actor":"u{0}"}})"
                "\n"
                R"({{"id":"c{0}","action":"click","object":"post-{1}","actor":"u{0}","ad":"a",)"
                R"("reseller":"r","publisher":"p","amount":"0.10"}})"
                "\n",
                seen_,
                at % objects
            );
            ++seen_;
        }
        Api api{server_};
        const auto answer = api.send(Method::post, "/api/v1/events", lines);
        ASSERT_EQ(answer.status, 200) << answer.body;
        ASSERT_THAT(answer.body, HasSubstr("\"rejected\":[]"));
        ASSERT_TRUE(eventually([&] { return all_counted(); }, 120s)) << number(0, "events");
    }

    /// The last views of each object once more, as a client does that was not answered.
    void send_again(int views) {
        std::string lines;
        for (int at = seen_ - views * objects; at < seen_; ++at) {
            lines += fmt::format(
                R"({{"id":"e{0}","action":"view","object":"post-{1}","actor":"u{0}"}})"
                "\n",
                at,
                at % objects
            );
        }
        Api api{server_};
        const auto answer = api.send(Method::post, "/api/v1/events", lines);
        ASSERT_EQ(answer.status, 200) << answer.body;
        EXPECT_THAT(answer.body, HasSubstr(fmt::format("\"duplicates\":{}", views * objects)));
    }

    int number(int object, const char* of) {
        Api api{server_};
        const boost::json::object views = api.views(fmt::format("post-{}", object));
        return views.contains(of) ? views.at(of).to_number<int>() : 0;
    }

    bool all_counted() {
        return std::ranges::all_of(std::views::iota(0, objects), [&](int object) {
            return number(object, "events") == seen_ / objects &&
                   number(object, "people") == seen_ / objects;
        });
    }

    void put_tokens(int from, int to) {
        Api api{server_};
        for (int token = from; token < to; ++token) {
            api.put(fmt::format("object-{}", token % 10), fmt::format("t{}", token));
        }
    }

    void send_points(int from, int to) {
        std::string values;
        for (int at = from; at < to; ++at) {
            values += fmt::format("{}[{},{}]", values.empty() ? "" : ",", start_ + at * 1000, at);
        }
        Api api{server_};
        const auto answer = api.send(
            Method::post,
            "/api/v1/datapoints",
            fmt::format(R"([{{"name":"load","tags":{{"host":"a"}},"datapoints":[{}]}}])", values)
        );
        ASSERT_EQ(answer.status, 204) << answer.body;
    }

    std::string points() {
        Api api{server_};
        const auto answer = api.send(
            Method::post,
            "/api/v1/datapoints/query",
            fmt::format(
                R"({{"start_absolute":{},"end_absolute":{},"metrics":[{{"name":"load"}}]}})",
                start_,
                start_ + 3'600'000
            )
        );
        return answer.body;
    }

    /// What nobody who reads it may see a difference in.
    void expect_counters(int tokens) {
        Api api{server_};
        for (int object = 0; object < 10; ++object) {
            EXPECT_EQ(
                api.count(fmt::format("object-{}", object)), static_cast<std::uint64_t>(tokens / 10)
            );
        }
    }

    void expect_verified() {
        for (const char* job : {"views", "ads", "reading", "identities", "segments"}) {
            run_well(with_place({"verify", job}));
        }
    }

    std::string place_of(const std::string& node) const { return directory_ / ("backup-" + node); }

    std::string back_up(const std::string& name) {
        std::string said;
        for (const std::string& node : nodes()) {
            cluster({"nodetool", node, "snapshot", "-t", name, keyspace()});
        }
        for (const std::string& node : nodes()) {
            said += run_well(
                {"backup",
                 "--snapshot",
                 name,
                 "--node-data",
                 fmt::format("{}/{}/data", cluster_folder(), node),
                 "--cassandra-keyspace",
                 keyspace(),
                 "--to",
                 place_of(node)}
            );
            run_well({"backup", "verify", "--from", place_of(node)});
        }
        return said;
    }

    static void lose_all_nodes() {
        std::vector<std::string> words = nodes();
        for (const std::string& node : words) {
            cluster({"kill", node});
        }
        words.insert(words.begin(), "wipe");
        cluster(words);
        words.front() = "start";
        cluster(words);
    }

    void restore_all() {
        run_well(
            {"schema",
             "apply",
             "--tables-only",
             "--cassandra-keyspace",
             keyspace(),
             "--cassandra-replication",
             variable("FOOTFALL_CASSANDRA_REPLICATION")}
        );
        for (const std::string& node : nodes()) {
            const std::string tables = directory_ / ("tables-" + node);
            run_well({"restore", "--from", place_of(node), "--tables", tables});
            fmt::print("{}", cluster({"import", node, tables}));
        }
    }

    TemporaryDirectory directory_;
    FootfallProcess server_{directory_ / "data"};
    int seen_ = 0;
    /// A quarter of an hour ago, in milliseconds.
    const std::int64_t start_ =
        std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now() - 15min)
            .time_since_epoch()
            .count() *
        1000;
};

TEST_F(NodeBackups, and_the_log_give_back_what_nodes_had_that_lost_all) {
    put_tokens(0, 200);
    see_all(20);
    send_points(0, 300);
    fmt::print("{}", back_up("first"));
    const std::string before = points();
    fmt::print("{}", back_up("second"));
    see_all(10);
    EXPECT_EQ(number(0, "events"), 30);
    put_tokens(200, 300);
    expect_counters(300);

    server_.kill();
    lose_all_nodes();
    const auto begun = std::chrono::steady_clock::now();
    restore_all();
    if (HasFailure()) {
        return;
    }
    server_.restart();
    EXPECT_TRUE(eventually([&] { return all_counted(); }, 120s)) << number(0, "events");
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
    fmt::print("restored, and counted what came after, in {:.1f} s\n", taken.count());
    expect_counters(200);  // tokens stand in Cassandra alone: those after the snapshot are gone
    EXPECT_EQ(points(), before);
    expect_verified();

    send_again(10);
    see_all(5);
    put_tokens(200, 300);
    expect_counters(300);
    expect_verified();
}

}  // namespace
}  // namespace footfall::cluster_test
