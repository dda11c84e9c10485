#include "ads_routes/link_signature.h"

#include <gtest/gtest.h>

namespace footfall::ads::routes {
namespace {

constexpr SipKey secret{1, 2};
constexpr Link link_of_r{.ad = "a", .reseller = "r", .to = "https://shop.example/"};

TEST(LinkSignature, holds_for_its_link_and_secret_alone) {
    const std::string signature = make_signature(secret, link_of_r);
    EXPECT_EQ(signature.size(), 32U);
    EXPECT_TRUE(is_signature(signature, secret, link_of_r));
    Link other = link_of_r;
    other.ad = "b";
    EXPECT_FALSE(is_signature(signature, secret, other));
    other = link_of_r;
    other.reseller = "s";
    EXPECT_FALSE(is_signature(signature, secret, other));
    other = link_of_r;
    other.to = "";
    EXPECT_FALSE(is_signature(signature, secret, other));
    EXPECT_FALSE(is_signature(signature, SipKey{1, 3}, link_of_r));
}

TEST(LinkSignature, is_whole_and_as_it_was_made) {
    const std::string signature = make_signature(secret, link_of_r);
    EXPECT_FALSE(is_signature("", secret, link_of_r));
    EXPECT_FALSE(is_signature(signature.substr(0, 31), secret, link_of_r));
    EXPECT_FALSE(is_signature(signature + "0", secret, link_of_r));
    for (std::size_t at = 0; at < signature.size(); ++at) {
        std::string forged = signature;
        forged[at] = forged[at] == '0' ? '1' : '0';
        EXPECT_FALSE(is_signature(forged, secret, link_of_r)) << at;
    }
}

TEST(LinkSignature, knows_where_each_part_of_a_link_ends) {
    EXPECT_NE(
        make_signature(secret, {.ad = "ab", .reseller = "c", .to = ""}),
        make_signature(secret, {.ad = "a", .reseller = "bc", .to = ""})
    );
    EXPECT_NE(
        make_signature(secret, {.ad = "a", .reseller = "b", .to = "c"}),
        make_signature(secret, {.ad = "a", .reseller = "bc", .to = ""})
    );
}

}  // namespace
}  // namespace footfall::ads::routes
