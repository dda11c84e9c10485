#include "api/collected_event.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::api {
namespace {

using http_server::Method;

constexpr Instant moment = std::chrono::sys_days{std::chrono::year{2026} / 11 / 21};

using Headers = std::vector<std::pair<std::string_view, std::string_view>>;

http_server::Request request_from(std::string_view peer, Headers headers = {}) {
    http_server::Request request;
    request.method = Method::get;
    request.peer = peer;
    request.headers = std::move(headers);
    return request;
}

guard::NetworkSet proxies() {
    return guard::NetworkSet::read("10.0.0.0/8\n2001:db8::/32\n").value();
}

CollectedEvent collected_from(const http_server::Request& request, std::string_view fields) {
    auto collected = read_collected(request, fields, proxies(), moment);
    EXPECT_TRUE(collected) << fields;
    return collected ? *std::move(collected) : CollectedEvent{};
}

TEST(CollectedEvent, has_what_was_sent_and_what_the_request_shows) {
    const auto collected = collected_from(
        request_from("192.0.2.7", {{"User-Agent", "Mozilla/5.0"}}),
        "object=%2Fcaf%C3%A9%20a&action=click&referrer=https%3A%2F%2Fa.example%2F%3Fq%3D1"
    );
    const events::Event wanted{
        .id = "",
        .time = moment,
        .time_given = false,
        .action = "click",
        .object = "/caf\xc3\xa9 a",
        .actor = "",
        .address = "192.0.2.7",
        .agent = "Mozilla/5.0",
        .referrer = "https://a.example/?q=1"
    };
    EXPECT_EQ(collected.event, wanted);
    EXPECT_EQ(collected.machine_sign, "");
}

TEST(CollectedEvent, is_a_view_and_nothing_that_only_the_trusted_may_say) {
    const auto collected = collected_from(
        request_from("::ffff:192.0.2.7"),
        "object=a&id=1&time=2020-01-01T00:00:00Z&actor=u&address=192.0.2.8&agent=x&amount=5"
        "&currency=USD&reseller=r&ad=a&publisher=p&identifiers=i&attributes=%7B%7D"
    );
    const events::Event wanted{
        .id = "",
        .time = moment,
        .time_given = false,
        .action = "view",
        .object = "a",
        .actor = "",
        .address = "192.0.2.7"
    };
    EXPECT_EQ(collected.event, wanted);
}

TEST(CollectedEvent, who_asks_not_to_be_followed_has_no_address) {
    const auto collected = collected_from(
        request_from("192.0.2.7", {{"Sec-GPC", "1"}, {"User-Agent", "M"}}), "object=a"
    );
    EXPECT_EQ(collected.event.address, "");
    EXPECT_EQ(collected.event.actor, "");
    EXPECT_EQ(collected.event.agent, "M");
    EXPECT_EQ(
        collected_from(request_from("192.0.2.7", {{"Sec-GPC", "0"}}), "object=a").event.address,
        "192.0.2.7"
    );
}

TEST(CollectedEvent, shows_what_says_that_no_person_asked) {
    const auto sign = [](const Headers& headers, Method method = Method::get) {
        http_server::Request request = request_from("192.0.2.7", headers);
        request.method = method;
        return collected_from(request, "object=a").machine_sign;
    };
    EXPECT_EQ(sign({}), "");
    EXPECT_EQ(sign({}, Method::post), "");
    EXPECT_EQ(sign({}, Method::head), "HEAD");
    EXPECT_EQ(sign({{"Sec-Purpose", "prefetch"}}), "prefetch");
    EXPECT_EQ(sign({{"Sec-Purpose", "prefetch;prerender"}}), "prefetch");
    EXPECT_EQ(sign({{"Purpose", "prefetch"}}), "prefetch");
    EXPECT_EQ(sign({{"X-Moz", "prefetch"}}), "prefetch");
    EXPECT_EQ(sign({{"X-Purpose", "preview"}}), "preview");
    EXPECT_EQ(sign({{"User-Agent", "facebookexternalhit/1.1 (+http://x)"}}), "preview");
    EXPECT_EQ(sign({{"User-Agent", "Mozilla/5.0 (Windows NT 10.0)"}}), "");
}

TEST(CollectedEvent, proxies_are_believed_when_they_are_trusted) {
    const auto address = [](std::string_view peer, const Headers& headers) {
        return client_address(request_from(peer, headers), proxies());
    };
    EXPECT_EQ(address("192.0.2.7", {{"X-Forwarded-For", "198.51.100.1"}}), "192.0.2.7");
    EXPECT_EQ(address("10.0.0.1", {{"X-Forwarded-For", "198.51.100.1"}}), "198.51.100.1");
    // What the client itself wrote stands in front of what the proxy saw.
    EXPECT_EQ(
        address("10.0.0.1", {{"x-forwarded-for", "203.0.113.9, 198.51.100.1"}}), "198.51.100.1"
    );
    EXPECT_EQ(
        address("10.0.0.1", {{"X-Forwarded-For", "198.51.100.1,2001:db8::1 , 10.2.3.4"}}),
        "198.51.100.1"
    );
    EXPECT_EQ(
        address(
            "10.0.0.1", {{"X-Forwarded-For", "203.0.113.9"}, {"X-Forwarded-For", "198.51.100.1"}}
        ),
        "198.51.100.1"
    );
    EXPECT_EQ(address("10.0.0.1", {{"X-Forwarded-For", "198.51.100.1, unknown"}}), "10.0.0.1");
    EXPECT_EQ(address("10.0.0.1", {{"X-Forwarded-For", "10.0.0.2"}}), "10.0.0.2");
    EXPECT_EQ(address("10.0.0.1", {}), "10.0.0.1");
    EXPECT_EQ(address("", {{"X-Forwarded-For", "198.51.100.1"}}), "");
}

TEST(CollectedEvent, refuses_what_is_no_event_and_names_the_field) {
    const auto refused = [](std::string_view fields) {
        const auto collected = read_collected(request_from("192.0.2.7"), fields, proxies(), moment);
        return collected ? "taken"
                         : std::to_string(collected.error().status) + " " + collected.error().body;
    };
    const std::string long_name(events::longest_name + 1, 'x');
    for (const auto& [fields, status, field] : {
             std::tuple{std::string{}, "400", "\"object\""},
             std::tuple{std::string{"object=%zz"}, "400", "\"object\""},
             std::tuple{std::string{"object=%ff"}, "400", "\"object\""},
             std::tuple{"object=" + long_name, "400", "\"object\""},
             std::tuple{std::string{"object=a&action=A+B"}, "400", "\"action\""},
             std::tuple{std::string{"object=a&action=sale"}, "400", "\"action\""},
             std::tuple{std::string{"object=a&referrer=%ff"}, "400", "\"referrer\""},
             std::tuple{
                 "object=a&x=" + std::string(collected_bytes_max, 'x'), "413", "body-too-large"
             },
         }) {
        const std::string text = refused(fields);
        EXPECT_TRUE(text.starts_with(status)) << text;
        EXPECT_TRUE(text.contains(field)) << text;
    }
}

TEST(CollectedEvent, an_agent_that_is_no_text_is_none) {
    EXPECT_EQ(
        collected_from(request_from("192.0.2.7", {{"User-Agent", "\xff"}}), "object=a").event.agent,
        ""
    );
}

}  // namespace
}  // namespace footfall::api
