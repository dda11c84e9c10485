#include "identities/sid.h"

#include "foundation/check.h"
#include "foundation/hex.h"
#include "identities/stored_ids.h"

#include <array>
#include <cstdint>
#include <openssl/evp.h>
#include <optional>
#include <utility>

namespace footfall::identities {
namespace {

constexpr std::size_t uuid_bytes = 16;
constexpr std::size_t sid_digits = 36;

bool is_hyphen(std::size_t at) {
    return at == 8 || at == 13 || at == 18 || at == 23;
}

void append_number(std::uint64_t number, std::string& out) {
    for (std::size_t at = 0; at < sizeof(number); ++at) {
        out += static_cast<char>(number >> (8 * at));
    }
}

/// Nobody learns the secret by it: it is hashed with its own keyed hash of a constant.
std::string name_space(SipKey secret) {
    std::string bytes;
    append_number(siphash13(secret, "footfall profiles 1"), bytes);
    append_number(siphash13(secret, "footfall profiles 2"), bytes);
    return bytes;
}

std::string text_of_uuid(std::string_view bytes) {
    std::string sid;
    sid.reserve(sid_digits);
    for (const char each : hex(bytes)) {
        if (is_hyphen(sid.size())) {
            sid += '-';
        }
        sid += each;
    }
    return sid;
}

}  // namespace

std::string sid_of(SipKey secret, const Id& named_after, std::uint32_t erasures) {
    std::string bytes = name_space(secret) + stored_text({named_after});
    if (erasures > 0) {
        append_number(erasures, bytes);
    }
    std::array<std::uint8_t, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    const int done =
        EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha1(), nullptr);
    CHECK(done == 1 && length >= uuid_bytes, "the library of ciphers has SHA-1");
    digest[6] = static_cast<std::uint8_t>((digest[6] & 0x0FU) | 0x50U);  // version 5
    digest[8] = static_cast<std::uint8_t>((digest[8] & 0x3FU) | 0x80U);  // variant of RFC 9562
    return text_of_uuid(std::string{digest.begin(), digest.begin() + uuid_bytes});
}

std::string SidNames::of(const Id& named_after) const {
    return sid_of(secret, named_after, ledger == nullptr ? 0 : ledger->count(named_after));
}

std::vector<std::string> SidNames::all_of(const Id& named_after) const {
    const std::uint32_t count = ledger == nullptr ? 0 : ledger->count(named_after);
    std::vector<std::string> sids;
    for (std::uint32_t erasures = 0; erasures <= count; ++erasures) {
        sids.push_back(sid_of(secret, named_after, erasures));
    }
    return sids;
}

bool looks_like_sid(std::string_view text) {
    if (text.size() != sid_digits) {
        return false;
    }
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool is_digit =
            (text[at] >= '0' && text[at] <= '9') || (text[at] >= 'a' && text[at] <= 'f');
        if (is_hyphen(at) ? text[at] != '-' : !is_digit) {
            return false;
        }
    }
    return true;
}

std::string stored_sid(std::string_view sid) {
    std::string digits{sid};
    std::erase(digits, '-');
    auto bytes = looks_like_sid(sid) ? unhex(digits) : std::nullopt;
    return bytes ? *std::move(bytes) : std::string{sid};
}

std::string read_sid(std::string_view stored) {
    return stored.size() == uuid_bytes ? text_of_uuid(stored) : std::string{stored};
}

}  // namespace footfall::identities
