#include "http_server/router.h"

#include <gtest/gtest.h>

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

private:
    Request request_;
    Response response_;
    std::string scratch_;
};

struct Found {
    int status = 0;
    std::string allowed;
    std::string rest;

    bool operator==(const Found&) const = default;
};

Found find(const Router& router, Method method, std::string_view path) {
    Request request;
    request.method = method;
    request.path = path;
    const Handler* const handler_found = router.find(request);
    if (handler_found == nullptr) {
        return {.status = 0, .allowed = router.allowed(path), .rest = {}};
    }
    NullExchange exchange;
    (*handler_found)(exchange);
    return {.status = exchange.response().status, .allowed = {}, .rest = std::string{request.rest}};
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
    EXPECT_EQ(find(router, Method::get, "/items"), (Found{201, "", ""}));
    EXPECT_EQ(find(router, Method::post, "/items"), (Found{202, "", ""}));
}

TEST(Router, the_placeholder_takes_everything_behind_it) {
    const Router router = sample();
    EXPECT_EQ(find(router, Method::put, "/items/a"), (Found{204, "", "a"}));
    EXPECT_EQ(find(router, Method::get, "/items/a/b%2F"), (Found{203, "", "a/b%2F"}));
    EXPECT_EQ(find(router, Method::get, "/items/"), (Found{203, "", ""}));
}

TEST(Router, head_is_served_by_get) {
    EXPECT_EQ(find(sample(), Method::head, "/items/a"), (Found{203, "", "a"}));
}

TEST(Router, names_the_methods_that_would_do) {
    const Router router = sample();
    EXPECT_EQ(find(router, Method::del, "/items"), (Found{0, "GET, HEAD, POST", ""}));
    EXPECT_EQ(find(router, Method::other, "/items/a"), (Found{0, "GET, HEAD, PUT", ""}));
}

TEST(Router, finds_nothing_for_an_unknown_path) {
    const Router router = sample();
    for (const std::string_view path : {"", "/", "/item", "/itemss", "/Items", "items", "*"}) {
        EXPECT_EQ(find(router, Method::get, path), Found{}) << path;
    }
}

TEST(RouterDeathTest, a_placeholder_in_the_middle_is_a_mistake_of_ours) {
    Router router;
    EXPECT_DEATH(router.add(Method::get, "items", handler(200)), "starts with a slash");
    EXPECT_DEATH(router.add(Method::get, "/a/{b}/c", handler(200)), "ends with its placeholder");
}

}  // namespace
}  // namespace footfall::http_server
