#include "audit/sha256.h"

#include "foundation/check.h"

#include <algorithm>
#include <memory>
#include <openssl/evp.h>

namespace footfall::audit {
namespace {

struct FreeShaContext {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

struct FreeSha {
    void operator()(EVP_MD* digest) const { EVP_MD_free(digest); }
};

/// Looked up once: OpenSSL's own look-up takes locks and allocates.
const EVP_MD* sha256_digest() {
    static const std::unique_ptr<EVP_MD, FreeSha> digest{EVP_MD_fetch(nullptr, "SHA256", nullptr)};
    CHECK(digest != nullptr, "OpenSSL has no SHA-256");
    return digest.get();
}

const unsigned char* unsigned_bytes(std::string_view text) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

Hash sha256(std::initializer_list<std::string_view> parts) {
    thread_local const std::unique_ptr<EVP_MD_CTX, FreeShaContext> context{EVP_MD_CTX_new()};
    Hash hash;
    unsigned length = 0;
    bool good =
        context != nullptr && EVP_DigestInit_ex2(context.get(), sha256_digest(), nullptr) == 1;
    for (const std::string_view part : parts) {
        good = good && EVP_DigestUpdate(context.get(), part.data(), part.size()) == 1;
    }
    good = good && EVP_DigestFinal_ex(context.get(), hash.data(), &length) == 1;
    CHECK(good && length == hash.size(), "SHA-256 failed", length);
    return hash;
}

std::string_view bytes_of(const Hash& hash) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    return {reinterpret_cast<const char*>(hash.data()), hash.size()};
}

Result<Hash> hash_from(std::string_view bytes) {
    Hash hash;
    if (bytes.size() != hash.size()) {
        return fail(ErrorKind::corrupt, "a hash has 32 bytes");
    }
    std::ranges::copy(bytes, hash.begin());
    return hash;
}

std::string base64_of(std::string_view bytes) {
    std::string base64((bytes.size() + 2) / 3 * 4 + 1, '\0');  // a zero is written behind it
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    auto* const room = reinterpret_cast<unsigned char*>(base64.data());
    const int length = EVP_EncodeBlock(room, unsigned_bytes(bytes), static_cast<int>(bytes.size()));
    base64.resize(static_cast<std::size_t>(length));
    return base64;
}

std::optional<std::string> bytes_of_base64(std::string_view base64) {
    if (base64.size() % 4 != 0) {
        return std::nullopt;
    }
    if (base64.empty()) {
        return std::string{};
    }
    const std::size_t padding = base64.ends_with("==") ? 2 : base64.ends_with('=') ? 1 : 0;
    std::string bytes(base64.size() / 4 * 3, '\0');
    const int length = EVP_DecodeBlock(
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
        reinterpret_cast<unsigned char*>(bytes.data()),
        unsigned_bytes(base64),
        static_cast<int>(base64.size())
    );
    if (length != static_cast<int>(bytes.size())) {
        return std::nullopt;
    }
    bytes.resize(bytes.size() - padding);
    // What decodes in several ways, blanks and bits that nobody reads, is none: there is one form.
    return base64_of(bytes) == base64 ? std::optional{std::move(bytes)} : std::nullopt;
}

}  // namespace footfall::audit
