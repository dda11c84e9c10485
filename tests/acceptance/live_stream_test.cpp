#include "test_support/live_stream.h"

#include "test_support/running_server.h"

#include <boost/json/array.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace footfall {
namespace {

using boost::json::object;
using testing::HasSubstr;
using testing::StartsWith;
using namespace test_support;

class LiveCounters : public RunningServer {};

TEST_F(LiveCounters, begin_with_hello_and_history) {
    LiveStream stream{server_};
    const std::string text = stream.read_until([](const std::string& all) {
        return LiveStream::events(all, "history").size() == 1;
    });
    EXPECT_THAT(text, StartsWith("HTTP/1.1 200 OK\r\n"));
    EXPECT_THAT(text, HasSubstr("\r\nContent-Type: text/event-stream\r\n"));
    EXPECT_THAT(text, HasSubstr("\r\nCache-Control: no-store\r\n"));
    const auto hello = LiveStream::events(text, "hello");
    ASSERT_EQ(hello.size(), 1U) << text;
    EXPECT_EQ(hello[0].at("mode").as_string(), "serve");
    EXPECT_THAT(std::string{hello[0].at("serve_command").as_string()}, HasSubstr("footfall serve"));
    EXPECT_TRUE(hello[0].at("takes_events").as_bool());
    for (const char* field : {"version", "started"}) {
        EXPECT_NE(hello[0].at(field).as_string(), "") << field;
    }
}

TEST_F(LiveCounters, seconds_add_up_to_exactly_the_puts_made_each_second_once) {
    LiveStream stream{server_};
    ASSERT_THAT(
        stream.read_until([](const std::string& all) {
            return !LiveStream::events(all, "second").empty();
        }),
        HasSubstr("event: second")
    );
    std::uint64_t put = 0;
    for (int round = 0; round < 3; ++round) {
        for (int token = 0; token < 40; ++token, ++put) {
            api_.put(fmt::format("o{}", token % 4), fmt::format("{} {}", round, token / 2 * 2));
        }
        api_.post_lines("{\"object\":\"o0\",\"token\":\"x\"}\n{\"object\":\"o1\",\"token\":\"x\"}\n"
        );
        put += 2;
        const std::size_t seen =
            LiveStream::events(stream.read_until([](const std::string&) { return true; }), "second")
                .size();
        stream.read_until([&](const std::string& all) {
            return LiveStream::events(all, "second").size() > seen;
        });
    }
    const auto added = api_.metric("footfall_tokens_added_total");
    const std::string text = stream.read_until([&](const std::string& all) {
        return sum(LiveStream::events(all, "second"), "put") >= put;
    });
    const auto seconds = LiveStream::events(text, "second");
    EXPECT_EQ(sum(seconds, "put"), put);
    EXPECT_EQ(sum(seconds, "new"), added);
    for (std::size_t index = 1; index < seconds.size(); ++index) {
        EXPECT_EQ(
            seconds[index].at("time").as_int64(), seconds[index - 1].at("time").as_int64() + 1
        );
    }
    EXPECT_EQ(api_.metric("footfall_tokens_put_total"), put);
}

TEST_F(LiveCounters, history_holds_what_was_put_before_and_the_stream_does_not_repeat_it) {
    for (int token = 0; token < 25; ++token) {
        api_.put("a", std::to_string(token));
    }
    // Each second is told once, by the history or by the stream, wherever the connection falls.
    LiveStream stream{server_};
    const auto told = [](const std::string& all) {
        std::uint64_t total = sum(LiveStream::events(all, "second"), "put");
        for (const object& history : LiveStream::events(all, "history")) {
            for (const auto& each : history.at("seconds").as_array()) {
                total += each.as_array().at(1).to_number<std::uint64_t>();
            }
        }
        return total;
    };
    const std::string text = stream.read_until([&](const std::string& all) {
        return told(all) >= 25 && LiveStream::events(all, "second").size() >= 3;
    });
    EXPECT_EQ(told(text), 25U) << text;
}

/// Three tokens are known of each object, and that there is a fourth; of more nobody knows.
TEST(LiveCountersAboveALimit, tell_new_and_unsure_apart_from_what_was_counted_already) {
    const TemporaryDirectory directory;
    const std::string config =
        directory.write("footfall.toml", "[[counter]]\nname = \"default\"\nlimit = 3\n");
    FootfallProcess server{directory / "data", {"--config", config}};
    Api api{server};
    LiveStream stream{server};
    constexpr std::uint64_t fresh = 4;
    constexpr std::uint64_t unsure = 6;
    constexpr std::uint64_t already = 2;
    for (std::uint64_t token = 0; token < fresh + unsure; ++token) {
        api.put("a", std::to_string(token));
    }
    for (std::uint64_t token = 0; token < already; ++token) {
        api.put("a", std::to_string(token));
    }
    const std::string text = stream.read_until([](const std::string& all) {
        return sum(LiveStream::events(all, "second"), "put") >= fresh + unsure + already;
    });
    const auto seconds = LiveStream::events(text, "second");
    EXPECT_EQ(sum(seconds, "put"), fresh + unsure + already);
    EXPECT_EQ(sum(seconds, "new"), fresh);
    EXPECT_EQ(sum(seconds, "unsure"), unsure);

    // The history that a later reader gets first says the same.
    LiveStream later{server};
    const auto history = LiveStream::events(
        later.read_until([](const std::string& all) {
            return LiveStream::events(all, "history").size() == 1;
        }),
        "history"
    );
    std::vector<std::uint64_t> told(3);
    for (const auto& each : history.at(0).at("seconds").as_array()) {
        for (std::size_t figure = 0; figure < told.size(); ++figure) {
            told[figure] += each.as_array().at(figure + 1).to_number<std::uint64_t>();
        }
    }
    EXPECT_THAT(told, testing::ElementsAre(fresh + unsure + already, fresh, unsure));
}

TEST_F(LiveCounters, the_largest_are_told_within_seconds) {
    LiveStream stream{server_};
    api_.put("small", "1");
    for (int token = 0; token < 12; ++token) {
        api_.put("large", std::to_string(token));
    }
    const auto is_large = [](const object& largest) {
        const auto& counters = largest.at("counters").as_array();
        return counters.size() == 2 && counters[0].at("object").as_string() == "large" &&
               counters[0].at("count").to_number<int>() == 12;
    };
    const std::string text = stream.read_until([&](const std::string& all) {
        const auto largest = LiveStream::events(all, "largest");
        return !largest.empty() && is_large(largest.back());
    });
    const auto largest = LiveStream::events(text, "largest");
    ASSERT_FALSE(largest.empty()) << text;
    EXPECT_TRUE(is_large(largest.back())) << text;
    EXPECT_EQ(largest.back().at("counter").as_string(), "default");
    EXPECT_TRUE(largest.back().at("complete").as_bool());
}

TEST_F(LiveCounters, a_reader_that_leaves_harms_nobody) {
    {
        const LiveStream gone{server_};
    }
    LiveStream stays{server_};
    api_.put("a", "t");
    EXPECT_EQ(
        sum(LiveStream::events(
                stays.read_until([](const std::string& all) {
                    return sum(LiveStream::events(all, "second"), "put") == 1;
                }),
                "second"
            ),
            "put"),
        1U
    );
}

std::function<bool(const std::string&)> has(std::string_view event, std::size_t times) {
    return [=](const std::string& all) { return LiveStream::events(all, event).size() >= times; };
}

/// Of 300 who watch one object everybody gets the report of each second, or is told that it was
/// left out: many at once once got a third of them, silently.
TEST(LiveViewsOfOneObject, reach_all_who_watch_it_second_by_second) {
    const TemporaryDirectory directory;
    const FootfallProcess server{directory / "data", {"--threads", "1"}};
    Api api{server};
    std::vector<std::unique_ptr<LiveStream>> streams;
    streams.reserve(300);
    for (int client = 0; client < 300; ++client) {
        streams.push_back(
            std::make_unique<LiveStream>(server, "/api/v1/live/views?object=busy&action=view")
        );
    }
    std::vector<std::size_t> seconds_before;
    for (const auto& stream : streams) {
        const std::string text = stream->read_until(has("report", 1));
        ASSERT_THAT(text, HasSubstr("event: report\n"));
        seconds_before.push_back(LiveStream::events(text, "second").size());
    }
    constexpr std::size_t rounds = 6;
    for (std::size_t round = 0; round < rounds; ++round) {
        api.post_events(R"({"action":"view","object":"busy"})");
        streams[0]->read_until(has("second", seconds_before[0] + round + 1));
    }
    std::size_t fewest = rounds;
    for (std::size_t at = 0; at < streams.size(); ++at) {
        // One second more: the report of the last comes after its "second".
        const std::string text =
            streams[at]->read_until(has("second", seconds_before[at] + rounds + 1));
        const std::size_t reports = LiveStream::events(text, "report").size() - 1;
        fewest = std::min(fewest, reports + sum(LiveStream::events(text, "left_out"), "reports"));
    }
    EXPECT_GE(fewest, rounds - 1) << "of " << rounds;
}

}  // namespace
}  // namespace footfall
