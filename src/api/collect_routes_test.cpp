#include "api/collect_routes.h"

#include "api/test_world.h"
#include "http_server/problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace footfall::api {
namespace {

using http_server::Method;
using http_server::Request;
using http_server::Response;
using runtime::Task;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

/// The routes, with all that they hand on.
class CollectRoutes : public testing::Test {
protected:
    CollectRoutes() {
        FrontDoor door{router_, world_.keeper};
        add_collect_routes(
            door,
            {.take = [this](http_server::Exchange& exchange, CollectedEvent collected)
                 -> std::optional<Task<>> {
                 if (store_is_full_) {
                     exchange.response() = http_server::problem(503, "overloaded", "full");
                 }
                 taken_.push_back(std::move(collected));
                 return std::nullopt;
             },
             .refuse = [](const Request& request) -> std::optional<Response> {
                 return request.known.host == "stranger" ? std::optional{Response{.status = 403}}
                                                         : std::nullopt;
             }},
            clock_
        );
    }

    Response answer(Request request) { return ask(router_, std::move(request)); }

    static Request get(std::string_view path, std::string_view query = {}) {
        Request request;
        request.method = Method::get;
        request.path = path;
        request.query = query;
        request.peer = "192.0.2.7";
        return request;
    }

    static Request post(std::string_view path, std::string_view body) {
        Request request = get(path);
        request.method = Method::post;
        request.body = body;
        return request;
    }

    static std::string header(const Response& response, std::string_view name) {
        for (const auto& [field, value] : response.headers) {
            if (field == name) {
                return value;
            }
        }
        return "";
    }

    ManualClock clock_{Instant{std::chrono::hours{24}}};
    KeyWorld world_;
    http_server::Router router_;
    std::vector<CollectedEvent> taken_;
    bool store_is_full_ = false;
};

TEST_F(CollectRoutes, the_script_is_small_and_keeps_nothing_in_the_browser) {
    const Response response = answer(get("/footfall.js"));
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.content_type, "text/javascript; charset=utf-8");
    EXPECT_LT(response.payload().size(), 2'048U);
    EXPECT_THAT(std::string{response.payload()}, HasSubstr("sendBeacon"));
    for (const char* word : {"cookie", "Storage", "indexedDB", "XMLHttpRequest"}) {
        EXPECT_THAT(std::string{response.payload()}, Not(HasSubstr(word)));
    }
    EXPECT_EQ(header(response, "Cross-Origin-Resource-Policy"), "cross-origin");

    Request again = get("/footfall.js");
    const std::string tag = header(response, "ETag");
    again.headers = {{"If-None-Match", tag}};
    EXPECT_EQ(answer(again).status, 304);
    EXPECT_THAT(taken_, SizeIs(0));
}

TEST_F(CollectRoutes, what_the_script_sends_is_taken) {
    const Response response = answer(post("/footfall", "object=%2Fa&action=view&referrer="));
    EXPECT_EQ(response.status, 204);
    EXPECT_EQ(header(response, "Cache-Control"), "no-store");
    ASSERT_THAT(taken_, SizeIs(1));
    EXPECT_EQ(taken_[0].event.object, "/a");
    EXPECT_EQ(taken_[0].event.time, clock_.now());
    EXPECT_EQ(taken_[0].event.address, "192.0.2.7");
}

TEST_F(CollectRoutes, a_body_that_is_packed_is_unpacked_or_refused) {
    // "object=a", by gzip.
    const std::string packed{
        "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\x4f\xca\x4a\x4d\x2e\xb1\x4d\x04"
        "\x00\xa2\x65\x4b\xa2\x08\x00\x00\x00",
        28
    };
    Request request = post("/footfall", packed);
    request.known.content_encoding = "gzip";
    EXPECT_EQ(answer(request).status, 204);
    ASSERT_THAT(taken_, SizeIs(1));
    EXPECT_EQ(taken_[0].event.object, "a");
    request.known.content_encoding = "br";
    EXPECT_EQ(answer(request).status, 415);
    EXPECT_THAT(taken_, SizeIs(1));
}

TEST_F(CollectRoutes, the_pixel_is_a_gif_of_43_bytes_that_no_cache_keeps) {
    const Response response = answer(get("/pixel.gif", "object=%2Fa&referrer=r"));
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.content_type, "image/gif");
    EXPECT_EQ(header(response, "Cache-Control"), "no-store");
    EXPECT_THAT(response.payload(), SizeIs(43));
    EXPECT_TRUE(response.payload().starts_with("GIF89a") && response.payload().ends_with(';'));
    ASSERT_THAT(taken_, SizeIs(1));
    EXPECT_EQ(taken_[0].event.referrer, "r");

    Request head = get("/pixel.gif", "object=%2Fa");
    head.method = Method::head;
    EXPECT_EQ(answer(head).status, 200);
    ASSERT_THAT(taken_, SizeIs(2));
    EXPECT_EQ(taken_[1].machine_sign, "HEAD");
}

TEST_F(CollectRoutes, what_is_no_event_and_who_may_not_come_in_are_refused) {
    EXPECT_EQ(answer(get("/pixel.gif")).status, 400);
    EXPECT_EQ(answer(post("/footfall", "{}")).status, 400);
    for (const char* path : {"/pixel.gif", "/footfall.js"}) {
        Request request = get(path, "object=a");
        request.known.host = "stranger";
        EXPECT_EQ(answer(request).status, 403);
    }
    Request request = post("/footfall", "object=a");
    request.known.host = "stranger";
    EXPECT_EQ(answer(request).status, 403);
    EXPECT_THAT(taken_, SizeIs(0));
}

TEST_F(CollectRoutes, the_taker_may_answer_otherwise) {
    store_is_full_ = true;
    EXPECT_EQ(answer(get("/pixel.gif", "object=a")).status, 503);
    EXPECT_EQ(answer(post("/footfall", "object=a")).status, 503);
}

}  // namespace
}  // namespace footfall::api
