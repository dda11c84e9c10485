#include "api/parameters.h"

#include "api/front_door.h"
#include "api/test_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

namespace footfall::api {
namespace {

using http_server::Exchange;
using http_server::Method;
using http_server::Response;
using testing::AllOf;
using testing::HasSubstr;

/// A route with two placeholders, which answers what they stand for.
class TextInPath : public testing::Test {
public:
    TextInPath() {
        FrontDoor{router_, world_.keeper}.add(
            keys::Scope::read,
            Method::get,
            "/resellers/{id}/rates/{day}",
            [](Exchange& exchange) -> std::optional<runtime::Task<>> {
                exchange.response() = answer(exchange.request());
                return std::nullopt;
            }
        );
    }

protected:
    Response ask(std::string_view path) {
        http_server::Request request;
        request.method = Method::get;
        request.path = path;
        request.peer = "127.0.0.1";
        request.known.host = "localhost";
        return api::ask(router_, request);
    }

private:
    static Response answer(const http_server::Request& request) {
        const Asked<std::string> id = text_in_path(request, 0, "id");
        const Asked<std::string> day = text_in_path(request, 1, "day");
        if (!id || !day) {
            return id ? day.error() : id.error();
        }
        return {.body = *id + " on " + *day};
    }

    KeyWorld world_;
    http_server::Router router_;
};

TEST_F(TextInPath, decodes_each_placeholder) {
    EXPECT_EQ(ask("/resellers/a%2Fb%20c/rates/2026%2d07").body, "a/b c on 2026-07");
    EXPECT_EQ(ask("/resellers/caf%C3%A9/rates/x/y").body, "caf\u00e9 on x/y");
    EXPECT_EQ(ask("/resellers/a+b/rates/%2525").body, "a+b on %25");
}

TEST_F(TextInPath, refuses_what_is_missing_or_no_text_and_names_the_field) {
    for (const std::string_view path :
         {"/resellers//rates/x",
          "/resellers/%/rates/x",
          "/resellers/%zz/rates/x",
          "/resellers/%FF/rates/x"}) {
        const Response refused = ask(path);
        EXPECT_EQ(refused.status, 400) << path;
        EXPECT_THAT(refused.body, AllOf(HasSubstr("/problems/invalid-input"), HasSubstr("\"id\"")));
    }
    for (const std::string_view path : {"/resellers/7/rates/", "/resellers/7/rates/%F"}) {
        const Response refused = ask(path);
        EXPECT_EQ(refused.status, 400) << path;
        EXPECT_THAT(refused.body, HasSubstr("\"day\""));
    }
    EXPECT_EQ(ask("/resellers/7/rate/x").status, 404);
}

}  // namespace
}  // namespace footfall::api
