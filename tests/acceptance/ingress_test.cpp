// Events that other programs write to Kafka, on a real cluster (./test cluster): by a plain client
// of librdkafka, which knows nothing of us.

#include "kafka_client.h"
#include "test_support/eventually.h"
#include "test_support/running_server.h"
#include "test_support/tested_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

namespace footfall {
namespace {

using namespace test_support;

class IngressTest : public RunningServer {
protected:
    std::string topic(const std::string& name) const {
        const std::vector<std::string> words = store_words(directory_ / "data");
        return *(std::ranges::find(words, "--kafka-prefix") + 1) + name;
    }

    /// Waits until so many events of an object are counted.
    bool counted(const std::string& object, std::uint64_t events) {
        return eventually(
            [&] { return api_.views(object).at("events").to_number<std::uint64_t>() >= events; },
            std::chrono::seconds{30}
        );
    }

    std::uint64_t records(const std::string& outcome) {
        return api_.metric(fmt::format("footfall_ingress_records_total{{outcome=\"{}\"}}", outcome)
        );
    }
};

TEST_F(IngressTest, records_of_others_are_counted_and_what_is_none_goes_elsewhere) {
    PlainProducer producer;
    for (int at = 0; at < 500; ++at) {
        producer.send(
            topic("ingress"),
            fmt::format("key-{}", at),
            fmt::format(
                R"({{"time":"2026-11-21T10:00:00Z","action":"view","object":"page","actor":"u{}"}})",
                at
            )
        );
    }
    producer.send(
        topic("ingress"),
        "",
        R"({"specversion":"1.0","id":"7","source":"/shop","type":"org.example.view",)"
        R"("subject":"shop","data":{"actor":"u1"}})",
        {{"content-type", "application/cloudevents+json"}}
    );
    producer.send(topic("ingress"), "of bad", R"({"action":"view"})");
    producer.send(topic("ingress"), "", "no JSON");
    producer.flush();

    EXPECT_TRUE(counted("page", 500));
    EXPECT_TRUE(counted("shop", 1));
    EXPECT_EQ(api_.views("page").at("counted").to_number<int>(), 500);
    EXPECT_TRUE(eventually([&] { return records("rejected") == 2; }));
    EXPECT_EQ(records("accepted"), 501U);

    std::vector<PlainRecord> rejected = read_all_of(topic("events.dlq"), 2);
    ASSERT_EQ(rejected.size(), 2U);
    std::ranges::sort(rejected, {}, &PlainRecord::value);
    EXPECT_EQ(rejected[0].value, "no JSON");
    EXPECT_EQ(rejected[0].headers.at("footfall-problem"), "/problems/invalid-input");
    EXPECT_EQ(rejected[1].value, R"({"action":"view"})");
    EXPECT_EQ(rejected[1].key, "of bad");
    EXPECT_EQ(rejected[1].headers.at("footfall-detail"), "object is missing: what it was done to");
    EXPECT_EQ(rejected[1].headers.at("footfall-field"), "object");
    EXPECT_EQ(rejected[1].headers.at("footfall-topic"), topic("ingress"));
    EXPECT_NE(rejected[1].headers.at("footfall-partition"), "");
    EXPECT_NE(rejected[1].headers.at("footfall-offset"), "");
}

TEST_F(IngressTest, reads_that_name_their_actor_are_refused_unless_they_are_wanted) {
    const auto send = [&](const std::string& id) {
        PlainProducer producer;
        producer.send(
            topic("ingress"),
            "",
            fmt::format(
                R"({{"id":"{}","action":"read","object":"https://news.example/","actor":"ann"}})",
                id
            )
        );
        producer.flush();
    };
    send("first");
    EXPECT_TRUE(eventually([&] { return records("read_refused") == 1; }));
    EXPECT_EQ(records("accepted"), 0U);
    EXPECT_EQ(records("rejected"), 0U);
    const std::vector<PlainRecord> refused = read_all_of(topic("events.dlq"), 1);
    ASSERT_EQ(refused.size(), 1U);
    EXPECT_EQ(refused.front().value, "") << "nobody is named where it is told";
    EXPECT_EQ(refused.front().headers.at("footfall-value"), "left out, it says who read what");

    const auto said =
        api_.send(http_server::Method::put, "/api/v1/people/ann", R"({"reading":"shared"})");
    ASSERT_EQ(said.status, 200);
    ASSERT_EQ(server_.stop(), 0);
    server_.restart({"--reading-ingress", "on"});
    api_ = Api{server_};
    send("second");
    EXPECT_TRUE(eventually([&] { return records("accepted") == 1; }));
    const auto shared = [&] {
        const auto answer = api_.send(http_server::Method::get, "/api/v1/events/second");
        return answer.status == 200 && answer.body.contains(R"("shared":true)");
    };
    EXPECT_TRUE(eventually(shared, std::chrono::seconds{30}));
}

/// kill -9 between what was read and what was said to be done: without ids of their own, too,
/// events count once.
TEST_F(IngressTest, nothing_is_lost_or_counted_twice_when_the_collector_dies) {
    PlainProducer producer;
    constexpr int rounds = 4;
    constexpr int of_round = 3000;
    for (int round = 0; round < rounds; ++round) {
        const std::uint64_t some = records("accepted") + 200;
        for (int at = 0; at < of_round; ++at) {
            producer.send(
                topic("ingress"),
                "",
                fmt::format(
                    R"({{"action":"view","object":"o{}","actor":"u{}-{}"}})", at % 7, round, at
                )
            );
        }
        producer.flush();
        EXPECT_TRUE(eventually([&] { return records("accepted") >= some; }));
        server_.kill();
        server_.restart();
        api_ = Api{server_};
    }
    for (int object = 0; object < 7; ++object) {
        const int sent = rounds * ((of_round + 6 - object) / 7);
        const std::string name = fmt::format("o{}", object);
        EXPECT_TRUE(counted(name, static_cast<std::uint64_t>(sent)));
    }
    // All of `events` was judged: what came twice is known by now.
    EXPECT_TRUE(eventually([&] { return api_.metric("footfall_events_unstored") == 0; }));
    for (int object = 0; object < 7; ++object) {
        const int sent = rounds * ((of_round + 6 - object) / 7);
        const auto views = api_.views(fmt::format("o{}", object));
        EXPECT_EQ(views.at("events").to_number<int>(), sent);
        EXPECT_EQ(views.at("counted").to_number<int>(), sent);
    }
}

}  // namespace
}  // namespace footfall
