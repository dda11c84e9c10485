// The changes of a segment as they come, as a stream of server-sent events.
#include "segments_server.h"
#include "test_support/live_stream.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

namespace footfall {
namespace {

using http_server::Method;
using testing::ElementsAre;
using testing::HasSubstr;
using namespace test_support;

const std::string live_spring = "/api/v1/live/segments/spring";

class LiveChanges : public SegmentsServer {
protected:
    /// "3 left www:w1" of each change.
    static std::vector<std::string> told(const std::string& text) {
        std::vector<std::string> changes;
        for (const boost::json::object& each : LiveStream::events(text, "change")) {
            changes.push_back(fmt::format(
                "{} {} {}:{}",
                each.at("number").to_number<std::uint64_t>(),
                std::string_view{each.at("change").as_string()},
                std::string_view{each.at("identifier").as_string()},
                std::string_view{each.at("id_value").as_string()}
            ));
        }
        return changes;
    }

    static std::string read(LiveStream& stream, std::size_t changes) {
        return stream.read_until([=](const std::string& text) {
            return told(text).size() >= changes;
        });
    }

    /// The id of the last change that came.
    static std::string last_id(const std::string& text) {
        return std::string{LiveStream::events(text, "change").back().at("id").as_string()};
    }

    static std::string back_behind(const std::string& id) {
        return "Last-Event-ID: " + id + "\r\n";
    }
};

TEST_F(LiveChanges, come_from_a_number_on_and_as_they_happen) {
    add("spring", member_lines({"www:w1"}));
    expect_size("spring", 1);
    LiveStream stream{server_, live_spring};
    const std::string first = read(stream, 1);
    EXPECT_THAT(first, HasSubstr("\r\nContent-Type: text/event-stream\r\n"));
    EXPECT_THAT(first, HasSubstr("retry: 1000\nevent: hello\n"));
    add("spring", member_lines({"shop:c1"}));
    match({"shop:c1", "www:w2"});
    remove("spring", member_line("www:w1"));
    EXPECT_THAT(
        told(read(stream, 4)),
        ElementsAre("1 joined www:w1", "2 joined shop:c1", testing::_, testing::_)
    );
    LiveStream later{server_, live_spring + "?after=1&network=shop"};
    EXPECT_THAT(told(read(later, 1)), ElementsAre("2 joined shop:c1"));
}

TEST_F(LiveChanges, go_on_where_a_connection_broke_also_after_a_kill) {
    add("spring", member_lines({"www:w1", "www:w2", "www:w3"}));
    std::string id;
    {
        LiveStream stream{server_, live_spring};
        id = last_id(read(stream, 3));
    }
    server_.kill();
    server_.restart();
    remove("spring", member_line("www:w2"));
    LiveStream again{server_, live_spring + "?after=0", back_behind(id)};
    EXPECT_THAT(told(read(again, 1)), ElementsAre("4 left www:w2"));
}

TEST_F(LiveChanges, of_a_segment_that_is_dropped_end_and_begin_anew_with_the_next_one) {
    add("spring", member_lines({"www:w1"}));
    LiveStream stream{server_, live_spring};
    const std::string id = last_id(read(stream, 1));
    ASSERT_EQ(api_.send(Method::del, segment_path("spring")).status, 204);
    const std::string text =
        stream.read_until([](const std::string& all) { return all.contains("event: gone"); });
    EXPECT_THAT(text, HasSubstr("event: gone\ndata: {\"segment\":\"spring\"}\n\n"));
    EXPECT_EQ(api_.send(Method::get, live_spring).status, 404);
    add("spring", member_lines({"www:w2"}));
    LiveStream again{server_, live_spring, back_behind(id)};
    const std::string anew = read(again, 1);
    EXPECT_THAT(anew, HasSubstr("event: anew\n"));
    EXPECT_THAT(told(anew), ElementsAre("1 joined www:w2"));
}

TEST_F(LiveChanges, are_told_to_so_many_at_once_and_who_does_not_read_holds_nobody_up) {
    add("spring", member_lines({"www:w1"}));
    expect_size("spring", 1);
    std::vector<std::unique_ptr<LiveStream>> streams;
    while (streams.size() < 200) {
        streams.push_back(std::make_unique<LiveStream>(server_, live_spring));
        const std::string text = streams.back()->read_until([](const std::string& all) {
            return told(all).size() == 1 || all.contains(" 503 ");
        });
        // Where more look for what is new than may wait for a thread it is to come again.
        if (text.contains(" 503 ")) {
            streams.pop_back();
            continue;
        }
        ASSERT_THAT(told(text), ElementsAre("1 joined www:w1")) << streams.size();
    }
    expect_problem(api_.send(Method::get, live_spring), 503, "overloaded", "");
    add("spring", member_lines({"www:w2"}));
    EXPECT_EQ(told(read(*streams.front(), 2)).size(), 2);
    streams.clear();
    EXPECT_TRUE(eventually([&] {
        LiveStream next{server_, live_spring};
        const std::string text = next.read_until([](const std::string& all) {
            return told(all).size() == 2 || all.contains(" 503 ");
        });
        return told(text).size() == 2;
    }));
}

}  // namespace
}  // namespace footfall
