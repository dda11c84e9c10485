#include "foundation/address.h"

#include <gtest/gtest.h>

#include <string>

namespace footfall {
namespace {

/// "ADDRESS PORT", or "" for what is none.
std::string parsed(std::string_view text) {
    const auto place = parse_address(text);
    return place ? place->address + " " + std::to_string(place->port) : "";
}

TEST(Address, has_an_address_and_a_port) {
    EXPECT_EQ(parsed("127.0.0.1:8080"), "127.0.0.1 8080");
    EXPECT_EQ(parsed("node.example:0"), "node.example 0");
    EXPECT_EQ(parsed("[::1]:65535"), "::1 65535");
    EXPECT_EQ(parsed("::1:80"), "::1 80");
    for (const char* wrong :
         {"", ":", ":80", "host", "host:", "host:65536", "host:-1", "host:80 ", "host:8o", "[::1]"
         }) {
        EXPECT_EQ(parsed(wrong), "") << wrong;
    }
}

TEST(Address, is_split_as_it_is_written) {
    const SplitAddress split = split_address("[::1]:80").value_or(SplitAddress{});
    EXPECT_EQ(split.address, "[::1]");
    EXPECT_EQ(split.port, 80);
}

}  // namespace
}  // namespace footfall
