// A keyspace and topics that belong together, or not, on a real cluster (./test cluster).

#include "foundation_testing/temporary_directory.h"
#include "kafka_client.h"
#include "moving_parts.h"
#include "test_support/api.h"
#include "test_support/eventually.h"
#include "test_support/footfall_process.h"
#include "test_support/run_command.h"
#include "test_support/tested_store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

namespace footfall::acceptance {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using namespace test_support;

std::string& behind(std::vector<std::string>& words, const std::string& flag) {
    return *(std::ranges::find(words, flag) + 1);
}

class SameDeployment : public testing::Test {
protected:
    /// How a process of one of two deployments is started.
    std::vector<std::string> serve(const std::string& name) {
        return FootfallProcess::words(directory_ / name);
    }

    std::string keyspace(const std::string& name) {
        std::vector<std::string> words = serve(name);
        return behind(words, "--cassandra-keyspace");
    }

    std::string prefix(const std::string& name) {
        std::vector<std::string> words = serve(name);
        return behind(words, "--kafka-prefix");
    }

    /// Words of a verb of `schema` for a keyspace and topics.
    static std::vector<std::string> schema(
        const std::string& verb, const std::vector<std::string>& serve
    ) {
        std::vector<std::string> words{"schema", verb};
        for (const std::string flag :
             {"--cassandra-keyspace", "--log", "--kafka", "--kafka-prefix", "--kafka-replicas"}) {
            words.insert(words.end(), {flag, *(std::ranges::find(serve, flag) + 1)});
        }
        return words;
    }

    static void count_one(const FootfallProcess& server, const std::string& id) {
        Api api{server};
        api.post_events(
            fmt::format(R"({{"id":"{}","action":"view","object":"page","actor":"{}"}})", id, id)
        );
    }

    static bool serves(const ChildProcess& process) {
        return eventually(
            [&] { return process.output().contains("serves http://"); }, std::chrono::seconds{60}
        );
    }

    TemporaryDirectory directory_;
};

/// What took a third of the lanes of another deployment, and wrote their counts away.
TEST_F(SameDeployment, topics_of_another_one_are_refused_naming_both) {
    const FootfallProcess first{directory_ / "first"};
    count_one(first, "a");
    std::vector<std::string> words = serve("second");
    behind(words, "--kafka-prefix") = prefix("first");
    const CommandResult refused = run_footfall(words);
    EXPECT_EQ(refused.exit_code, 2) << refused.errors;
    EXPECT_THAT(
        refused.errors,
        AllOf(
            HasSubstr(fmt::format("topics {}* of the Kafka cluster", prefix("first"))),
            HasSubstr(fmt::format("(keyspace {})", keyspace("first"))),
            HasSubstr(fmt::format("(keyspace {})", keyspace("second"))),
            HasSubstr("choose a kafka_prefix that nobody has")
        )
    );
    count_one(first, "b");
    Api api{first};
    EXPECT_TRUE(eventually([&] { return api.views("page").at("events").to_number<int>() == 2; }));
    EXPECT_EQ(api.metric("footfall_lanes{role=\"project\"}"), 64U) << "all lanes are still its";

    const CommandResult differs = run_footfall(schema("check", words));
    EXPECT_EQ(differs.exit_code, 1) << differs.errors;
    EXPECT_THAT(differs.output, HasSubstr("belong to deployment"));
    EXPECT_EQ(run_footfall(schema("check", serve("first"))).exit_code, 0);
}

TEST_F(SameDeployment, other_topics_are_taken_when_somebody_says_so) {
    std::vector<std::string> elsewhere = serve("first");
    behind(elsewhere, "--kafka-prefix") = prefix("second");
    {
        ChildProcess server{footfall_command(elsewhere)};
        ASSERT_TRUE(serves(server)) << server.errors();
    }
    const CommandResult refused = run_footfall(serve("first"));
    EXPECT_EQ(refused.exit_code, 2) << refused.errors;
    EXPECT_THAT(refused.errors, HasSubstr("set kafka_prefix to " + prefix("second")));
    const CommandResult moved = run_well(schema("new-topics", serve("first")));
    EXPECT_THAT(moved.output, HasSubstr(fmt::format("they were {}*", prefix("second"))));
    const CommandResult back = run_footfall(elsewhere);
    EXPECT_EQ(back.exit_code, 2) << back.errors;
    EXPECT_THAT(back.errors, HasSubstr("set kafka_prefix to " + prefix("first")));
    const FootfallProcess server{directory_ / "first"};
    count_one(server, "a");
}

TEST_F(SameDeployment, topics_that_were_deleted_are_missed) {
    {
        FootfallProcess server{directory_ / "first"};
        count_one(server, "a");
        EXPECT_EQ(server.stop(), 0);
    }
    std::vector<std::string> topics;
    for (const char* const name : {"deployment", "events", "judged", "ingress", "events.dlq"}) {
        topics.push_back(prefix("first") + name);
    }
    delete_topics(topics);
    const CommandResult refused = run_footfall(serve("first"));
    EXPECT_EQ(refused.exit_code, 2) << refused.errors;
    EXPECT_THAT(
        refused.errors, HasSubstr(fmt::format("no topic {}deployment any more", prefix("first")))
    );
    const CommandResult again = run_footfall(schema("new-topics", serve("first")));
    EXPECT_EQ(again.exit_code, 2) << "under the same names: " << again.output;
}

/// Neither secret nor topics are there yet, and both make them.
TEST_F(SameDeployment, processes_that_start_at_once_agree) {
    std::vector<std::string> apply{"schema", "apply", "--cassandra-keyspace", keyspace("first")};
    run_well(apply);
    run_cql(fmt::format("TRUNCATE {}.deployment", keyspace("first")));
    std::vector<ChildProcess> processes;
    processes.reserve(3);
    for (int at = 0; at < 3; ++at) {
        processes.push_back(FootfallProcess::launch(
            directory_ / "first", {"--instance", fmt::format("at-once-{}", at)}
        ));
    }
    // Each compares its secret with what the topics say: with another one it would not serve.
    for (const ChildProcess& process : processes) {
        EXPECT_TRUE(serves(process)) << process.errors();
    }
    const std::vector<PlainRecord> marks = read_all_of(prefix("first") + "deployment", 1);
    ASSERT_EQ(marks.size(), 1U);
    EXPECT_THAT(marks[0].value, HasSubstr(fmt::format("\"keyspace\":\"{}\"", keyspace("first"))));
    EXPECT_EQ(run_footfall(schema("check", serve("first"))).exit_code, 0);
}

TEST_F(SameDeployment, topics_that_are_there_are_held_to_their_settings) {
    make_topic(prefix("first") + "judged", 64, {{"retention.ms", "604800000"}});
    const CommandResult refused = run_footfall(serve("first"));
    EXPECT_EQ(refused.exit_code, 2) << refused.errors;
    EXPECT_THAT(
        refused.errors,
        AllOf(
            HasSubstr(fmt::format("topic {}judged: retention.ms is 604800000", prefix("first"))),
            HasSubstr("--add-config retention.ms=-1")
        )
    );
    make_topic(prefix("second") + "events.dlq", 64, {{"retention.ms", "2592000000"}});
    FootfallProcess server{directory_ / "second"};
    EXPECT_THAT(
        server.process().errors(),
        AllOf(
            HasSubstr(
                fmt::format("topic {}events.dlq: retention.ms is 2592000000", prefix("second"))
            ),
            HasSubstr("keep_addresses"),
            HasSubstr("--add-config retention.ms=604800000")
        )
    );
}

}  // namespace
}  // namespace footfall::acceptance
