#include "keys/key_text.h"

#include "foundation/check.h"
#include "foundation/secret_random.h"

#include <algorithm>
#include <array>
#include <memory>
#include <openssl/evp.h>

namespace footfall::keys {
namespace {

struct FreeContext {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

struct FreeDigest {
    void operator()(EVP_MD* digest) const { EVP_MD_free(digest); }
};

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data()
    );  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
}

/// The algorithm, looked up once: OpenSSL's own look-up takes locks and allocates.
const EVP_MD* sha256() {
    static const std::unique_ptr<EVP_MD, FreeDigest> digest{EVP_MD_fetch(nullptr, "SHA256", nullptr)
    };
    CHECK(digest != nullptr, "OpenSSL has no SHA-256");
    return digest.get();
}

}  // namespace

Result<std::string> make_secret() {
    TRY(const auto random, (draw_secret<std::array<unsigned char, 32>>()));
    std::array<unsigned char, 45> base64;  // 44 letters and a zero
    EVP_EncodeBlock(base64.data(), random.data(), random.size());
    std::string secret{base64.begin(), base64.begin() + secret_length};
    std::ranges::replace(secret, '+', '-');
    std::ranges::replace(secret, '/', '_');
    return secret;
}

Result<std::string> make_key() {
    TRY(const std::string secret, make_secret());
    return std::string{key_prefix} + secret;
}

bool looks_like_key(std::string_view text) {
    return text.size() == key_length && text.starts_with(key_prefix);
}

SecretHash hash_of(std::string_view secret) {
    thread_local const std::unique_ptr<EVP_MD_CTX, FreeContext> context{EVP_MD_CTX_new()};
    SecretHash hash;
    unsigned length = 0;
    const bool done = context != nullptr &&
                      EVP_DigestInit_ex2(context.get(), sha256(), nullptr) == 1 &&
                      EVP_DigestUpdate(context.get(), secret.data(), secret.size()) == 1 &&
                      EVP_DigestFinal_ex(context.get(), hash.data(), &length) == 1;
    CHECK(done && length == hash.size(), "SHA-256 failed", length);
    return hash;
}

std::optional<std::string_view> decode_base64(std::string_view base64, std::span<char> room) {
    if (base64.empty() || base64.size() % 4 != 0 || base64.size() / 4 * 3 > room.size()) {
        return std::nullopt;
    }
    const int decoded = EVP_DecodeBlock(
        reinterpret_cast<unsigned char*>(room.data()
        ),  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
        bytes_of(base64),
        static_cast<int>(base64.size())
    );
    // It takes padding anywhere for zeros, and passes over blanks at both ends.
    const bool padded_inside = base64.substr(0, base64.size() - 2).contains('=');
    if (padded_inside || decoded != static_cast<int>(base64.size() / 4 * 3)) {
        return std::nullopt;
    }
    const std::size_t padding = base64.ends_with("==") ? 2 : base64.ends_with('=') ? 1 : 0;
    return std::string_view{room.data(), static_cast<std::size_t>(decoded) - padding};
}

}  // namespace footfall::keys
