// Judged events as other programs read them, on a real cluster (./test cluster): by a plain client
// of librdkafka.

#include "foundation_testing/temporary_directory.h"
#include "kafka_client.h"
#include "test_support/api.h"
#include "test_support/eventually.h"
#include "test_support/footfall_process.h"
#include "test_support/tested_store.h"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace footfall {
namespace {

using namespace test_support;

class PublishedTest : public testing::Test {
protected:
    std::string topic() const {
        const std::vector<std::string> words = store_words(directory_ / "data");
        return *(std::ranges::find(words, "--kafka-prefix") + 1) + "judged.json";
    }

    std::uint64_t published() { return Api{server_}.metric("footfall_events_published_total"); }

    /// Some views, each of an actor of its own.
    static std::string views(int round, int count) {
        std::string lines;
        for (int at = 0; at < count; ++at) {
            lines += fmt::format(
                R"({{"id":"e-{}-{}","action":"view","object":"post-{}","actor":"u{}-{}"}})"
                "\n",
                round,
                at,
                at % 11,
                round,
                at
            );
        }
        return lines;
    }

    TemporaryDirectory directory_;
    FootfallProcess server_{directory_ / "data", {"--judged-json", "on"}};
};

TEST_F(PublishedTest, each_judged_event_is_written_as_the_api_tells_it) {
    Api api{server_};
    api.post_events(
        R"({"id":"a","action":"view","object":"post","actor":"u","time":"2026-11-21T10:00:00Z"})"
        "\n"
        R"({"id":"b","action":"view","object":"post","actor":"u","time":"2026-11-21T10:00:01Z"})"
        "\n"
    );
    const std::vector<PlainRecord> records = read_all_of(topic(), 2);
    ASSERT_EQ(records.size(), 2U);
    for (const PlainRecord& record : records) {
        const boost::json::object event = parse_object(record.value);
        EXPECT_EQ(record.key, "post");
        EXPECT_EQ(record.headers.at("content-type"), "application/json");
        const std::string id{event.at("id").as_string()};
        EXPECT_EQ(record.value, boost::json::serialize(api.get_json("/api/v1/events/" + id)));
    }
    EXPECT_TRUE(parse_object(records[0].value).at("verdict").at("counted").as_bool());
    EXPECT_EQ(parse_object(records[1].value).at("verdict").at("reason").as_string(), "repeat_fast");
}

/// kill -9 at any moment: by the rule of docs/formats/judged_json.md a reader has each event once.
TEST_F(PublishedTest, a_reader_leaves_out_what_was_written_again) {
    constexpr int rounds = 3;
    constexpr int of_round = 2000;
    for (int round = 0; round < rounds; ++round) {
        Api{server_}.post_events(views(round, of_round));
        EXPECT_TRUE(eventually([&] { return published() > 100; }));
        server_.kill();
        server_.restart();
    }
    constexpr std::size_t all = std::size_t{rounds} * of_round;
    const std::vector<PlainRecord> records = read_all_of(topic(), all + all);  // and some repeats
    std::map<int, std::uint64_t> highest;
    std::set<std::string> ids;
    for (const PlainRecord& record : records) {
        const std::uint64_t source = std::stoull(record.headers.at("footfall-source"));
        const auto [seen, is_first] = highest.try_emplace(record.partition, source);
        if (!is_first && source <= seen->second) {
            continue;
        }
        seen->second = source;
        const auto id = std::string{parse_object(record.value).at("id").as_string()};
        EXPECT_TRUE(ids.insert(id).second) << id << " came twice";
    }
    EXPECT_EQ(ids.size(), all);
    fmt::print("{} records of {} events\n", records.size(), ids.size());
}

}  // namespace
}  // namespace footfall
