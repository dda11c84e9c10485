#include "webhooks/public_address.h"

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <string>

namespace footfall::webhooks {
namespace {

bool is_public_text(const std::string& text) {
    in_addr v4{};
    if (inet_pton(AF_INET, text.c_str(), &v4) == 1) {
        return is_public(v4);
    }
    in6_addr v6{};
    EXPECT_EQ(inet_pton(AF_INET6, text.c_str(), &v6), 1) << text;
    return is_public(v6);
}

TEST(PublicAddress, those_of_networks_that_are_given_out) {
    for (const char* const text :
         {"1.1.1.1",         "8.8.8.8",         "9.255.255.255",   "11.0.0.0",
          "100.63.255.255",  "100.128.0.0",     "126.255.255.255", "128.0.0.0",
          "169.253.255.255", "169.255.0.0",     "172.15.255.255",  "172.32.0.0",
          "192.0.1.0",       "192.167.255.255", "192.169.0.0",     "198.17.255.255",
          "198.20.0.0",      "203.0.112.255",   "203.0.114.0",     "223.255.255.255",
          "2001:200::1",     "2606:4700::1111", "2a00::1",         "3ffe::1"}) {
        EXPECT_TRUE(is_public_text(text)) << text;
    }
}

TEST(PublicAddress, not_those_that_are_set_apart) {
    for (const char* const text :
         {"0.0.0.0",
          "0.1.2.3",
          "10.0.0.1",
          "10.255.255.255",
          "100.64.0.1",
          "100.127.255.255",
          "127.0.0.1",
          "127.1.2.3",
          "169.254.169.254",
          "172.16.0.1",
          "172.31.255.255",
          "192.0.0.170",
          "192.0.2.1",
          "192.88.99.1",
          "192.168.0.1",
          "198.18.0.1",
          "198.19.255.255",
          "198.51.100.7",
          "203.0.113.9",
          "224.0.0.1",
          "239.1.1.1",
          "240.0.0.1",
          "255.255.255.255",
          "::",
          "::1",
          "::ffff:8.8.8.8",
          "::ffff:127.0.0.1",
          "64:ff9b::808:808",
          "64:ff9b:1::1",
          "100::1",
          "2001::1",
          "2001:1ff::1",
          "2001:db8::1",
          "2002:7f00:1::",
          "3fff::1",
          "fc00::1",
          "fd00:ec2::254",
          "fe80::1",
          "ff02::1",
          "4000::1"}) {
        EXPECT_FALSE(is_public_text(text)) << text;
    }
}

TEST(PublicAddress, not_those_of_other_families) {
    sockaddr local{};
    local.sa_family = AF_UNIX;
    EXPECT_FALSE(is_public(local));
}

}  // namespace
}  // namespace footfall::webhooks
