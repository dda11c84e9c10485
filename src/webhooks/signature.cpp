#include "webhooks/signature.h"

#include "foundation/check.h"
#include "foundation/secret_random.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <span>
#include <vector>

namespace footfall::webhooks {
namespace {

constexpr std::size_t drawn_bytes = 32;
constexpr std::size_t secret_bytes_min = 24;
constexpr std::size_t secret_bytes_max = 64;

std::string base64_of(std::span<const unsigned char> bytes) {
    std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');  // one more for the end that it writes
    const int length = EVP_EncodeBlock(
        reinterpret_cast<unsigned char*>(text.data()), bytes.data(), static_cast<int>(bytes.size())
    );
    text.resize(static_cast<std::size_t>(length));
    return text;
}

/// The bytes of a secret; empty: it is none.
std::vector<unsigned char> bytes_of_secret(std::string_view secret) {
    if (!secret.starts_with(secret_prefix)) {
        return {};
    }
    secret.remove_prefix(secret_prefix.size());
    if (secret.empty() || secret.size() % 4 != 0 || secret.size() > 2 * secret_bytes_max) {
        return {};
    }
    std::vector<unsigned char> bytes(secret.size() / 4 * 3);
    const int length = EVP_DecodeBlock(
        bytes.data(),
        reinterpret_cast<const unsigned char*>(secret.data()),
        static_cast<int>(secret.size())
    );
    if (length < 0) {
        return {};
    }
    const std::size_t padding = secret.ends_with("==") ? 2 : secret.ends_with("=") ? 1 : 0;
    bytes.resize(static_cast<std::size_t>(length) - padding);
    return bytes;
}

}  // namespace

Result<std::string> make_secret() {
    std::array<unsigned char, drawn_bytes> drawn{};
    TRY_VOID(draw_secret(std::as_writable_bytes(std::span{drawn})));
    return std::string{secret_prefix} + base64_of(drawn);
}

Result<void> check_secret(std::string_view secret) {
    const std::size_t bytes = bytes_of_secret(secret).size();
    if (bytes < secret_bytes_min || bytes > secret_bytes_max) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "a secret is {} and {} to {} bytes in base64; leave it out, and one is made",
                secret_prefix,
                secret_bytes_min,
                secret_bytes_max
            )
        );
    }
    return {};
}

std::string signature(
    std::string_view secret, std::string_view id, Instant sent, std::string_view body
) {
    const std::vector<unsigned char> key = bytes_of_secret(secret);
    const auto seconds = std::chrono::floor<std::chrono::seconds>(sent).time_since_epoch().count();
    const std::string message = fmt::format("{}.{}.{}", id, seconds, body);
    std::array<unsigned char, EVP_MAX_MD_SIZE> mac{};
    unsigned int length = 0;
    const unsigned char* const made = HMAC(
        EVP_sha256(),
        key.data(),
        static_cast<int>(key.size()),
        reinterpret_cast<const unsigned char*>(message.data()),
        message.size(),
        mac.data(),
        &length
    );
    CHECK(made != nullptr, "an HMAC is made");
    return "v1," + base64_of(std::span{mac}.first(length));
}

}  // namespace footfall::webhooks
