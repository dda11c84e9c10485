#include "owners/proof.h"

#include <gtest/gtest.h>

namespace footfall::owners {
namespace {

using namespace std::chrono_literals;

constexpr SipKey test_secret{0x0706050403020100, 0x0f0e0d0c0b0a0908};
constexpr Instant now{1'790'000'000s};

/// Bytes 0 to 15 as key, by another program (Python's hmac).
TEST(Proof, is_the_hmac_that_others_compute) {
    EXPECT_EQ(
        make_proof(test_secret, "body", now),
        "1790000000-20fa1cf152bd50290c09ce0571d71a63403f391d3f68a36289d0981bc4201102"
    );
}

TEST(Proof, holds_for_its_body_and_secret_and_a_minute) {
    const std::string proof = make_proof(test_secret, "body", now);
    EXPECT_TRUE(is_proof(proof, test_secret, "body", now));
    EXPECT_TRUE(is_proof(proof, test_secret, "body", now + 60s));
    EXPECT_TRUE(is_proof(proof, test_secret, "body", now - 60s));
    EXPECT_FALSE(is_proof(proof, test_secret, "body", now + 61s));
    EXPECT_FALSE(is_proof(proof, test_secret, "body", now - 61s));
    EXPECT_FALSE(is_proof(proof, test_secret, "other", now));
    EXPECT_FALSE(is_proof(proof, SipKey{test_secret.k0, test_secret.k1 + 1}, "body", now));
}

TEST(Proof, is_nothing_else) {
    const std::string proof = make_proof(test_secret, "body", now);
    EXPECT_FALSE(is_proof("", test_secret, "body", now));
    EXPECT_FALSE(is_proof("-", test_secret, "body", now));
    EXPECT_FALSE(is_proof(proof.substr(0, proof.size() - 1), test_secret, "body", now));
    EXPECT_FALSE(is_proof(proof + "0", test_secret, "body", now));
    EXPECT_FALSE(is_proof("18446744073709551615-", test_secret, "body", now));
    std::string changed = proof;
    changed.back() = changed.back() == '0' ? '1' : '0';
    EXPECT_FALSE(is_proof(changed, test_secret, "body", now));
    // Another second than the one that was signed.
    EXPECT_FALSE(is_proof("1790000001" + proof.substr(10), test_secret, "body", now));
}

}  // namespace
}  // namespace footfall::owners
