#include "audit/note.h"

#include "audit/tree.h"
#include "foundation/hex.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace footfall::audit {
namespace {

using testing::HasSubstr;

KeyBytes seed_of(std::string_view digits) {
    KeyBytes seed;
    std::ranges::copy(*unhex(digits), seed.begin());
    return seed;
}

Signer signer() {
    return *Signer::make("footfall/1/main", KeyBytes{1, 2, 3});
}

/// The key of golang.org/x/mod/sumdb/note's own tests, and its note.
TEST(Note, of_another_program_is_believed) {
    const auto verifier =
        Verifier::parse("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW");
    ASSERT_TRUE(verifier) << verifier.error().message;
    const std::string note =
        "If you think cryptography is the answer to your problem,\n"
        "then you don't know what your problem is.\n"
        "\n"
        "\u2014 PeterNeumann "
        "x08go/ZJkuBS9UG/"
        "SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
        "\n";
    const auto good = verifier->check(note);
    EXPECT_TRUE(good) << good.error().message;
    std::string changed = note;
    changed[3] = 'Y';
    EXPECT_FALSE(verifier->check(changed));
}

/// RFC 8032, section 7.1, the first test.
TEST(Note, has_the_key_that_the_standard_has) {
    const auto made = Signer::make(
        "k", seed_of("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
    );
    const std::string vkey = made->verifier().vkey();
    const auto bytes = bytes_of_base64(vkey.substr(vkey.find('+', 2) + 1));
    EXPECT_EQ(hex(*bytes), "01d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
}

TEST(Checkpoint, is_three_lines_and_a_signature) {
    const TreeHead head{.size = 7, .root = empty_root()};
    const std::string note = *signer().sign(checkpoint_text("footfall/1/main", head));
    EXPECT_THAT(
        note,
        testing::StartsWith("footfall/1/main\n7\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n"
                            "\u2014 footfall/1/main ")
    );
    EXPECT_TRUE(signer().verifier().check(note));
    const auto read = read_checkpoint(note);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->origin, "footfall/1/main");
    EXPECT_EQ(read->head, head);
}

TEST(Checkpoint, that_was_forged_is_refused) {
    const std::string note =
        *signer().sign(checkpoint_text("footfall/1/main", {.size = 7, .root = empty_root()}));
    for (std::size_t at = 0; at < note.size(); ++at) {
        for (const char bit : {'\x01', '\x40'}) {
            std::string changed = note;
            changed[at] = static_cast<char>(changed[at] ^ bit);
            EXPECT_FALSE(signer().verifier().check(changed) && read_checkpoint(changed)) << at;
        }
        EXPECT_FALSE(signer().verifier().check(note.substr(0, at))) << at;
    }
    const Signer other = *Signer::make("footfall/1/main", KeyBytes{9});
    EXPECT_FALSE(other.verifier().check(note)) << "the name alone is worth nothing";
    for (const char* const bad :
         {"",
          "\n\n",
          "a\n1\nx\n\n",
          "a\n01\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n",
          "a\n-1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n",
          "a\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuF==\n\n",
          "a\n99999999999999999999\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n"}) {
        EXPECT_FALSE(read_checkpoint(bad)) << bad;
    }
}

TEST(VerifierKey, is_read_as_it_is_written) {
    const Verifier own = signer().verifier();
    EXPECT_EQ(Verifier::parse(own.vkey())->vkey(), own.vkey());
    std::string other = own.vkey();
    other[other.find('+') + 1] = other[other.find('+') + 1] == '0' ? '1' : '0';
    for (const std::string& bad :
         {std::string{},
          std::string{"a"},
          std::string{"a+b"},
          std::string{"a+00000000+AA=="},
          other,
          own.vkey() + " "}) {
        const auto read = Verifier::parse(bad);
        ASSERT_FALSE(read) << bad;
        EXPECT_EQ(read.error().kind, ErrorKind::invalid_input);
    }
}

}  // namespace
}  // namespace footfall::audit
