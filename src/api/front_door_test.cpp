#include "api/front_door.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace footfall::api {
namespace {

bool let_in(std::string_view host, std::string_view origin = {}) {
    http_server::Request request;
    request.known = {.host = host, .origin = origin};
    const auto refusal = refuse_stranger(request);
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
        http_server::Request request;
        request.known = {.host = "count.example.org", .origin = origin};
        return !refuse_other_sites(request, named);
    };
    EXPECT_TRUE(let_in_public("https://www.example.org", sites));
    EXPECT_TRUE(let_in_public("", sites)) << "an image";
    EXPECT_FALSE(let_in_public("https://example.org.evil.example", sites));
    EXPECT_FALSE(let_in_public("http://example.org", sites));
    EXPECT_FALSE(let_in_public("null", sites));
    EXPECT_FALSE(let_in_public("", {})) << "no loopback name, and no sites";
}

}  // namespace
}  // namespace footfall::api
