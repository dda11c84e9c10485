#include "test_support/eventually.h"
#include "test_support/run_command.h"
#include "test_support/running_server.h"

#include <boost/json/object.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace footfall {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using namespace test_support;

std::vector<std::string> bench_words(
    const FootfallProcess& server, std::vector<std::string> words
) {
    words.insert(words.begin(), {"bench", "counter", "--server", server.url()});
    return words;
}

/// A short load on the server of the fixture.
class BenchCommand : public RunningServer {
protected:
    CommandResult bench(std::vector<std::string> words) {
        words.insert(words.end(), {"--json", report_, "--warm-up", "0.2", "--duration", "1"});
        return run_footfall(bench_words(server_, std::move(words)));
    }

    boost::json::object report() const { return parse_object(read_text(report_)); }

    const std::string report_ = directory_ / "report.json";
};

TEST_F(BenchCommand, puts_as_fast_as_it_goes_and_finds_every_token_counted) {
    const auto done = bench({"--objects", "500", "--pipeline", "4", "--verify-all"});
    EXPECT_EQ(done.exit_code, 0) << done.output << done.errors;
    EXPECT_THAT(done.output, AllOf(HasSubstr("service times only"), HasSubstr("0 are wrong")));
    const auto json = report();
    const auto& total = json.at("total").as_object();
    EXPECT_GT(total.at("good").to_number<int>(), 100);
    EXPECT_GT(total.at("latency_us").at("p50").to_number<double>(), 0);
    EXPECT_TRUE(total.at("failed").as_object().empty());
    EXPECT_EQ(json.at("check").at("objects").to_number<int>(), 500);
    EXPECT_EQ(json.at("check").at("exact").to_number<int>(), 500);
    EXPECT_FALSE(json.at("windows").as_array().empty());
}

TEST_F(BenchCommand, keeps_to_a_schedule_with_gets_among_the_puts) {
    const auto done = bench({"--rate", "1000", "--poisson", "--get", "0.5", "--objects", "100"});
    EXPECT_EQ(done.exit_code, 0) << done.output << done.errors;
    EXPECT_THAT(done.output, AllOf(HasSubstr("open loop"), HasSubstr("0 are wrong")));
    // Six standard deviations of a Poisson count of 1,000.
    EXPECT_NEAR(report().at("total").at("rate").to_number<double>(), 1000, 190);
    EXPECT_EQ(report().at("check").at("exact").to_number<int>(), 100);
}

TEST_F(BenchCommand, sends_batches) {
    const auto done = bench({"--post-batch", "100", "--connections", "2", "--objects", "1000"});
    EXPECT_EQ(done.exit_code, 0) << done.output << done.errors;
    EXPECT_THAT(done.output, AllOf(HasSubstr("tokens "), HasSubstr("0 are wrong")));
    EXPECT_EQ(report().at("check").at("exact").to_number<int>(), 1000);
}

TEST_F(BenchCommand, sends_more_than_a_socket_takes_at_once) {
    // One request, of 4 MB. Of as many as fit into a second a server may refuse some: that is more
    // than a busy disk takes.
    const auto done = run_footfall(bench_words(
        server_,
        {"--post-batch",
         "100000",
         "--connections",
         "1",
         "--objects",
         "1000",
         "--requests",
         "1",
         "--warm-up",
         "0",
         "--duration",
         "30",
         "--json",
         report_}
    ));
    SCOPED_TRACE(done.output + done.errors);
    ASSERT_EQ(done.exit_code, 0);
    EXPECT_EQ(report().at("total").at("good").to_number<int>(), 1);
    EXPECT_EQ(report().at("total").at("lost").to_number<int>(), 0);
    EXPECT_EQ(report().at("check").at("exact").to_number<int>(), 1000);
}

TEST_F(BenchCommand, tells_the_processor_time_of_both_sides) {
    const auto done = bench({"--server-pid", std::to_string(server_.process().pid())});
    EXPECT_EQ(done.exit_code, 0) << done.output << done.errors;
    EXPECT_GT(report().at("total").at("server_cpu").at("total_us").to_number<double>(), 0);
    EXPECT_GT(report().at("total").at("client_cpu").at("total_us").to_number<double>(), 0);
}

TEST_F(BenchCommand, asks_for_what_a_file_says) {
    const std::string file =
        directory_.write("targets.txt", "/api/v1/counter/a\n/api/v1/counter/b?counter=default\n");
    const std::vector<std::string> words{
        "bench",
        "gets",
        file,
        "--server",
        server_.url(),
        "--warm-up",
        "0",
        "--duration",
        "0.5",
        "--json",
        report_
    };
    const auto done = run_footfall(words);
    EXPECT_EQ(done.exit_code, 0) << done.output << done.errors;
    EXPECT_GT(report().at("total").at("good").to_number<int>(), 10);
    EXPECT_TRUE(report().at("total").at("failed").as_object().empty());

    directory_.write("targets.txt", "/nothing/there\n");
    run_footfall(words);
    EXPECT_EQ(report().at("total").at("good").to_number<int>(), 0);
    EXPECT_GT(report().at("total").at("failed").at("404").to_number<int>(), 10);

    directory_.write("targets.txt", "/a\nb\n");
    const auto refused = run_footfall(words);
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.errors, AllOf(HasSubstr("targets.txt"), HasSubstr("line 2")));
}

TEST_F(BenchCommand, fails_when_the_server_goes_away) {
    ChildProcess process{footfall_command(bench_words(
        server_, {"--duration", "60", "--window", "0.5", "--warm-up", "0", "--no-verify"}
    ))};
    const bool under_way = eventually([&] {
        return process.output().find("\n     0.5 ") != std::string::npos || !process.running();
    });
    ASSERT_TRUE(under_way && process.running()) << process.output() << process.errors();
    server_.kill();
    EXPECT_EQ(process.wait(std::chrono::seconds{20}).exit_code, 1);
    EXPECT_THAT(process.errors(), HasSubstr("the server closed a connection"));
}

TEST(BenchCommandWithoutAServer, names_the_server_and_says_how_one_is_started) {
    const auto http = run_footfall({"bench", "counter", "--server", "http://127.0.0.1:1"});
    EXPECT_EQ(http.exit_code, 1);
    EXPECT_THAT(http.errors, AllOf(HasSubstr("127.0.0.1:1"), HasSubstr("`footfall serve`")));
    const auto redis = run_footfall({"bench", "counter", "--server", "redis://127.0.0.1:1"});
    EXPECT_EQ(redis.exit_code, 1);
    EXPECT_THAT(redis.errors, AllOf(HasSubstr("127.0.0.1:1"), Not(HasSubstr("footfall serve"))));
}

TEST(BenchCommandWithoutAServer, says_in_a_few_words_which_numbers_are_allowed) {
    for (const char* option : {"--deviation", "--rate", "--requests", "--server-pid"}) {
        for (const char* bad : {"-3", "0", "many"}) {
            const auto done = run_footfall({"bench", "counter", option, bad});
            EXPECT_EQ(done.exit_code, 2) << option;
            EXPECT_THAT(
                done.errors,
                StartsWith(fmt::format("{}: {} is not a number above 0\n", option, bad))
            );
        }
    }
}

TEST(BenchCommandOnAForgetfulServer, notices_that_counts_are_wrong) {
    // Tokens that expire while the test runs are, to the check, tokens that were lost.
    const TemporaryDirectory directory;
    const std::string config =
        directory.write("footfall.toml", "[[counter]]\nname = \"short\"\nttl = 1\n");
    const FootfallProcess server{directory / "data", {"--config", config}};
    const auto done = run_footfall(bench_words(
        server, {"--counter", "short", "--objects", "10", "--warm-up", "0", "--duration", "2"}
    ));
    EXPECT_EQ(done.exit_code, 1) << done.output << done.errors;
    EXPECT_THAT(done.output, AllOf(HasSubstr("10 are wrong"), HasSubstr(", must be ")));
}

}  // namespace
}  // namespace footfall
