#include "test_support/eventually.h"
#include "test_support/running_server.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

namespace footfall {
namespace {

using http_server::Method;
using testing::ElementsAre;
using namespace test_support;

class CounterListing : public RunningServer {
protected:
    /// Object number n gets n tokens.
    void put_objects(int objects) {
        std::string lines;
        for (int object = 1; object <= objects; ++object) {
            for (int token = 0; token < object; ++token) {
                lines += fmt::format(
                    "{{\"object\":\"object {:03}\",\"token\":\"{}\"}}\n", object, token
                );
            }
        }
        api_.post_lines(lines);
    }

    static std::vector<std::string> names(const boost::json::object& page) {
        std::vector<std::string> found;
        for (const auto& each : page.at("counters").as_array()) {
            found.emplace_back(each.at("object").as_string());
        }
        return found;
    }
};

TEST_F(CounterListing, shows_every_object_with_its_count) {
    put_objects(3);
    EXPECT_EQ(
        boost::json::serialize(api_.get_json("/api/v1/counters?sort=name")),
        R"({"counters":[{"object":"object 001","count":1,"exact":true,"at_least":false},)"
        R"({"object":"object 002","count":2,"exact":true,"at_least":false},)"
        R"({"object":"object 003","count":3,"exact":true,"at_least":false}],"next":null})"
    );
}

TEST_F(CounterListing, goes_through_all_by_name_with_a_cursor) {
    put_objects(120);
    std::vector<std::string> all;
    std::string cursor;
    int pages = 0;
    do {
        const auto page = api_.get_json(
            "/api/v1/counters?sort=name&limit=50&cursor=" + http_server::percent_encode(cursor)
        );
        std::ranges::copy(names(page), std::back_inserter(all));
        cursor =
            page.at("next").is_null() ? std::string{} : std::string{page.at("next").as_string()};
        ++pages;
    } while (!cursor.empty() && pages < 10);
    EXPECT_EQ(pages, 3);
    ASSERT_EQ(all.size(), 120U);
    EXPECT_TRUE(std::ranges::is_sorted(all));
    EXPECT_EQ(all.front(), "object 001");
    EXPECT_EQ(all.back(), "object 120");
}

/// Of objects without tokens there are rows for a while. However many there are, a page ends soon,
/// and says where to go on.
TEST_F(CounterListing, goes_on_behind_objects_whose_tokens_have_expired) {
    constexpr int objects = 5000;
    std::string lines;
    for (int object = 0; object < objects; ++object) {
        lines += fmt::format("{{\"object\":\"brief {:04}\",\"token\":\"t\",\"ttl\":1}}\n", object);
    }
    api_.post_lines(lines);
    api_.put("lasting", "t");
    const std::string last = fmt::format("brief {:04}", objects - 1);
    ASSERT_TRUE(eventually([&] { return api_.count(last) == 0; }));
    std::vector<std::string> all;
    std::string cursor;
    int pages = 0;
    do {
        const auto page =
            api_.get_json("/api/v1/counters?cursor=" + http_server::percent_encode(cursor));
        std::ranges::copy(names(page), std::back_inserter(all));
        const auto& next = page.at("next");
        ASSERT_TRUE(next.is_null() || std::string{next.as_string()} > cursor);
        cursor = next.is_null() ? std::string{} : std::string{next.as_string()};
        ++pages;
    } while (!cursor.empty());
    EXPECT_EQ(pages, 3) << "of 2,000 rows at most";
    EXPECT_THAT(all, ElementsAre("lasting"));
}

TEST_F(CounterListing, shows_100_by_default_and_up_to_1000) {
    put_objects(120);
    EXPECT_EQ(names(api_.get_json("/api/v1/counters")).size(), 100U);
    EXPECT_EQ(names(api_.get_json("/api/v1/counters?limit=1000")).size(), 120U);
    for (const char* limit : {"0", "1001", "-1", "x", ""}) {
        SCOPED_TRACE(limit);
        const auto answer = api_.send(Method::get, std::string{"/api/v1/counters?limit="} + limit);
        EXPECT_EQ(answer.status, 400);
        EXPECT_EQ(answer.content_type, "application/problem+json");
    }
}

TEST_F(CounterListing, by_count_begins_with_the_largest) {
    put_objects(120);
    const auto page = api_.get_json("/api/v1/counters?sort=count&limit=3");
    EXPECT_THAT(names(page), ElementsAre("object 120", "object 119", "object 118"));
    EXPECT_TRUE(page.at("next").is_null());
    const auto all = names(api_.get_json("/api/v1/counters?sort=count&limit=1000"));
    EXPECT_EQ(all.size(), 120U);
    EXPECT_TRUE(std::ranges::is_sorted(all, std::ranges::greater{}));
}

TEST_F(CounterListing, refuses_what_it_does_not_know) {
    const struct {
        const char* query;
        int status;
    } cases[] = {
        {"sort=size", 400},
        {"sort=count&cursor=a", 400},
        {"cursor=%ff", 400},
        {"counter=%ff", 400},
        {"counter=other", 404},
    };

    for (const auto& [query, status] : cases) {
        SCOPED_TRACE(query);
        const auto answer = api_.send(Method::get, std::string{"/api/v1/counters?"} + query);
        EXPECT_EQ(answer.status, status) << answer.body;
        EXPECT_EQ(answer.content_type, "application/problem+json");
    }
}

TEST_F(CounterListing, is_the_same_after_a_kill) {
    put_objects(120);
    const auto by_name = api_.get_json("/api/v1/counters?limit=1000");
    const auto by_count = api_.get_json("/api/v1/counters?sort=count&limit=1000");
    server_.kill();
    server_.restart();
    Api after{server_};
    EXPECT_EQ(after.get_json("/api/v1/counters?limit=1000"), by_name);
    EXPECT_EQ(after.get_json("/api/v1/counters?sort=count&limit=1000"), by_count);
}

}  // namespace
}  // namespace footfall
