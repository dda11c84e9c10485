#include "keys/key_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <set>

namespace footfall::keys {
namespace {

TEST(KeyText, is_recognisable_and_never_the_same) {
    std::set<std::string> seen;
    for (int at = 0; at < 1000; ++at) {
        const std::string key = make_key().value_or("");
        ASSERT_TRUE(looks_like_key(key)) << key;
        ASSERT_EQ(
            key.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                  "0123456789-_"),
            std::string::npos
        ) << key;
        ASSERT_TRUE(seen.insert(key).second) << key;
    }
    EXPECT_FALSE(looks_like_key(""));
    EXPECT_FALSE(looks_like_key("ff_"));
    EXPECT_FALSE(looks_like_key(std::string(key_length, 'f')));
}

/// FIPS 180-4, the examples for SHA-256.
TEST(KeyText, is_hashed_by_sha_256) {
    const auto hex = [](std::string_view text) {
        return fmt::format("{:02x}", fmt::join(hash_of(text), ""));
    };
    EXPECT_EQ(hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(
        hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    );
}

TEST(KeyText, base64_is_decoded_or_refused) {
    std::array<char, 12> room;
    EXPECT_EQ(decode_base64("OmE=", room), ":a");
    EXPECT_EQ(decode_base64("dTphYg==", room), "u:ab");
    EXPECT_EQ(decode_base64("dTphYmM6", room), "u:abc:");
    for (const char* wrong :
         {"", "a", "OmE", " OmE=", "OmE= ", "O!E=", "OmE=OmE=", "====", "OmFiY2RlZmdoaWprbG1ub3A="
         }) {
        EXPECT_EQ(decode_base64(wrong, room), std::nullopt) << wrong;
    }
}

}  // namespace
}  // namespace footfall::keys
