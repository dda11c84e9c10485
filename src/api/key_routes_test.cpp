#include "api/key_routes.h"

#include "api/test_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace footfall::api {
namespace {

using http_server::Method;
using http_server::Request;
using http_server::Response;
using testing::HasSubstr;
using testing::Not;

/// What is answered at once: sessions. Changes of keys wait for the store, so tests/acceptance has
/// them.
class SessionRoutes : public testing::Test {
protected:
    SessionRoutes() {
        FrontDoor door{router_, world_.keeper};
        add_key_routes(door, *world_.keys, world_.sessions, pool_);
    }

    Response ask(
        Method method,
        std::string_view body = {},
        const std::vector<std::pair<std::string, std::string>>& headers = {},
        std::string_view origin = {}
    ) {
        Request request;
        request.method = method;
        request.path = "/api/v1/session";
        request.body = body;
        request.peer = "127.0.0.1";
        request.known = {.host = "localhost:8080", .origin = origin};
        for (const auto& [name, value] : headers) {
            request.headers.emplace_back(name, value);
        }
        return api::ask(router_, std::move(request));
    }

    static std::string cookie_of(const Response& response) {
        for (const auto& [name, value] : response.headers) {
            if (name == "Set-Cookie") {
                return value;
            }
        }
        return "";
    }

    KeyWorld world_;
    runtime::BlockingPool pool_{1, 1};
    http_server::Router router_;
};

TEST_F(SessionRoutes, a_key_is_exchanged_for_a_cookie_that_holds_no_key) {
    const std::string key = world_.add("ops", "read,write");
    const Response in = ask(Method::post, R"({"key":")" + key + R"("})");
    EXPECT_EQ(in.status, 200);
    EXPECT_EQ(in.body, "{\"name\":\"ops\",\"scopes\":[\"read\",\"write\"]}\n");
    const std::string cookie = cookie_of(in);
    EXPECT_THAT(
        cookie,
        testing::MatchesRegex(
            "footfall_session=[A-Za-z0-9_-]+; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict"
        )
    );
    EXPECT_THAT(cookie, Not(HasSubstr(key.substr(3))));

    const std::string sent = cookie.substr(0, cookie.find(';'));
    EXPECT_EQ(ask(Method::get, {}, {{"Cookie", sent}}).body, in.body);
    const Response out = ask(Method::del, {}, {{"Cookie", sent}});
    EXPECT_EQ(out.status, 204);
    EXPECT_THAT(cookie_of(out), HasSubstr("footfall_session=; Path=/; Max-Age=0"));
    EXPECT_EQ(ask(Method::get, {}, {{"Cookie", sent}}).status, 401);
}

TEST_F(SessionRoutes, a_page_that_came_by_tls_gets_a_cookie_that_goes_by_tls_only) {
    const std::string body = R"({"key":")" + world_.add("ops", "read") + R"("})";
    EXPECT_THAT(
        cookie_of(ask(Method::post, body, {}, "https://localhost:8080")),
        testing::EndsWith("; SameSite=Strict; Secure")
    );
}

TEST_F(SessionRoutes, other_sites_can_sign_nobody_in_or_out) {
    const std::string body = R"({"key":")" + world_.add("ops", "read") + R"("})";
    for (const Method method : {Method::post, Method::del}) {
        const Response refused = ask(method, body, {}, "http://evil.example");
        EXPECT_EQ(refused.status, 403);
        EXPECT_EQ(cookie_of(refused), "");
    }
}

TEST_F(SessionRoutes, what_is_no_key_signs_nobody_in) {
    const std::string good = world_.add("ops", "read");
    for (const auto& [body, status] : std::vector<std::pair<std::string, int>>{
             {R"({"key":"ff_none"})", 401},
             {R"({"key":"ops"})", 401},
             {R"({"key":""})", 401},
             {R"({"key":1})", 400},
             {R"({})", 400},
             {R"(["key"])", 400},
             {"", 400},
             {R"({"key":")" + good + R"(","more":1})", 400},
             {R"({"key":")" + std::string(9000, 'f') + R"("})", 413}
         }) {
        const Response refused = ask(Method::post, body);
        EXPECT_EQ(refused.status, status) << body;
        EXPECT_EQ(cookie_of(refused), "");
    }
    EXPECT_TRUE(world_.keys->revoke("ops"));
    EXPECT_EQ(ask(Method::post, R"({"key":")" + good + R"("})").status, 409) << "no keys";
}

TEST_F(SessionRoutes, a_key_that_is_bound_to_a_party_opens_no_dashboard) {
    const std::string key = world_.add("partner", keys::Party{.id = "r\"7"});
    const Response refused = ask(Method::post, R"({"key":")" + key + R"("})");
    EXPECT_EQ(refused.status, 403);
    EXPECT_EQ(cookie_of(refused), "");
    EXPECT_THAT(refused.body, HasSubstr("/problems/key-bound"));
    EXPECT_THAT(refused.body, HasSubstr("a key that has the scope read"));
    EXPECT_EQ(
        ask(Method::get, {}, {{"Authorization", "Bearer " + key}}).body,
        "{\"name\":\"partner\",\"scopes\":[],\"reseller\":\"r\\\"7\"}\n"
    );
}

TEST_F(SessionRoutes, without_keys_everybody_here_may_do_everything) {
    EXPECT_EQ(
        ask(Method::get).body,
        "{\"name\":null,\"scopes\":[\"read\",\"write\",\"people\",\"money\",\"audience\",\"admin\"]"
        "}\n"
    );
    world_.add("ops", "read");
    EXPECT_EQ(ask(Method::get).status, 401);
}

}  // namespace
}  // namespace footfall::api
