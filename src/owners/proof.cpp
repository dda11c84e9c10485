#include "owners/proof.h"

#include "foundation/parse_number.h"
#include "keys/key_text.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdint>

namespace footfall::owners {
namespace {

/// Clocks of a cluster differ by less; somebody who listens can repeat a request for so long.
constexpr std::chrono::minutes clocks_differ_most{1};
/// Nothing else is signed with these bytes.
constexpr std::string_view purpose = "footfall asks the owner of a lane";
constexpr std::size_t block_bytes = 64;

std::string_view text_of(const keys::SecretHash& hash) {
    return {reinterpret_cast<const char*>(hash.data()), hash.size()};
}

/// RFC 2104. The secret is shorter than a block.
keys::SecretHash hmac(SipKey secret, std::string_view message) {
    std::string inner(block_bytes, '\x36');
    std::string outer(block_bytes, '\x5c');
    for (std::size_t at = 0; at < 16; ++at) {
        const std::uint64_t half = at < 8 ? secret.k0 : secret.k1;
        const auto byte = static_cast<char>(half >> 8 * (at % 8) & 0xff);
        inner[at] = static_cast<char>(inner[at] ^ byte);
        outer[at] = static_cast<char>(outer[at] ^ byte);
    }
    inner += message;
    outer += text_of(keys::hash_of(inner));
    return keys::hash_of(outer);
}

std::string proof_at(SipKey secret, std::string_view body, std::uint64_t second) {
    std::string message = fmt::format("{} {} ", purpose, second);
    message += body;
    std::string proof = fmt::format("{}-", second);
    for (const std::uint8_t byte : hmac(secret, message)) {
        proof += fmt::format("{:02x}", byte);
    }
    return proof;
}

std::uint64_t second_of(Instant now) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch();
    return static_cast<std::uint64_t>(seconds.count());
}

}  // namespace

std::string make_proof(SipKey secret, std::string_view body, Instant now) {
    return proof_at(secret, body, second_of(now));
}

bool is_proof(std::string_view proof, SipKey secret, std::string_view body, Instant now) {
    const auto second = parse_unsigned(proof.substr(0, proof.find('-')));
    const auto range = static_cast<std::uint64_t>(std::chrono::seconds{clocks_differ_most}.count());
    if (!second || *second + range < second_of(now) || *second > second_of(now) + range) {
        return false;
    }
    const std::string right = proof_at(secret, body, *second);
    if (proof.size() != right.size()) {
        return false;
    }
    unsigned differences = 0;
    for (std::size_t at = 0; at < right.size(); ++at) {
        differences |= static_cast<unsigned char>(proof[at] ^ right[at]);
    }
    return differences == 0;
}

}  // namespace footfall::owners
