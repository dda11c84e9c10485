#include "keys/hmac.h"

#include "foundation/check.h"

#include <fmt/format.h>

#include <cstdint>

namespace footfall::keys {
namespace {

constexpr std::size_t block_bytes = 64;

std::string_view text_of(const SecretHash& hash) {
    return {reinterpret_cast<const char*>(hash.data()), hash.size()};
}

}  // namespace

/// The secret is shorter than a block.
SecretHash hmac(SipKey secret, std::string_view message) {
    std::string inner(block_bytes, '\x36');
    std::string outer(block_bytes, '\x5c');
    for (std::size_t at = 0; at < 16; ++at) {
        const std::uint64_t half = at < 8 ? secret.k0 : secret.k1;
        const auto byte = static_cast<char>(half >> 8 * (at % 8) & 0xff);
        inner[at] = static_cast<char>(inner[at] ^ byte);
        outer[at] = static_cast<char>(outer[at] ^ byte);
    }
    inner += message;
    outer += text_of(hash_of(inner));
    return hash_of(outer);
}

bool same_proof(std::string_view shown, std::string_view right) {
    if (shown.size() != right.size()) {
        return false;
    }
    unsigned differences = 0;
    for (std::size_t at = 0; at < right.size(); ++at) {
        differences |= static_cast<unsigned char>(shown[at] ^ right[at]);
    }
    return differences == 0;
}

std::string hex_of(const SecretHash& hash, std::size_t bytes) {
    CHECK(bytes <= hash.size(), "a hash has 32 bytes", bytes);
    std::string hex;
    hex.reserve(2 * bytes);
    for (std::size_t at = 0; at < bytes; ++at) {
        hex += fmt::format("{:02x}", hash[at]);
    }
    return hex;
}

}  // namespace footfall::keys
