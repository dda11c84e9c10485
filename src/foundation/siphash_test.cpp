#include "foundation/siphash.h"

#include <gtest/gtest.h>

#include <string>

namespace footfall {
namespace {

// Oracle: CPython 3.11 hashes bytes with SipHash-1-3; with PYTHONHASHSEED=0 its key is zero.
TEST(SipHash, equals_an_independent_implementation_with_the_zero_key) {
    EXPECT_EQ(siphash13({}, "a"), 0x407448d2b89b1813);
    EXPECT_EQ(siphash13({}, "abcdefg"), 0x6db12aae9070f506);
    EXPECT_EQ(siphash13({}, "abcdefgh"), 0x3f7b849c0b8e35ea);
    EXPECT_EQ(siphash13({}, "object_id"), 0x373e0f00dca1bec1);
    EXPECT_EQ(siphash13({}, "0123456789abcdef0123456789abcdef!"), 0xf57d8a77201be07b);
}

// Oracle: the first vector of the reference table, key 00 01 .. 0f, empty input.
TEST(SipHash, equals_the_published_vector_with_a_key) {
    EXPECT_EQ(
        siphash13({.k0 = 0x0706050403020100, .k1 = 0x0f0e0d0c0b0a0908}, ""), 0xabac0158050fc4dc
    );
}

TEST(SipHash, depends_on_the_key_the_length_and_every_byte) {
    const std::string zeros(64, '\0');
    EXPECT_NE(siphash13({.k0 = 1}, "a"), siphash13({.k0 = 2}, "a"));
    EXPECT_NE(siphash13({.k1 = 1}, "a"), siphash13({.k1 = 2}, "a"));
    for (std::size_t length = 0; length < zeros.size(); ++length) {
        EXPECT_NE(
            siphash13({}, zeros.substr(0, length)), siphash13({}, zeros.substr(0, length + 1))
        );
        std::string changed = zeros;
        changed[length] = 1;
        EXPECT_NE(siphash13({}, changed), siphash13({}, zeros));
    }
}

}  // namespace
}  // namespace footfall
