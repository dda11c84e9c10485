#include "test_support/eventually.h"
#include "test_support/run_command.h"
#include "test_support/running_server.h"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <chrono>
#include <string>

namespace footfall {
namespace {

using http_server::Method;
using std::chrono::steady_clock;
using namespace std::chrono_literals;
using namespace test_support;

constexpr const char* two_counters = R"([[counter]]
name = "visits"
ttl = "2h"
limit = 3

[[counter]]
name = "plain"
)";

class CounterExpiry : public RunningServer {};

TEST_F(CounterExpiry, a_token_counts_for_as_long_as_its_ttl_and_then_no_more) {
    const auto before = steady_clock::now();
    ASSERT_EQ(api_.put("a", "fades", "?ttl=1"), 1U);
    ASSERT_EQ(api_.put("a", "stays"), 2U);
    const auto after = steady_clock::now();
    steady_clock::time_point gone{};
    ASSERT_TRUE(eventually([&] {
        gone = steady_clock::now();
        return api_.count("a") == 1;
    }));
    EXPECT_GE(gone - before, 990ms) << "a token never lives shorter than asked";
    EXPECT_LE(gone - after, 5s);
    EXPECT_EQ(api_.put("a", "fades", "?ttl=1000"), 2U);
}

TEST_F(CounterExpiry, a_put_never_shortens_a_life) {
    api_.put("a", "t", "?ttl=1000");
    api_.put("a", "t", "?ttl=1");
    api_.put("marker", "t", "?ttl=1");
    ASSERT_TRUE(eventually([&] { return api_.count("marker") == 0; }));
    ASSERT_TRUE(eventually([&] { return api_.put("marker", "u", "?ttl=1") == 1; }));
    ASSERT_TRUE(eventually([&] { return api_.count("marker") == 0; }));
    EXPECT_EQ(api_.count("a"), 1U);
}

TEST_F(CounterExpiry, what_faded_away_while_the_server_was_down_does_not_come_back) {
    api_.put("a", "fades", "?ttl=1");
    api_.put("a", "stays");
    api_.post_lines("{\"object\":\"a\",\"token\":\"long\",\"ttl\":1000}\n");
    server_.kill();
    server_.restart();
    Api after{server_};
    EXPECT_TRUE(eventually([&] { return after.count("a") == 2; }));
}

class ConfiguredCounter : public testing::Test {
protected:
    TemporaryDirectory directory_;
    std::string config_ = directory_.write("footfall.toml", two_counters);
    FootfallProcess server_{directory_ / "data", {"--config", config_}};
    Api api_{server_};
};

TEST_F(ConfiguredCounter, counts_apart_from_others) {
    api_.put("a", "t1", "?counter=visits");
    api_.put("a", "t1", "?counter=plain");
    api_.put("a", "t2", "?counter=plain");
    EXPECT_EQ(api_.count("a", "?counter=visits"), 1U);
    EXPECT_EQ(api_.count("a", "?counter=plain"), 2U);
    EXPECT_EQ(api_.count("a"), 0U);
    EXPECT_EQ(api_.counter_json("a", "?counter=plain").at("counter").as_string(), "plain");
}

TEST_F(ConfiguredCounter, answers_at_least_its_limit_when_there_are_more) {
    for (int token = 1; token <= 3; ++token) {
        api_.put("a", fmt::format("t{}", token), "?counter=visits");
    }
    EXPECT_EQ(
        boost::json::serialize(api_.counter_json("a", "?counter=visits")),
        R"({"object":"a","counter":"visits","count":3,"exact":true,"at_least":false,"limit":3})"
    );
    for (int token = 4; token <= 6; ++token) {
        EXPECT_EQ(api_.put("a", fmt::format("t{}", token), "?counter=visits"), 3U);
    }
    const std::string above =
        R"({"object":"a","counter":"visits","count":3,"exact":false,"at_least":true,"limit":3})";
    EXPECT_EQ(boost::json::serialize(api_.counter_json("a", "?counter=visits")), above);
    server_.kill();
    server_.restart();
    Api after{server_};
    EXPECT_EQ(boost::json::serialize(after.counter_json("a", "?counter=visits")), above);
    const auto told =
        run_footfall({"count", "a", "--counter", "visits", "--server", server_.url()});
    EXPECT_EQ(told.output, "3+\n");
}

TEST_F(ConfiguredCounter, takes_no_ttl_above_its_own) {
    for (const char* ttl : {"7201", "86400"}) {
        const std::string target = std::string{"/api/v1/counter/a?counter=visits&ttl="} + ttl;
        expect_problem(api_.send(Method::put, target, "t"), 400, "invalid-input", "ttl");
    }
    EXPECT_EQ(api_.put("a", "t", "?counter=visits&ttl=7200"), 1U);
    const auto batch = api_.post_lines(
        "{\"object\":\"b\",\"token\":\"1\",\"ttl\":7201}\n"
        "{\"object\":\"b\",\"token\":\"2\",\"ttl\":7200}\n",
        "?counter=visits"
    );
    EXPECT_EQ(batch.at("accepted").to_number<int>(), 1);
    EXPECT_EQ(api_.count("b", "?counter=visits"), 1U);
}

TEST_F(ConfiguredCounter, cannot_change_its_ttl_once_it_holds_data) {
    ASSERT_EQ(server_.stop(), 0);
    for (const char* change : {"ttl = \"3h\"", ""}) {
        const std::string text = fmt::format("[[counter]]\nname = \"visits\"\n{}\n", change);
        const std::string changed = directory_.write("changed.toml", text);
        const auto refused =
            run_footfall(FootfallProcess::words(directory_ / "data", {"--config", changed}));
        EXPECT_EQ(refused.exit_code, 1);
        EXPECT_NE(refused.errors.find("visits"), std::string::npos) << refused.errors;
        EXPECT_NE(refused.errors.find("7200"), std::string::npos) << refused.errors;
        EXPECT_NE(refused.errors.find("cannot be changed"), std::string::npos) << refused.errors;
    }
    server_.restart();
}

TEST(Restart, keeps_every_count_after_a_stop_and_after_a_kill) {
    const TemporaryDirectory directory;
    FootfallProcess server{directory / "data"};
    std::uint64_t tokens = 0;
    for (int round = 0; round < 4; ++round) {
        Api api{server};
        for (int put = 0; put < 20; ++put) {
            ASSERT_EQ(api.put("a", fmt::format("t{}", tokens)), tokens + 1);
            ++tokens;
        }
        if (round % 2 == 0) {
            server.kill();
        } else {
            ASSERT_EQ(server.stop(), 0);
        }
        server.restart();
        EXPECT_EQ(Api{server}.count("a"), tokens);
    }
}

}  // namespace
}  // namespace footfall
