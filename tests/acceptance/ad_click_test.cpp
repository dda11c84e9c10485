// Clicks on registered ads as they come in: led on, judged, and found with what the ad says.

#include "test_support/running_server.h"
#include "test_support/tested_store.h"

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <gmock/gmock.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall {
namespace {

using http_server::Method;
using testing::HasSubstr;
using testing::Not;
using namespace test_support;

class AdClick : public RunningServer {
protected:
    void SetUp() override {
        const auto made = api_.send(
            Method::put,
            "/api/v1/ads/banner",
            R"({"targets":["https://shop.example/"],"price":"0.25","currency":"EUR",)"
            R"("publisher":"paper"})"
        );
        ASSERT_EQ(made.status, 201) << made.body;
    }

    /// The part of a signed link that stands behind the server's name.
    std::string link_of(std::string_view reseller) {
        const auto answered =
            api_.get_json("/api/v1/ads/banner/link?reseller=" + std::string{reseller});
        const std::string url{answered.at("url").as_string()};
        return url.substr(url.find("/r/"));
    }

    /// As a browser of its own, so that no click repeats another.
    int click(const std::string& target, const std::string& agent, Method method = Method::get) {
        http_server::Client client = server_.client();
        return must(client.send(method, target, {}, {{"User-Agent", agent}})).status;
    }

    /// The one event of this agent.
    std::string event_of(std::string_view agent) {
        std::vector<std::string> found;
        const auto listed = api_.get_json("/api/v1/events?object=banner");
        for (const boost::json::value& each : listed.at("events").as_array()) {
            const std::string text = boost::json::serialize(each);
            if (text.contains(agent)) {
                found.push_back(text);
            }
        }
        EXPECT_EQ(found.size(), 1U) << agent;
        return found.empty() ? "" : found.front();
    }
};

TEST_F(AdClick, counts_with_the_price_of_the_ad_and_the_reseller_of_the_link) {
    const std::string link = link_of("anna");
    EXPECT_EQ(click(link, "Browser/1"), 302);
    const std::string event = event_of("Browser/1");
    for (const char* part :
         {R"("action":"click")",
          R"("ad":"banner")",
          R"("amount":"0.25")",
          R"("currency":"EUR")",
          R"("publisher":"paper")",
          R"("reseller":"anna")",
          R"("counted":true)"}) {
        EXPECT_THAT(event, HasSubstr(part));
    }

    const std::string forged = std::string{link}.replace(link.find("anna"), 4, "mary");
    EXPECT_EQ(click(forged, "Browser/2"), 302);
    EXPECT_THAT(event_of("Browser/2"), HasSubstr(R"("counted":true)"));
    EXPECT_THAT(event_of("Browser/2"), Not(HasSubstr("reseller")));
}

TEST_F(AdClick, that_no_person_made_is_led_on_and_not_counted) {
    EXPECT_EQ(click("/r/banner", "Browser/3", Method::head), 302);
    EXPECT_THAT(event_of("Browser/3"), HasSubstr(R"("reason":"not_human")"));
    EXPECT_EQ(click("/r/banner", "Slackbot-LinkExpanding"), 302);
    EXPECT_THAT(event_of("Slackbot"), HasSubstr(R"("counted":false)"));
}

TEST_F(AdClick, leads_nowhere_else) {
    EXPECT_EQ(click("/r/nobody", "Browser/4"), 404);
    EXPECT_EQ(click("/r/banner?to=https%3A%2F%2Fevil.example%2F", "Browser/4"), 400);
    EXPECT_EQ(api_.metric("footfall_ads_lost_clicks_total"), 0U);
    EXPECT_TRUE(api_.has_metric("footfall_ads_lost_clicks_total"));
}

TEST_F(AdClick, ads_outlive_the_program) {
    const std::string link = link_of("anna");
    server_.stop();
    server_.restart();
    EXPECT_EQ(click(link, "Browser/5"), 302);
    EXPECT_THAT(event_of("Browser/5"), HasSubstr(R"("reseller":"anna")"));
}

}  // namespace
}  // namespace footfall
