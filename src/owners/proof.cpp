#include "owners/proof.h"

#include "foundation/parse_number.h"
#include "keys/hmac.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdint>

namespace footfall::owners {
namespace {

/// Clocks of a cluster differ by less; somebody who listens can repeat a request for so long.
constexpr std::chrono::minutes clocks_differ_most{1};
/// Nothing else is signed with these bytes.
constexpr std::string_view purpose = "footfall asks the owner of a lane";

std::string proof_at(SipKey secret, std::string_view body, std::uint64_t second) {
    std::string message = fmt::format("{} {} ", purpose, second);
    message += body;
    return fmt::format("{}-{}", second, keys::hex_of(keys::hmac(secret, message)));
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
    return keys::same_proof(proof, proof_at(secret, body, *second));
}

}  // namespace footfall::owners
