#include "ads_routes/ad_routes.h"

#include "ads/ad_schema.h"
#include "ads_routes/link_signature.h"
#include "ads_routes/test_world.h"
#include "storage_testing/faulty_store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace footfall::ads::routes {
namespace {

using http_server::Method;
using http_server::Request;
using http_server::Response;
using testing::HasSubstr;
using testing::Not;

constexpr const char* shop = R"({"targets":["https://shop.example/a","https://shop.example/b"],)"
                             R"("price":"0.25","currency":"EUR","publisher":"paper"})";

class AdRoutesTest : public testing::Test {
protected:
    AdRoutesTest() {
        api::FrontDoor door{world_.routes.router, world_.keys.keeper};
        add_ad_routes(door, *world_.ads, pool_, {.secret = AdWorld::secret, .currency = "USD"});
    }

    void TearDown() override { pool_.stop(); }

    Response ask(
        Method method,
        std::string_view path,
        std::string_view query = {},
        std::string_view body = {}
    ) {
        Request request;
        request.method = method;
        request.path = path;
        request.query = query;
        request.body = body;
        request.peer = "127.0.0.1";
        request.known.host = host_;
        if (!authorization_.empty()) {
            request.headers.emplace_back("Authorization", authorization_);
        }
        if (!forwarded_proto_.empty()) {
            request.headers.emplace_back("X-Forwarded-Proto", forwarded_proto_);
        }
        return world_.routes.ask(std::move(request));
    }

    Response put(std::string_view path, std::string_view body) {
        return ask(Method::put, path, {}, body);
    }

    AdWorld world_;
    runtime::BlockingPool pool_{1, 10};
    std::string host_ = "localhost:8080";
    std::string authorization_;
    std::string forwarded_proto_;
};

TEST_F(AdRoutesTest, an_ad_is_registered_shown_and_changed) {
    EXPECT_EQ(ask(Method::get, "/api/v1/ads/a%2F1").status, 404);
    const Response made = put("/api/v1/ads/a%2F1", shop);
    EXPECT_EQ(made.status, 201) << made.body;
    EXPECT_EQ(
        made.body,
        R"({"ad":"a/1","targets":["https://shop.example/a","https://shop.example/b"],)"
        R"("price":"0.25","currency":"EUR","publisher":"paper","author":"this machine",)"
        R"("changed_at":"2024-10-04T00:00:00Z"})"
        "\n"
    );
    EXPECT_EQ(ask(Method::get, "/api/v1/ads/a%2F1").body, made.body);
    EXPECT_EQ(put("/api/v1/ads/a%2F1", shop).status, 200);
    const Response changed = put("/api/v1/ads/a%2F1", R"({"targets":["http://shop.example"]})");
    EXPECT_EQ(changed.status, 200);
    EXPECT_THAT(
        changed.body,
        HasSubstr(
            R"("targets":["http://shop.example"],"price":"0","currency":"USD","publisher":null)"
        )
    );
}

TEST_F(AdRoutesTest, what_is_no_ad_is_refused_with_the_field_at_fault) {
    struct Bad {
        const char* body;
        const char* field;
    };

    for (const Bad& each :
         {Bad{R"({})", "targets"},
          Bad{R"({"targets":"https://a.example/"})", "targets"},
          Bad{R"({"targets":[7]})", "targets"},
          Bad{R"({"targets":["https://good.example@evil.example/"]})", "targets"},
          Bad{R"({"targets":["https://a.example/"],"price":0.25})", "price"},
          Bad{R"({"targets":["https://a.example/"],"price":"-1"})", "price"},
          Bad{R"({"targets":["https://a.example/"],"price":"0.0000001"})", "price"},
          Bad{R"({"targets":["https://a.example/"],"currency":"euro"})", "currency"},
          Bad{R"({"targets":["https://a.example/"],"publisher":7})", "publisher"},
          Bad{R"({"targets":["https://a.example/"],"prize":"1"})", "prize"}}) {
        const Response refused = put("/api/v1/ads/a", each.body);
        EXPECT_EQ(refused.status, 400) << each.body;
        EXPECT_THAT(refused.body, HasSubstr(fmt::format(R"("field":"{}")", each.field)));
    }
    EXPECT_EQ(put("/api/v1/ads/a", "[]").status, 400);
    EXPECT_EQ(put("/api/v1/ads/a/link", shop).status, 404);
    EXPECT_EQ(put("/api/v1/ads/" + std::string(257, 'a'), shop).status, 400);
    EXPECT_EQ(world_.ads->size(), 0U);
}

TEST_F(AdRoutesTest, are_listed_page_by_page) {
    for (const char* ad : {"a%2F1", "a%2F2", "a%2F3", "b"}) {
        put(fmt::format("/api/v1/ads/{}", ad), shop);
    }
    const Response page = ask(Method::get, "/api/v1/ads", "prefix=a%2F&limit=2");
    EXPECT_THAT(page.body, HasSubstr(R"("ad":"a/1")"));
    EXPECT_THAT(page.body, HasSubstr(R"("next":"a/2")"));
    EXPECT_THAT(page.body, Not(HasSubstr(R"("ad":"a/3")")));
    const Response last = ask(Method::get, "/api/v1/ads", "prefix=a%2F&limit=2&cursor=a%2F2");
    EXPECT_THAT(last.body, HasSubstr(R"({"ads":[{"ad":"a/3")"));
    EXPECT_THAT(last.body, HasSubstr(R"(],"next":null})"));
    EXPECT_THAT(ask(Method::get, "/api/v1/ads").body, HasSubstr(R"("ad":"b")"));
    EXPECT_EQ(ask(Method::get, "/api/v1/ads", "limit=1001").status, 400);
    EXPECT_EQ(ask(Method::get, "/api/v1/ads", "sort=name").status, 400);
}

TEST_F(AdRoutesTest, money_changes_ads_and_sees_prices) {
    const std::string reads = "Bearer " + world_.keys.add("reader", "read");
    const std::string money = "Bearer " + world_.keys.add("till", "money");
    authorization_ = reads;
    EXPECT_EQ(put("/api/v1/ads/a", shop).status, 403);
    EXPECT_EQ(ask(Method::get, "/api/v1/ads/a/link").status, 403);
    authorization_ = money;
    EXPECT_THAT(put("/api/v1/ads/a", shop).body, HasSubstr(R"("author":"till")"));
    EXPECT_EQ(ask(Method::get, "/api/v1/ads/a/link").status, 200);
    authorization_ = reads;
    for (const char* path : {"/api/v1/ads", "/api/v1/ads/a"}) {
        const Response shown = ask(Method::get, path);
        EXPECT_EQ(shown.status, 200);
        EXPECT_THAT(shown.body, HasSubstr(R"("publisher":"paper")"));
        EXPECT_THAT(shown.body, Not(HasSubstr("price")));
    }
}

TEST_F(AdRoutesTest, links_are_signed_for_their_reseller) {
    put("/api/v1/ads/a%2F1", shop);
    EXPECT_EQ(
        ask(Method::get, "/api/v1/ads/a%2F1/link").body,
        "{\"url\":\"http://localhost:8080/r/a%2F1\"}\n"
    );
    const Link link{.ad = "a/1", .reseller = "r&s", .to = "https://shop.example/b"};
    EXPECT_EQ(
        ask(Method::get,
            "/api/v1/ads/a%2F1/link",
            "reseller=r%26s&to=https%3A%2F%2Fshop.example%2Fb")
            .body,
        fmt::format(
            "{{\"url\":\"http://localhost:8080/r/"
            "a%2F1?reseller=r%26s&to=https%3A%2F%2Fshop.example%2Fb&sig={}\"}}\n",
            make_signature(AdWorld::secret, link)
        )
    );
    forwarded_proto_ = "https";
    EXPECT_THAT(
        ask(Method::get, "/api/v1/ads/a%2F1/link").body, HasSubstr("https://localhost:8080/r/")
    );
}

TEST_F(AdRoutesTest, no_link_leads_where_its_ad_does_not) {
    put("/api/v1/ads/a", shop);
    EXPECT_EQ(ask(Method::get, "/api/v1/ads/b/link").status, 404);
    EXPECT_EQ(
        ask(Method::get, "/api/v1/ads/a/link", "to=https%3A%2F%2Fevil.example%2F").status, 400
    );
    EXPECT_EQ(
        ask(Method::get, "/api/v1/ads/a/link", "reseller=" + std::string(257, 'r')).status, 400
    );
    authorization_ = "Bearer " + world_.keys.add("till", "money");
    host_ = "good.example@evil.example";
    EXPECT_EQ(ask(Method::get, "/api/v1/ads/a/link").status, 400);
}

TEST_F(AdRoutesTest, a_failure_of_the_store_is_told) {
    world_.store.set_options({.refuse_submit = 1, .refuse_as = ErrorKind::unavailable});
    EXPECT_EQ(put("/api/v1/ads/a", shop).status, 503);
    EXPECT_EQ(ask(Method::get, "/api/v1/ads/a").status, 404);
}

}  // namespace
}  // namespace footfall::ads::routes
