#include "http_server/router.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::http_server {
namespace {

/// Routers hold functions; which one was found is told by the status it would answer.
Handler handler(int status) {
    return [status](Exchange& exchange) -> std::optional<runtime::Task<>> {
        exchange.response().status = status;
        return std::nullopt;
    };
}

class NullExchange final : public Exchange {
public:
    const Request& request() const override { return request_; }

    Response& response() override { return response_; }

    std::string& scratch() override { return scratch_; }

    runtime::Task<bool> send_part(std::string) override { co_return false; }

    runtime::Task<bool> next_second() override { co_return false; }

    std::function<void()> waker() override {
        return [] {};
    }

    std::stop_token client_left() override { return {}; }

private:
    Request request_;
    Response response_;
    std::string scratch_;
};

struct Found {
    int status = 0;
    std::string allowed;
    std::vector<std::string> placeholders;  ///< Without the empty ones at the end.

    bool operator==(const Found&) const = default;
};

Found find(const Router& router, Method method, std::string_view path) {
    Request request;
    request.method = method;
    request.path = path;
    const Endpoint* const endpoint = router.find(request);
    if (endpoint == nullptr) {
        return {.status = 0, .allowed = router.allowed(path), .placeholders = {}};
    }
    NullExchange exchange;
    endpoint->handler(exchange);
    Found found{.status = exchange.response().status, .allowed = {}, .placeholders = {}};
    found.placeholders.assign(request.placeholders.begin(), request.placeholders.end());
    while (!found.placeholders.empty() && found.placeholders.back().empty()) {
        found.placeholders.pop_back();
    }
    return found;
}

Router sample() {
    Router router;
    router.add(Method::get, "/items", handler(201));
    router.add(Method::post, "/items", handler(202));
    router.add(Method::get, "/items/{name}", handler(203));
    router.add(Method::put, "/items/{name}", handler(204));
    return router;
}

TEST(Router, finds_by_path_and_method) {
    const Router router = sample();
    EXPECT_EQ(find(router, Method::get, "/items"), (Found{201, "", {}}));
    EXPECT_EQ(find(router, Method::post, "/items"), (Found{202, "", {}}));
}

TEST(Router, the_placeholder_takes_everything_behind_it) {
    const Router router = sample();
    EXPECT_EQ(find(router, Method::put, "/items/a"), (Found{204, "", {"a"}}));
    EXPECT_EQ(find(router, Method::get, "/items/a/b%2F"), (Found{203, "", {"a/b%2F"}}));
    EXPECT_EQ(find(router, Method::get, "/items/"), (Found{203, "", {}}));
}

TEST(Router, head_is_served_by_get) {
    EXPECT_EQ(find(sample(), Method::head, "/items/a"), (Found{203, "", {"a"}}));
}

TEST(Router, names_the_methods_that_would_do) {
    const Router router = sample();
    EXPECT_EQ(find(router, Method::del, "/items"), (Found{0, "GET, HEAD, POST", {}}));
    EXPECT_EQ(find(router, Method::other, "/items/a"), (Found{0, "GET, HEAD, PUT", {}}));
}

TEST(Router, finds_nothing_for_an_unknown_path) {
    const Router router = sample();
    for (const std::string_view path : {"", "/", "/item", "/itemss", "/Items", "items", "*"}) {
        EXPECT_EQ(find(router, Method::get, path), Found{}) << path;
    }
}

TEST(Router, placeholders_stand_anywhere) {
    Router router;
    router.add(Method::get, "/resellers/{id}/rates/{day}", handler(201));
    router.add(Method::put, "/resellers/{id}/rates", handler(202));
    router.add(Method::get, "/{a}/{b}/{c}/end", handler(203));
    EXPECT_EQ(
        find(router, Method::get, "/resellers/a%2Fb/rates/2026-07-01"),
        (Found{201, "", {"a%2Fb", "2026-07-01"}})
    );
    EXPECT_EQ(find(router, Method::put, "/resellers/7/rates"), (Found{202, "", {"7"}}));
    EXPECT_EQ(find(router, Method::get, "/1/2/3/end"), (Found{203, "", {"1", "2", "3"}}));
}

TEST(Router, one_in_the_middle_takes_a_segment_and_one_at_the_end_all_that_is_left) {
    Router router;
    router.add(Method::get, "/resellers/{id}/rates/{day}", handler(201));
    router.add(Method::put, "/resellers/{id}/rates", handler(202));
    EXPECT_EQ(
        find(router, Method::get, "/resellers/7/rates/a/b/"), (Found{201, "", {"7", "a/b/"}})
    );
    EXPECT_EQ(find(router, Method::get, "/resellers/7/rates/"), (Found{201, "", {"7"}}));
    EXPECT_EQ(find(router, Method::get, "/resellers//rates/x"), (Found{201, "", {"", "x"}}));
    EXPECT_EQ(find(router, Method::get, "/resellers/7/rates"), (Found{0, "PUT", {}}));
    for (const std::string_view path :
         {"/resellers/",
          "/resellers/7",
          "/resellers/7/",
          "/resellers/7/8/rates/x",
          "/resellers/7/ratesx",
          "/resellers/7/rate/x"}) {
        EXPECT_EQ(find(router, Method::put, path), Found{}) << path;
    }
}

TEST(Router, a_literal_comes_before_a_placeholder_in_whatever_order_they_were_added) {
    const std::vector<std::pair<std::string_view, int>> patterns{
        {"/{all}", 201},
        {"/items/{name}", 202},
        {"/items/{name}/parts/{part}", 203},
        {"/items/new/parts/{part}", 204},
        {"/items/{name}/parts/first", 205},
        {"/items/", 206},
        {"/items/new", 207},
    };
    for (std::size_t first = 0; first < patterns.size(); ++first) {
        Router router;
        for (std::size_t at = 0; at < patterns.size(); ++at) {
            const auto [pattern, status] = patterns[(first + at) % patterns.size()];
            router.add(Method::get, pattern, handler(status));
        }
        EXPECT_EQ(find(router, Method::get, "/other/x"), (Found{201, "", {"other/x"}}));
        EXPECT_EQ(find(router, Method::get, "/items/a"), (Found{202, "", {"a"}}));
        EXPECT_EQ(find(router, Method::get, "/items/a/parts"), (Found{202, "", {"a/parts"}}));
        EXPECT_EQ(find(router, Method::get, "/items/a/parts/b"), (Found{203, "", {"a", "b"}}));
        EXPECT_EQ(find(router, Method::get, "/items/new/parts/first"), (Found{204, "", {"first"}}));
        EXPECT_EQ(find(router, Method::get, "/items/a/parts/first"), (Found{205, "", {"a"}}));
        EXPECT_EQ(find(router, Method::get, "/items/").status, 206);
        EXPECT_EQ(find(router, Method::get, "/items/new").status, 207);
    }
}

TEST(Router, names_each_method_once_of_all_patterns_that_serve_a_path) {
    Router router;
    router.add(Method::get, "/items/{name}", handler(201));
    router.add(Method::put, "/items/{name}", handler(202));
    router.add(Method::get, "/items/new", handler(203));
    EXPECT_EQ(find(router, Method::del, "/items/new"), (Found{0, "GET, HEAD, PUT", {}}));
    EXPECT_EQ(find(router, Method::put, "/items/new"), (Found{202, "", {"new"}}));
}

TEST(RouterDeathTest, a_pattern_that_cannot_be_is_a_mistake_of_ours) {
    Router router;
    const auto add = [&](std::string_view pattern) {
        router.add(Method::get, pattern, handler(200));
    };
    add("/a/{b}");
    EXPECT_DEATH(add("items"), "starts with a slash");
    EXPECT_DEATH(add("/a{b}"), "a whole segment");
    EXPECT_DEATH(add("/a/{b}c"), "a whole segment");
    EXPECT_DEATH(add("/a/{b"), "a whole segment");
    EXPECT_DEATH(add("/{a}/{b}/{c}/{d}/{e}"), "too many placeholders");
    EXPECT_DEATH(add("/a/{other}"), "added once");
}

}  // namespace
}  // namespace footfall::http_server
