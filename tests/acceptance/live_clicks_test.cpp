// The live chart of clicks, as those who look at it meet it.

#include "test_support/live_stream.h"
#include "test_support/running_server.h"
#include "test_support/tested_store.h"

#include <boost/json/array.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace footfall {
namespace {

using http_server::Method;
using testing::HasSubstr;
using testing::StartsWith;
using namespace test_support;

class LiveClicks : public RunningServer {
protected:
    /// A click of somebody new.
    void click(std::string_view ad, std::string_view reseller) {
        api_.post_events(fmt::format(
            R"({{"action":"click","object":"/{}","actor":"u{}","ad":"{}","reseller":"{}"}})",
            ad,
            ++actors_,
            ad,
            reseller
        ));
    }

    int actors_ = 0;
};

/// By the history and by the seconds after it.
std::uint64_t counted(const std::string& text) {
    std::uint64_t total = sum(LiveStream::events(text, "second"), "counted");
    for (const boost::json::object& history : LiveStream::events(text, "history")) {
        for (const auto& each : history.at("seconds").as_array()) {
            total += each.as_array().at(1).to_number<std::uint64_t>();
        }
    }
    return total;
}

std::function<bool(const std::string&)> has_counted(std::uint64_t clicks) {
    return [=](const std::string& text) { return counted(text) >= clicks; };
}

bool has_history(const std::string& text) {
    return !LiveStream::events(text, "history").empty();
}

TEST_F(LiveClicks, begin_with_hello_and_history_and_tell_every_second) {
    LiveStream stream{server_, "/api/v1/live/clicks"};
    const std::string text = stream.read_until([](const std::string& all) {
        return LiveStream::events(all, "second").size() >= 2;
    });
    EXPECT_THAT(text, StartsWith("HTTP/1.1 200 OK\r\n"));
    EXPECT_THAT(text, HasSubstr("\r\nContent-Type: text/event-stream\r\n"));
    EXPECT_THAT(text, HasSubstr("\r\nCache-Control: no-store\r\n"));
    EXPECT_EQ(LiveStream::events(text, "hello").size(), 1U);
    ASSERT_EQ(LiveStream::events(text, "history").size(), 1U);
    EXPECT_TRUE(LiveStream::events(text, "history")[0].at("seconds").as_array().empty());
    const auto seconds = LiveStream::events(text, "second");
    EXPECT_EQ(seconds[1].at("time").as_int64(), seconds[0].at("time").as_int64() + 1);
    EXPECT_EQ(counted(text), 0U);
}

TEST_F(LiveClicks, are_told_of_all_of_an_ad_and_of_a_reseller_once_each_second_is_over) {
    LiveStream all{server_, "/api/v1/live/clicks"};
    LiveStream of_ad{server_, "/api/v1/live/clicks?ad=spring%201"};
    LiveStream of_reseller{server_, "/api/v1/live/clicks?reseller=r2"};
    LiveStream of_both{server_, "/api/v1/live/clicks?ad=spring%201&reseller=r2"};
    for (LiveStream* const each : {&all, &of_ad, &of_reseller, &of_both}) {
        ASSERT_TRUE(has_history(each->read_until(has_history)));
    }
    for (int round = 0; round < 3; ++round) {
        click("spring 1", "r1");
        click("autumn", "r2");
    }
    click("spring 1", "r2");
    api_.post_events(R"({"action":"view","object":"/page","actor":"u"})");
    api_.post_events(R"({"action":"sale","object":"/spring 1","actor":"u","ad":"spring 1"})");
    const std::string text = all.read_until(has_counted(7));
    const auto told = LiveStream::events(text, "second").size();
    EXPECT_EQ(counted(text), 7U);
    // Whatever came is told with the second in which it did: so the others have theirs, too.
    const auto as_far = [&](const std::string& others) {
        return LiveStream::events(others, "second").size() > told;
    };
    EXPECT_EQ(counted(of_ad.read_until(as_far)), 4U);
    EXPECT_EQ(counted(of_reseller.read_until(as_far)), 4U);
    EXPECT_EQ(counted(of_both.read_until(as_far)), 1U);
    EXPECT_EQ(counted(all.read_until(as_far)), 7U);
}

TEST_F(LiveClicks, that_came_before_are_in_the_history) {
    click("a", "r1");
    click("a", "r2");
    const std::string first = LiveStream{server_, "/api/v1/live/clicks"}.read_until(has_counted(2));
    EXPECT_EQ(counted(first), 2U);
    LiveStream later{server_, "/api/v1/live/clicks?reseller=r2"};
    const std::string text = later.read_until(has_history);
    EXPECT_EQ(counted(text), 1U) << text;
    EXPECT_TRUE(LiveStream::events(text, "second").empty());
}

/// They come again out of the log where their rows were not written.
TEST_F(LiveClicks, are_not_live_when_a_start_reads_them_again) {
    click("a", "r1");
    server_.kill();
    server_.restart();
    LiveStream stream{server_, "/api/v1/live/clicks"};
    ASSERT_TRUE(has_history(stream.read_until(has_history)));
    Api{server_}.post_events(R"({"action":"click","object":"/a","actor":"n","reseller":"r"})");
    EXPECT_EQ(counted(stream.read_until(has_counted(1))), 1U);
}

TEST_F(LiveClicks, refuse_what_they_do_not_know) {
    const auto ask = [&](const std::string& query) {
        return api_.send(Method::get, "/api/v1/live/clicks" + query, {}, true);
    };
    expect_problem(ask("?publisher=p"), 400, "invalid-input", "publisher");
    expect_problem(ask("?ad="), 400, "invalid-input", "ad");
    expect_problem(ask("?ad=%ff"), 400, "invalid-input", "ad");
    expect_problem(ask("?reseller="), 400, "invalid-input", "reseller");
}

std::string key_of(const http_server::ClientResponse& made) {
    return std::string{parse_object(made.body).at("key").as_string()};
}

/// Of one reseller whoever has its key sees the clicks, and nobody else's.
TEST_F(LiveClicks, are_shown_to_the_reseller_whose_they_are) {
    const std::string keys = "/api/v1/keys";
    const std::string admin =
        key_of(api_.send(Method::post, keys, R"({"name":"ops","scopes":["admin","write"]})", true));
    const auto send = [&](Method method,
                          const std::string& target,
                          std::string_view key,
                          std::string_view body) {
        http_server::Client client = server_.client();
        return must(client.send(
            method,
            target,
            body,
            {{"Authorization", fmt::format("Bearer {}", key)}, {"Content-Type", "application/json"}}
        ));
    };
    const std::string partner =
        key_of(send(Method::post, keys, admin, R"({"name":"partner","reseller":"r1"})"));
    LiveStream own{
        server_,
        "/api/v1/live/clicks?reseller=r1",
        fmt::format("Authorization: Bearer {}\r\n", partner)
    };
    ASSERT_TRUE(has_history(own.read_until(has_history)));
    for (const char* const reseller : {"r1", "r2"}) {
        const auto sent = send(
            Method::post,
            "/api/v1/events",
            admin,
            fmt::format(
                R"({{"action":"click","object":"/a","actor":"{}","reseller":"{}"}})",
                reseller,
                reseller
            )
        );
        ASSERT_EQ(sent.status, 200) << sent.body;
    }
    EXPECT_EQ(counted(own.read_until(has_counted(1))), 1U);
    const auto refused = [&](const std::string& query) {
        return send(Method::get, "/api/v1/live/clicks" + query, partner, {}).status;
    };
    EXPECT_EQ(refused("?reseller=r2"), 404);
    EXPECT_EQ(refused(""), 403);
    EXPECT_EQ(refused("?ad=a"), 403);
    EXPECT_EQ(send(Method::del, keys + "/partner", admin, {}).status, 200);
    EXPECT_TRUE((own.connection().receive_all(), own.connection().closed_by_peer()))
        << "a key that is revoked ends its streams";
}

}  // namespace
}  // namespace footfall
