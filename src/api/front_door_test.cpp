#include "api/front_door.h"

#include "api/test_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::api {
namespace {

using http_server::Request;
using http_server::Response;
using keys::Scope;
using std::chrono::hours;
using testing::HasSubstr;

constexpr std::string_view own_host = "count.example:8080";

Request request_of(std::string_view host, std::string_view origin = {}) {
    Request request;
    request.known = {.host = host, .origin = origin};
    request.peer = "127.0.0.1";
    return request;
}

bool let_in(std::string_view host, std::string_view origin = {}) {
    const auto refusal = refuse_stranger(request_of(host, origin));
    EXPECT_TRUE(!refusal || refusal->status == 403);
    return !refusal;
}

TEST(FrontDoor, lets_in_loopback_names_with_any_port) {
    for (const std::string_view host :
         {"localhost",
          "localhost:8080",
          "127.0.0.1",
          "127.0.0.1:1",
          "127.1.2.3:8080",
          "[::1]",
          "[::1]:8080"}) {
        EXPECT_TRUE(let_in(host)) << host;
    }
}

TEST(FrontDoor, refuses_names_that_only_look_like_loopback) {
    for (const std::string_view host :
         {"",
          "example.com",
          "127.0.0.1.example.com",
          "localhost.example.com",
          "10.0.0.1:8080",
          "[::2]",
          "[::1",
          "0.0.0.0",
          "127.0.0.1@example.com"}) {
        EXPECT_FALSE(let_in(host)) << host;
    }
}

TEST(FrontDoor, refuses_a_neighbour_who_asks_for_a_loopback_name) {
    Request request = request_of("127.0.0.1:8080");
    for (const std::string_view peer : {"127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"}) {
        request.peer = peer;
        EXPECT_FALSE(refuse_stranger(request)) << peer;
    }
    for (const std::string_view peer :
         {"192.0.2.7", "::ffff:192.0.2.7", "2001:db8::1", "::127.0.0.1"}) {
        request.peer = peer;
        const auto refusal = refuse_stranger(request);
        const std::string said = refusal ? refusal->body : "";
        EXPECT_THAT(said, HasSubstr("/problems/not-this-machine")) << peer;
    }
}

TEST(FrontDoor, refuses_the_pages_of_other_sites) {
    EXPECT_TRUE(let_in("127.0.0.1:8080", "http://127.0.0.1:8080"));
    for (const std::string_view origin :
         {"http://example.com",
          "http://127.0.0.1:9090",
          "http://localhost:8080",
          "https://127.0.0.1:8080",
          "null"}) {
        EXPECT_FALSE(let_in("127.0.0.1:8080", origin)) << origin;
    }
}

TEST(FrontDoor, for_the_public_opens_to_pages_of_the_sites_that_were_named) {
    const std::vector<std::string> sites{"https://example.org", "https://www.example.org"};
    const auto let_in_public = [](std::string_view origin, const std::vector<std::string>& named) {
        return !refuse_other_sites(request_of("count.example.org", origin), named);
    };
    EXPECT_TRUE(let_in_public("https://www.example.org", sites));
    EXPECT_TRUE(let_in_public("", sites)) << "an image";
    EXPECT_FALSE(let_in_public("https://example.org.evil.example", sites));
    EXPECT_FALSE(let_in_public("http://example.org", sites));
    EXPECT_FALSE(let_in_public("null", sites));
    EXPECT_FALSE(let_in_public("", {})) << "no loopback name, and no sites";
}

TEST(FrontDoor, knows_its_own_pages) {
    const auto own = [](std::string_view origin, std::string_view site) {
        Request request = request_of(own_host, origin);
        if (!site.empty()) {
            request.headers.emplace_back("Sec-Fetch-Site", site);
        }
        return is_from_own_page(request);
    };
    EXPECT_TRUE(own("", "")) << "no browser, or the address bar";
    EXPECT_TRUE(own("http://count.example:8080", ""));
    EXPECT_TRUE(own("https://count.example:8080", "")) << "TLS ends before us";
    EXPECT_TRUE(own("", "none"));
    EXPECT_TRUE(own("", "same-origin"));
    EXPECT_TRUE(own("https://shown.example", "same-origin")) << "a proxy that changes the Host";
    EXPECT_FALSE(own("http://count.example", ""));
    EXPECT_FALSE(own("http://count.example:8080.evil.example", ""));
    EXPECT_FALSE(own("null", ""));
    EXPECT_FALSE(own("", "cross-site"));
    EXPECT_FALSE(own("", "same-site"));
    EXPECT_FALSE(own("http://count.example:8080", "same-site"));
}

TEST(FrontDoor, finds_the_session_among_cookies) {
    const auto session = [](std::string_view cookies) {
        Request request = request_of(own_host);
        request.headers.emplace_back("cookie", cookies);
        return std::string{session_in(request)};
    };
    EXPECT_EQ(session("footfall_session=abc"), "abc");
    EXPECT_EQ(session("a=b; footfall_session=abc; c=d"), "abc");
    EXPECT_EQ(session("a=footfall_session=abc"), "");
    EXPECT_EQ(session("xfootfall_session=abc; footfall_session"), "");
    EXPECT_EQ(session(""), "");
}

/// The trusted door with keys; every request comes from elsewhere, by another name.
class TrustedDoor : public testing::Test {
protected:
    /// Of a request with these headers: 0 when it comes in, else its status.
    int answer(
        Scope needed,
        const std::vector<std::pair<std::string, std::string>>& headers,
        std::string_view origin = {}
    ) {
        Request request = request_of(own_host, origin);
        request.peer = "192.0.2.7";
        for (const auto& [name, value] : headers) {
            request.headers.emplace_back(name, value);
        }
        refusal_ = world_.keeper.refuse(request, needed);
        return refusal_ ? refusal_->status : 0;
    }

    int with_key(std::string_view key, Scope needed = Scope::read, std::string_view origin = {}) {
        return answer(needed, {{"Authorization", "Bearer " + std::string{key}}}, origin);
    }

    int with_session(
        std::string_view id,
        std::string_view origin = {},
        std::string_view site = {},
        Scope needed = Scope::read
    ) {
        std::vector<std::pair<std::string, std::string>> headers{
            {"Cookie", std::string{session_cookie} + "=" + std::string{id}}
        };
        if (!site.empty()) {
            headers.emplace_back("Sec-Fetch-Site", site);
        }
        return answer(needed, headers, origin);
    }

    /// The body of the refusal.
    std::string said() const { return refusal_ ? refusal_->body : "/problems/none\""; }

    /// Its WWW-Authenticate.
    std::string challenge() const {
        const bool has = refusal_ && !refusal_->headers.empty();
        return has && refusal_->headers[0].first == "WWW-Authenticate" ? refusal_->headers[0].second
                                                                       : "none";
    }

    /// The type of its problem.
    std::string type() const {
        const std::string body = said();
        const std::size_t begin = body.find("/problems/") + 10;
        return body.substr(begin, body.find('"', begin) - begin);
    }

    KeyWorld world_;
    std::optional<Response> refusal_;
};

TEST_F(TrustedDoor, is_for_this_machine_as_long_as_there_is_no_key) {
    EXPECT_FALSE(world_.keeper.refuse(request_of("localhost:8080"), Scope::admin));
    EXPECT_EQ(with_key("ff_of_yesterday"), 403);
    world_.add("ops", "read");
    EXPECT_TRUE(world_.keeper.refuse(request_of("localhost:8080"), Scope::read));
    EXPECT_EQ(world_.keys->revoke("ops"), 0U);
    EXPECT_FALSE(world_.keeper.refuse(request_of("localhost:8080"), Scope::admin));
}

TEST_F(TrustedDoor, opens_to_a_key_by_any_name_from_any_page) {
    const std::string key = world_.add("ops", "read");
    EXPECT_EQ(with_key(key), 0);
    EXPECT_EQ(with_key(key, Scope::read, "https://elsewhere.example"), 0);
    EXPECT_EQ(answer(Scope::read, {{"authorization", "bearer  " + key}}), 0);
}

TEST_F(TrustedDoor, takes_a_key_as_the_password_of_basic_authentication) {
    const std::string key = world_.add("ops", "read");
    std::string pair = "anybody:" + key;  // 54 bytes, so without padding
    static constexpr std::string_view letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string base64;
    for (std::size_t at = 0; at + 2 < pair.size(); at += 3) {
        const auto byte = [&](std::size_t i) {
            return static_cast<unsigned>(static_cast<unsigned char>(pair[at + i]));
        };
        const unsigned three = byte(0) << 16 | byte(1) << 8 | byte(2);
        for (const int shift : {18, 12, 6, 0}) {
            base64 += letters[three >> shift & 63];
        }
    }
    EXPECT_EQ(answer(Scope::read, {{"Authorization", "Basic " + base64}}), 0);
    EXPECT_EQ(answer(Scope::read, {{"Authorization", "Basic " + base64.substr(4)}}), 0)
        << "no name";
    EXPECT_EQ(answer(Scope::read, {{"Authorization", "Basic !" + base64.substr(1)}}), 401);
    EXPECT_EQ(answer(Scope::read, {{"Authorization", "Basic "}}), 401);
}

TEST_F(TrustedDoor, asks_for_a_key_and_says_how) {
    const std::string key = world_.add("ops", "read");
    EXPECT_EQ(answer(Scope::read, {}), 401);
    EXPECT_EQ(type(), "key-required");
    EXPECT_EQ(challenge(), R"(Bearer realm="footfall")");
    for (const std::string& wrong :
         {std::string{"Bearer"},
          std::string{"Bearer "},
          "Bearer " + key + "x",
          "Bearer " + key.substr(0, key.size() - 1),
          "Bearer ff_" + std::string(keys::secret_length, 'A'),
          "Digest " + key,
          "Bearer" + key,
          key}) {
        EXPECT_EQ(answer(Scope::read, {{"Authorization", wrong}}), 401) << wrong;
        EXPECT_EQ(type(), "key-refused");
        EXPECT_THAT(challenge(), HasSubstr("invalid_token"));
    }
}

TEST_F(TrustedDoor, holds_a_key_to_its_scopes) {
    const std::vector<std::pair<Scope, const char*>> scopes{
        {Scope::read, "read"},
        {Scope::write, "write"},
        {Scope::people, "people"},
        {Scope::money, "money"}
    };
    const std::string admin = world_.add("admin", "admin");
    for (const auto& [has, name] : scopes) {
        const std::string key = world_.add(name, name);
        for (const Scope needed :
             {Scope::read, Scope::write, Scope::people, Scope::money, Scope::admin}) {
            EXPECT_EQ(with_key(key, needed), has == needed ? 0 : 403) << name;
            if (has != needed) {
                EXPECT_EQ(type(), "scope-missing");
                EXPECT_THAT(
                    said(), HasSubstr("an API key with the scope " + std::string{name_of(needed)})
                );
            }
            EXPECT_EQ(with_key(admin, needed), 0);
        }
    }
}

TEST_F(TrustedDoor, closes_to_a_key_that_expires_or_is_revoked) {
    const std::string short_lived = world_.add("short", "read", world_.clock.now() + hours{1});
    const std::string key = world_.add("ops", "read");
    EXPECT_EQ(with_key(short_lived), 0);
    world_.clock.advance(hours{1});
    EXPECT_EQ(with_key(short_lived), 401);
    EXPECT_THAT(said(), HasSubstr("expired"));
    EXPECT_TRUE(world_.keys->revoke("ops"));
    EXPECT_EQ(with_key(key), 401);
    EXPECT_EQ(answer(Scope::read, {}), 401) << "the expired key keeps the door closed";
}

TEST_F(TrustedDoor, takes_a_session_from_a_page_of_ours_only) {
    const std::string key = world_.add("ops", "read");
    const std::string id = world_.sessions.open(keys::hash_of(key))->id;
    EXPECT_EQ(with_session(id), 0);
    EXPECT_EQ(with_session(id, "http://count.example:8080"), 0);
    EXPECT_EQ(with_session(id, {}, "same-origin"), 0);
    EXPECT_EQ(with_session(id, "http://evil.example"), 403);
    EXPECT_EQ(type(), "other-origin");
    EXPECT_EQ(with_session(id, "http://count.example:9090"), 403) << "the same site to a browser";
    EXPECT_EQ(with_session(id, {}, "same-site"), 403);
    EXPECT_EQ(with_session(id, {}, "cross-site"), 403);
    EXPECT_EQ(with_session(id, {}, {}, Scope::write), 403);
    EXPECT_EQ(type(), "scope-missing");
    EXPECT_EQ(with_session("none"), 401);
    EXPECT_EQ(
        answer(
            Scope::read,
            {{"Cookie", std::string{session_cookie} + "=" + id}, {"Authorization", "Bearer wrong"}}
        ),
        401
    ) << "who shows a key is judged by it";
}

TEST_F(TrustedDoor, ends_a_session_with_its_key) {
    const std::string key = world_.add("ops", "read", world_.clock.now() + hours{2});
    world_.add("other", "admin");
    const std::string id = world_.sessions.open(keys::hash_of(key))->id;
    world_.clock.advance(hours{2});
    EXPECT_EQ(with_session(id), 401);
    const std::string again = world_.add("more", "read");
    const std::string other_id = world_.sessions.open(keys::hash_of(again))->id;
    EXPECT_EQ(with_session(other_id), 0);
    EXPECT_TRUE(world_.keys->revoke("more"));
    EXPECT_EQ(with_session(other_id), 401);
    const std::string last = world_.sessions.open(keys::hash_of(world_.add("more", "read")))->id;
    world_.clock.advance(keys::Sessions::lifetime);
    EXPECT_EQ(with_session(last), 401);
    EXPECT_EQ(type(), "key-required");
}

TEST_F(TrustedDoor, tells_whose_key_it_is) {
    const std::string key = world_.add("ops", "read");
    Request request = request_of(own_host);
    const std::string authorization = "Bearer " + key;
    request.headers.emplace_back("Authorization", authorization);
    EXPECT_EQ(world_.keeper.caller(request)->name, "ops");
    EXPECT_EQ(world_.keeper.holder(key)->name, "ops");
    EXPECT_FALSE(world_.keeper.holder("ops"));
}

TEST_F(TrustedDoor, decides_by_the_header_alone) {
    http_server::Router router;
    FrontDoor door{router, world_.keeper};
    const auto answer = [](http_server::Exchange&) { return std::optional<runtime::Task<>>{}; };
    constexpr auto post = http_server::Method::post;
    door.add(Scope::write, post, "/events", answer, {.bytes = 1000});
    door.add_open(post, "/collected", answer, {.bytes = 100}, [](const Request& asked) {
        return refuse_other_sites(asked, {});
    });
    const std::string key = "Bearer " + world_.add("ops", "write");
    const auto refused = [&](std::string_view path, std::size_t length, std::string_view shown) {
        Request head = request_of(path == "/events" ? own_host : "elsewhere.example");
        head.method = post;
        head.path = path;
        head.length = length;
        if (!shown.empty()) {
            head.headers.emplace_back("Authorization", shown);
        }
        const http_server::Endpoint* const endpoint = router.find(head);
        const auto refusal = endpoint->refuse(head);
        EXPECT_EQ(endpoint->entrance.door == http_server::Door::trusted, path == "/events")
            << "the public door has memory of its own";
        return refusal ? refusal->status : 0;
    };
    EXPECT_EQ(refused("/events", 1000, ""), 401);
    EXPECT_EQ(refused("/events", 1000, key), 0);
    EXPECT_EQ(refused("/events", 1001, key), 413);
    EXPECT_EQ(refused("/events", 1001, ""), 401) << "a stranger learns nothing of limits";
    EXPECT_EQ(refused("/collected", 10, ""), 403);
}

TEST_F(TrustedDoor, of_others_says_where_to_go) {
    http_server::Router router;
    FrontDoor door{router, world_.keeper};
    bool called = false;
    door.elsewhere("by a process with the role collect")
        .add(Scope::write, http_server::Method::post, "/events", [&](http_server::Exchange&) {
            called = true;
            return std::optional<runtime::Task<>>{};
        });
    Request request = request_of("localhost:8080");
    request.method = http_server::Method::post;
    request.path = "/events";
    const Response told = ask(router, request);
    EXPECT_EQ(told.status, 421);
    EXPECT_THAT(told.body, HasSubstr("/problems/another-process"));
    EXPECT_THAT(told.body, HasSubstr("by a process with the role collect"));
    EXPECT_FALSE(called);
    world_.add("ops", "read");
    EXPECT_EQ(ask(router, request).status, 401) << "who may not come in is told nothing";
}

}  // namespace
}  // namespace footfall::api
