#include "keys/hmac.h"

#include <gtest/gtest.h>

namespace footfall::keys {
namespace {

/// Bytes 0 to 15 as key.
constexpr SipKey secret{0x0706050403020100, 0x0f0e0d0c0b0a0908};

TEST(Hmac, is_what_others_compute) {  // Python's hmac
    EXPECT_EQ(
        hex_of(hmac(secret, "")), "07eff8b326b7798c9ccfcbdbe579489ac785a7995a04618b1a2813c26744777d"
    );
    EXPECT_EQ(
        hex_of(hmac(secret, std::string(100, 'a'))),
        "3759d8a9cbd7ce64d2aae97e03f253ff7e25398bf05c9271b9e9562e438c922d"
    );
    EXPECT_EQ(hex_of(hmac(secret, ""), 4), "07eff8b3");
}

TEST(Hmac, proofs_are_the_same_or_not) {
    EXPECT_TRUE(same_proof("", ""));
    EXPECT_TRUE(same_proof("ab", "ab"));
    EXPECT_FALSE(same_proof("ab", "aB"));
    EXPECT_FALSE(same_proof("a", "ab"));
    EXPECT_FALSE(same_proof("abc", "ab"));
}

}  // namespace
}  // namespace footfall::keys
