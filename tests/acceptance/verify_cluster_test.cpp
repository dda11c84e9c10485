// footfall verify beside servers that count on, on a real cluster (./test cluster).

#include "test_support/eventually.h"
#include "test_support/run_command.h"
#include "test_support/running_server.h"
#include "test_support/tested_store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace footfall {
namespace {

using testing::HasSubstr;
using namespace test_support;

class VerifyBesideServers : public RunningServer {
protected:
    /// The words that name its store and its log, and no more.
    std::vector<std::string> place() { return place_words(directory_ / "data"); }

    static CommandResult verify(
        const std::vector<std::string>& place, const std::string& job = "views"
    ) {
        std::vector<std::string> words{"verify", job};
        words.insert(words.end(), place.begin(), place.end());
        return run_footfall(std::move(words));
    }

    /// Views of 20 objects by many people, some of whom come twice.
    static std::string some_events(int round) {
        std::string lines;
        for (int at = 0; at < 200; ++at) {
            lines += fmt::format(
                R"({{"action":"view","object":"post-{}","actor":"u{}"}})"
                "\n",
                at % 20,
                (round * 37 + at) % 1500
            );
        }
        return lines;
    }
};

TEST_F(VerifyBesideServers, finds_nothing_while_events_come_and_what_is_wrong_afterwards) {
    std::atomic<int> rounds = 0;
    std::jthread sender{[&](const std::stop_token& stop) {
        Api api{server_};
        while (!stop.stop_requested()) {
            // Whatever is not counted yet: verify has to wait for it, or to leave it out.
            const auto answer =
                api.send(http_server::Method::post, "/api/v1/events", some_events(rounds));
            ASSERT_EQ(answer.status, 200) << answer.body;
            ++rounds;
        }
    }};
    const auto has_sent = [&](int least) {
        return eventually([&] { return rounds >= least; }, std::chrono::seconds{60});
    };
    ASSERT_TRUE(has_sent(5));
    for (int run = 0; run < 3; ++run) {
        const int before = rounds;
        const CommandResult verified = verify(place());
        EXPECT_EQ(verified.exit_code, 0) << verified.output << verified.errors;
        EXPECT_THAT(verified.last_line(), HasSubstr("of 20 objects: 0 differences"));
        ASSERT_TRUE(has_sent(before + 2)) << "events came meanwhile";
    }
    sender.request_stop();
    sender.join();
    EXPECT_TRUE(eventually([&] {
        return api_.views("post-3").at("events").to_number<int>() == rounds * 10;
    }));

    // Later than whatever was written.
    const auto soon = std::chrono::system_clock::now() + std::chrono::minutes{1};
    const std::vector<std::string> words = place();
    run_cql(fmt::format(
        "DELETE FROM {}.view_day USING TIMESTAMP {} WHERE action = 'view' AND object = 'post-3'",
        *(std::ranges::find(words, "--cassandra-keyspace") + 1),
        std::chrono::duration_cast<std::chrono::microseconds>(soon.time_since_epoch()).count()
    ));
    const CommandResult verified = verify(words);
    EXPECT_EQ(verified.exit_code, 1) << verified.errors;
    EXPECT_THAT(verified.output, HasSubstr("view of post-3, 20"));
    EXPECT_THAT(
        verified.output,
        HasSubstr(fmt::format(": none stored; the log has {} events", rounds.load() * 10))
    );
    EXPECT_THAT(
        verified.last_line(),
        HasSubstr(fmt::format("verified {} events of 20 objects: ", rounds.load() * 200))
    );
}

TEST_F(VerifyBesideServers, names_rows_of_identities_that_were_erased) {
    const auto match = [&](const std::string& www, const std::string& shop) {
        const auto answer = api_.send(
            http_server::Method::post,
            "/api/v1/identities/match",
            fmt::format(
                R"({{"ids":[{{"identifier":"www","id_name":"id","id_value":"{}"}},)"
                R"({{"identifier":"shop","id_name":"id","id_value":"{}"}}]}})",
                www,
                shop
            )
        );
        EXPECT_EQ(answer.status, 200) << answer.body;
        return std::string{parse_object(answer.body).at("sid").as_string()};
    };
    const std::string sid = match("a", "x");
    match("b", "y");
    const std::vector<std::string> words = place();
    const CommandResult sound = verify(words, "identities");
    EXPECT_EQ(sound.exit_code, 0) << sound.output << sound.errors;
    EXPECT_THAT(sound.last_line(), HasSubstr("of 4 objects: 0 differences"));

    // Later than whatever was written.
    const auto soon = std::chrono::system_clock::now() + std::chrono::minutes{1};
    const auto erase = [&](const std::string& table, const std::string& where) {
        run_cql(fmt::format(
            "DELETE FROM {}.{} USING TIMESTAMP {} WHERE {}",
            *(std::ranges::find(words, "--cassandra-keyspace") + 1),
            table,
            std::chrono::duration_cast<std::chrono::microseconds>(soon.time_since_epoch()).count(),
            where
        ));
    };
    std::string digits = sid;
    std::erase(digits, '-');
    erase("profile", "sid = 0x" + digits);
    erase("identity_fact", "identifier = 'www' AND id_name = 'id' AND id_value = 'b'");
    const CommandResult verified = verify(words, "identities");
    EXPECT_EQ(verified.exit_code, 1) << verified.errors;
    EXPECT_THAT(
        verified.output, HasSubstr(fmt::format("profile {}: no row; by the facts it has 2", sid))
    );
    EXPECT_THAT(verified.output, HasSubstr("has a row under shop/id/y and none under www/id/b"));
    EXPECT_THAT(verified.output, HasSubstr("under www/id/b: no row; lane "));
}

TEST_F(VerifyBesideServers, names_what_is_missing) {
    const CommandResult without_log = verify({"--store", "cassandra"});
    EXPECT_EQ(without_log.exit_code, 2) << without_log.errors;
    EXPECT_THAT(without_log.errors, HasSubstr("--log kafka"));
    std::vector<std::string> words = place();
    *(std::ranges::find(words, "--kafka-prefix") + 1) = "nobodys.";
    const CommandResult of_nobody = verify(words);
    EXPECT_EQ(of_nobody.exit_code, 2) << of_nobody.errors;
    EXPECT_THAT(of_nobody.errors, HasSubstr("the settings name the topics nobodys.*"));
}

}  // namespace
}  // namespace footfall
