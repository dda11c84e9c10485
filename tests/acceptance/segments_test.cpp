// Segments asked of the real program: members are ids, people are the profiles that they are in
// now, so what is said of profiles moves every number, and what was answered is there after a kill.
#include "segments_server.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace footfall {
namespace {

using http_server::Method;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::SizeIs;
using testing::UnorderedElementsAre;
using namespace test_support;

class Segments : public SegmentsServer {
protected:
    bool is_person_in(const std::string& name, const std::string& id) {
        return membership(name, id).at("person").as_bool();
    }

    boost::json::object membership(const std::string& name, const std::string& id) {
        const auto colon = id.find(':');
        return api_.get_json(segment_path(
            name, fmt::format("/members/{}/id/{}", id.substr(0, colon), id.substr(colon + 1))
        ));
    }

    std::vector<std::string> listed(const std::string& query = {}) {
        std::vector<std::string> names;
        for (const auto& each :
             api_.get_json("/api/v1/segments" + query).at("segments").as_array()) {
            names.push_back(fmt::format(
                "{} {}",
                std::string_view{each.at("name").as_string()},
                each.at("people").to_number<int>()
            ));
        }
        return names;
    }
};

TEST_F(Segments, count_people_and_follow_their_profiles) {
    EXPECT_EQ(add("spring", member_lines({"www:w1", "shop:c1", "www:w2"})).at("accepted"), 3);
    expect_size("spring", 3);
    match({"www:w1", "shop:c1"});
    expect_size("spring", 2);
    EXPECT_TRUE(is_person_in("spring", "shop:c1"));
    match({"shop:c1", "app:a1"});
    EXPECT_TRUE(is_person_in("spring", "app:a1")) << "by another id of the profile";
    EXPECT_FALSE(membership("spring", "app:a1").at("member").as_bool());
    EXPECT_TRUE(membership("spring", "www:w1").at("member").as_bool());
    EXPECT_FALSE(is_person_in("spring", "www:w9"));
    ASSERT_EQ(
        detach(sid("www:w1"), fmt::format(R"({{"ids":{}}})", ids_json({"www:w1"}))).status, 200
    );
    expect_size("spring", 3);
    remove("spring", member_lines({"www:w2", "www:never"}));
    expect_size("spring", 2);
}

TEST_F(Segments, are_counted_together) {
    add("a", member_lines({"www:w1", "www:w2", "www:w3"}));
    add("b", member_lines({"shop:c2", "shop:c3", "shop:c4"}));
    add("c", member_lines({"www:w3"}));
    match({"www:w2", "shop:c2"});
    match({"www:w3", "shop:c3"});
    expect_count(R"({"all":["a","b"]})", 2);
    expect_count(R"({"any":["a","b"]})", 4);
    expect_count(R"({"all":["a"],"none":["b"]})", 1);
    expect_count(R"({"all":["a","b"],"none":["c"]})", 1);
    expect_count(R"({"all":["a"],"any":["b","c"]})", 2);
    const auto answer =
        api_.send(Method::post, "/api/v1/segments/overlap", R"({"segments":["c","a","b"]})");
    EXPECT_EQ(answer.status, 200);
    EXPECT_THAT(
        answer.body,
        HasSubstr(R"({"sizes":{"c":1,"a":3,"b":3},"overlap":[)"
                  R"({"segments":["c","a"],"count":1,"exact":true,"error":0,"low":1,"high":1},)"
                  R"({"segments":["c","b"],"count":1,"exact":true,"error":0,"low":1,"high":1},)"
                  R"({"segments":["a","b"],"count":2,"exact":true,"error":0,"low":2,"high":2}],)")
    );
    http_server::Client client = server_.client();
    const auto table = must(client.send(
        Method::post,
        "/api/v1/segments/overlap",
        R"({"segments":["c","a","b"]})",
        {{"Accept", "text/csv"}}
    ));
    EXPECT_EQ(
        table.body,
        "first,second,first_people,second_people,count,exact,error,low,high\r\n"
        "c,a,1,3,1,true,0,1,1\r\nc,b,1,3,1,true,0,1,1\r\na,b,3,3,2,true,0,2,2\r\n"
    );
}

TEST_F(Segments, members_end) {
    add("spring", member_line("www:w1", R"(,"ttl":2)") + member_line("www:w2"));
    EXPECT_TRUE(is_person_in("spring", "www:w1"));
    expect_size("spring", 1);
    EXPECT_FALSE(is_person_in("spring", "www:w1"));
    add("spring", member_line("www:w2", R"(,"ttl":1)"));
    expect_size("spring", 0);
    EXPECT_THAT(changes_of("spring"), IsSupersetOf({"joined www:w2", "left www:w2"}));
}

TEST_F(Segments, tell_who_joined_and_who_left) {
    add("spring", member_lines({"www:w1"}));
    expect_size("spring", 1);
    EXPECT_THAT(changes_of("spring"), ElementsAre("joined www:w1"));
    match({"www:w1", "shop:c1"});
    ASSERT_TRUE(eventually([&] { return changes_of("spring").size() == 2; }));
    EXPECT_THAT(changes_of("spring"), ElementsAre("joined www:w1", "joined shop:c1"))
        << "an id whose profile is in it is told, too, and the other one is not told again";
    EXPECT_THAT(changes_of("spring", "?network=shop"), ElementsAre("joined shop:c1"));
    EXPECT_THAT(changes_of("spring", "?after=2"), IsEmpty());
    remove("spring", member_lines({"www:w1"}));
    ASSERT_TRUE(eventually([&] { return changes_of("spring").size() == 4; }));
    EXPECT_THAT(
        changes_of("spring", "?after=2"), UnorderedElementsAre("left www:w1", "left shop:c1")
    );
    const auto page = api_.get_json(segment_path("spring", "/changes?limit=3"));
    EXPECT_THAT(page.at("changes").as_array(), SizeIs(3));
    EXPECT_EQ(page.at("next").to_number<int>(), 3);
    EXPECT_TRUE(page.at("more").as_bool());
}

TEST_F(Segments, are_listed_and_taken_away) {
    for (const char* const name : {"b", "a2", "a1"}) {
        add(name, member_lines({"www:w1"}));
        expect_size(name, 1);
    }
    EXPECT_THAT(listed(), ElementsAre("a1 1", "a2 1", "b 1"));
    EXPECT_THAT(listed("?prefix=a"), ElementsAre("a1 1", "a2 1"));
    const auto page = api_.get_json("/api/v1/segments?limit=2");
    ASSERT_TRUE(page.at("next").is_string());
    EXPECT_THAT(
        listed("?limit=2&cursor=" + http_server::percent_encode(page.at("next").as_string())),
        ElementsAre("b 1")
    );
    EXPECT_EQ(api_.send(Method::del, segment_path("a1")).status, 204);
    EXPECT_THAT(listed(), ElementsAre("a2 1", "b 1"));
    expect_problem(api_.send(Method::get, segment_path("a1")), 404, "not-found", "segment");
    add("a1", member_lines({"www:w7"}));
    EXPECT_FALSE(is_person_in("a1", "www:w1")) << "it has nothing of the one before";
    expect_size("a1", 1);
}

/// What comes out can go in again.
TEST_F(Segments, members_come_out_as_they_went_in) {
    std::string lines;
    for (int number = 0; number < 2500; ++number) {
        lines +=
            member_line(fmt::format("www:w{}", number), number % 2 == 0 ? R"(,"ttl":86400)" : "");
    }
    add("spring", lines);
    std::string exported;
    std::size_t with_end = 0;
    for (std::string cursor;;) {
        const auto page = api_.get_json(segment_path(
            "spring", "/members?limit=1000&cursor=" + http_server::percent_encode(cursor)
        ));
        for (const auto& each : page.at("members").as_array()) {
            exported += boost::json::serialize(each) + "\n";
            with_end += each.as_object().contains("ttl") ? 1 : 0;
        }
        if (page.at("next").is_null()) {
            break;
        }
        cursor = page.at("next").as_string();
    }
    EXPECT_EQ(with_end, 1250);
    const auto again = add("copy", exported);
    EXPECT_EQ(again.at("accepted"), 2500);
    EXPECT_THAT(again.at("rejected").as_array(), IsEmpty());
    add("spring", member_line("www:w0"));
    expect_size("copy", 2500);
    expect_count(R"({"all":["spring","copy"]})", 2500);
}

TEST_F(Segments, take_packed_lines) {
    const CommandResult packed = run_command(
        {.words = {"gzip", "-c"}, .input = member_lines({"www:w1", "www:w2"}) + "no JSON\n"}
    );
    http_server::Client client = server_.client();
    const auto answer = must(client.send(
        Method::post,
        segment_path("spring", "/members"),
        packed.output,
        {{"Content-Type", "application/x-ndjson"}, {"Content-Encoding", "gzip"}}
    ));
    EXPECT_EQ(answer.status, 200) << answer.body;
    EXPECT_THAT(answer.body, HasSubstr(R"({"accepted":2,"rejected":[{"line":3,)"));
    expect_size("spring", 2);
}

TEST_F(Segments, of_odd_names_are_segments) {
    const std::string name = "%22%C3%BC%2F%20count";
    add(name, member_lines({"www:w1"}));
    expect_size(name, 1);
    EXPECT_THAT(listed(), ElementsAre("\"ü/ count 1"));
    add("count", member_lines({"www:w1", "www:w2"}));
    expect_size("count", 2);
}

TEST_F(Segments, are_there_after_a_kill) {
    add("spring", member_lines({"www:w1", "shop:c1", "www:w2"}));
    match({"www:w1", "shop:c1"});
    server_.kill();
    server_.restart();
    api_ = Api{server_};
    expect_size("spring", 2);
    EXPECT_THAT(
        changes_of("spring"), IsSupersetOf({"joined www:w1", "joined shop:c1", "joined www:w2"})
    );
    EXPECT_EQ(api_.metric("footfall_segments_people"), 2);
    EXPECT_TRUE(api_.has_metric("footfall_segments_bytes"));
    EXPECT_TRUE(api_.has_metric("footfall_segments_waiting"));
}

}  // namespace
}  // namespace footfall
