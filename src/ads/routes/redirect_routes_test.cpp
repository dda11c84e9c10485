#include "ads_routes/redirect_routes.h"

#include "ads_routes/link_signature.h"
#include "ads_routes/test_world.h"
#include "http_server/problem.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace footfall::ads::routes {
namespace {

using http_server::Exchange;
using http_server::Method;
using http_server::Request;
using http_server::Response;
using runtime::Task;
using testing::SizeIs;

constexpr const char* first_target = "https://shop.example/a";
constexpr const char* second_target = "https://shop.example/b?c=d";

class RedirectRoutes : public testing::Test {
protected:
    RedirectRoutes() {
        EXPECT_TRUE(world_.ads->put(
            "ad/1",
            {.targets = {first_target, second_target},
             .price = 250'000,
             .currency = "EUR",
             .publisher = "paper"},
            "key"
        ));
        api::FrontDoor door{world_.routes.router, world_.keys.keeper};
        redirects_.add_route(
            door,
            {.take = [this](Exchange& exchange, api::CollectedEvent event)
                 -> std::optional<Task<>> { return take_(exchange, std::move(event)); },
             .refuse = [](const Request& request) -> std::optional<Response> {
                 return request.known.host == "stranger" ? std::optional{Response{.status = 403}}
                                                         : std::nullopt;
             },
             .trusted_proxies = guard::NetworkSet::read("10.0.0.0/8\n").value()}
        );
    }

    static Request get(std::string_view query = {}, std::string_view path = "/r/ad%2F1") {
        Request request;
        request.method = Method::get;
        request.path = path;
        request.query = query;
        request.peer = "192.0.2.7";
        request.headers = {{"User-Agent", "Mozilla/5.0"}};
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

    /// The answer leads there, and is kept by nobody.
    static void expect_led(const Response& response, const std::string& target) {
        EXPECT_EQ(response.status, 302) << response.body;
        EXPECT_EQ(header(response, "Location"), target);
        EXPECT_EQ(header(response, "Cache-Control"), "no-store");
        EXPECT_EQ(header(response, "Referrer-Policy"), "strict-origin");
        EXPECT_EQ(response.hold_until, 0U);
    }

    static std::string signed_for(std::string_view reseller, std::string_view ad = "ad/1") {
        return make_signature(AdWorld::secret, {.ad = ad, .reseller = reseller, .to = ""});
    }

    AdWorld world_;
    Redirects redirects_{*world_.ads, world_.store, AdWorld::secret, world_.clock};
    std::vector<api::CollectedEvent> taken_;
    std::function<std::optional<Task<>>(Exchange&, api::CollectedEvent)> take_ =
        [this](Exchange&, api::CollectedEvent event) -> std::optional<Task<>> {
        taken_.push_back(std::move(event));
        return std::nullopt;
    };
};

TEST_F(RedirectRoutes, a_click_has_the_price_and_the_publisher_of_its_ad) {
    Request request = get("utm_source=x&amount=99&price=99&publisher=other&ad=other");
    request.headers.emplace_back("Referer", "https://paper.example/page");
    expect_led(world_.routes.ask(std::move(request)), first_target);
    ASSERT_THAT(taken_, SizeIs(1));
    const events::Event wanted{
        .time = world_.clock.now(),
        .time_given = false,
        .action = "click",
        .object = "ad/1",
        .address = "192.0.2.7",
        .agent = "Mozilla/5.0",
        .referrer = "https://paper.example/page",
        .amount = 250'000,
        .currency = "EUR",
        .ad = "ad/1",
        .publisher = "paper"
    };
    EXPECT_EQ(taken_[0].event, wanted);
    EXPECT_EQ(taken_[0].machine_sign, "");
    EXPECT_EQ(redirects_.lost_clicks(), 0U);
}

TEST_F(RedirectRoutes, a_link_leads_to_the_target_it_names_and_nowhere_else) {
    expect_led(world_.routes.ask(get("to=https%3A%2F%2Fshop.example%2Fb%3Fc%3Dd")), second_target);
    EXPECT_THAT(taken_, SizeIs(1));
    for (const char* foreign :
         {"https%3A%2F%2Fevil.example%2F",
          "https://shop.example",
          "https://shop.example/a@evil.example/",
          "https://shop.example@evil.example/",
          "//evil.example/",
          "https://shop.example/a%0d%0aX-Evil:1",
          "%zz"}) {
        EXPECT_EQ(world_.routes.ask(get(fmt::format("to={}", foreign))).status, 400) << foreign;
    }
    EXPECT_EQ(world_.routes.ask(get("", "/r/unknown")).status, 404);
    EXPECT_EQ(world_.routes.ask(get("", "/r/")).status, 400);
    EXPECT_THAT(taken_, SizeIs(1));
}

TEST_F(RedirectRoutes, only_a_signed_link_has_a_reseller) {
    expect_led(world_.routes.ask(get("reseller=r1&sig=" + signed_for("r1"))), first_target);
    ASSERT_THAT(taken_, SizeIs(1));
    EXPECT_EQ(taken_[0].event.reseller, "r1");
    const std::string good = signed_for("r1");
    for (const std::string& forged :
         {std::string{"reseller=r1"},
          std::string{"reseller=r1&sig="},
          "reseller=r2&sig=" + good,
          "reseller=r1&sig=" + good.substr(0, 31),
          "reseller=r1&sig=" + signed_for("r1", "ad/2"),
          "reseller=r1&to=https://shop.example/a&sig=" + good,
          "sig=" + good}) {
        expect_led(world_.routes.ask(get(forged)), first_target);
        EXPECT_EQ(taken_.back().event.reseller, "") << forged;
    }
    EXPECT_THAT(taken_, SizeIs(8));
}

TEST_F(RedirectRoutes, machines_and_who_is_not_followed_are_told_apart) {
    Request head = get();
    head.method = Method::head;
    expect_led(world_.routes.ask(std::move(head)), first_target);
    Request prefetch = get();
    prefetch.headers.emplace_back("Sec-Purpose", "prefetch;prerender");
    expect_led(world_.routes.ask(std::move(prefetch)), first_target);
    Request preview = get();
    preview.headers = {{"User-Agent", "Slackbot-LinkExpanding 1.0"}};
    expect_led(world_.routes.ask(std::move(preview)), first_target);
    Request unfollowed = get();
    unfollowed.headers.emplace_back("Sec-GPC", "1");
    expect_led(world_.routes.ask(std::move(unfollowed)), first_target);
    Request behind_proxy = get();
    behind_proxy.peer = "10.0.0.1";
    behind_proxy.headers.emplace_back("X-Forwarded-For", "203.0.113.9");
    expect_led(world_.routes.ask(std::move(behind_proxy)), first_target);
    ASSERT_THAT(taken_, SizeIs(5));
    EXPECT_EQ(taken_[0].machine_sign, "HEAD");
    EXPECT_EQ(taken_[1].machine_sign, "prefetch");
    EXPECT_EQ(taken_[2].machine_sign, "preview");
    EXPECT_EQ(taken_[3].event.address, "");
    EXPECT_EQ(taken_[4].event.address, "203.0.113.9");
}

TEST_F(RedirectRoutes, a_click_that_cannot_be_taken_is_led_on_and_told_as_lost) {
    take_ = [](Exchange& exchange, const api::CollectedEvent&) -> std::optional<Task<>> {
        exchange.response() = http_server::problem(503, "overloaded", "full");
        return std::nullopt;
    };
    expect_led(world_.routes.ask(get()), first_target);
    EXPECT_EQ(redirects_.lost_clicks(), 1U);
}

TEST_F(RedirectRoutes, the_answer_waits_until_the_click_is_durable_or_lost) {
    const auto submit_one = [this](Exchange& exchange, const api::CollectedEvent&) {
        storage::Batch batch;
        batch.erase(registered_ad_table, {"some row"});
        exchange.response().hold_until = world_.store.submit(batch).value();
        return std::optional<Task<>>{};
    };
    take_ = submit_one;
    expect_led(world_.routes.ask(get()), first_target);
    EXPECT_EQ(redirects_.lost_clicks(), 0U);

    world_.store.set_options({.fail_write = 1});
    bool released = false;
    take_ = [&](Exchange& exchange, const api::CollectedEvent& event) {
        auto taken = submit_one(exchange, event);
        // Behind the first wait of the handler, which is for the store.
        world_.routes.later([&] {
            released = true;
            world_.store.release_writes();
        });
        return taken;
    };
    expect_led(world_.routes.ask(get()), first_target);
    EXPECT_TRUE(released);
    EXPECT_EQ(redirects_.lost_clicks(), 1U);
}

TEST_F(RedirectRoutes, who_may_not_come_in_is_refused) {
    Request request = get();
    request.known.host = "stranger";
    EXPECT_EQ(world_.routes.ask(std::move(request)).status, 403);
    EXPECT_THAT(taken_, SizeIs(0));
}

}  // namespace
}  // namespace footfall::ads::routes
