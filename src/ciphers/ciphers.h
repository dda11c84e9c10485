#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// What reads and backups are sealed with, by OpenSSL: AES-256 (FIPS 197) in two ways, and SHA-256.
/// Pure. A thread keeps contexts, with the last keys that it used in them.
namespace footfall::ciphers {

using Key = std::array<unsigned char, 32>;
using Block = std::array<unsigned char, 16>;
using Nonce = std::array<unsigned char, 12>;

/// SHA-256 (FIPS 180-4).
Key digest(std::string_view text);

/// One block as it is, for what never comes twice.
Block encrypt(const Key& key, const Block& block);
Block decrypt(const Key& key, const Block& block);

/// Two blocks, each as it is: a key that is made of them.
Key encrypt(const Key& key, const Key& blocks);

inline constexpr std::size_t tag_bytes = 16;

/// Appends the text under GCM (NIST SP 800-38D), with its tag behind it. `beside` is no part of it,
/// but has to be the same when it is opened.
void append_sealed(
    const Key& key,
    const Nonce& nonce,
    std::string_view beside,
    std::string_view text,
    std::string& out
);

/// Absent: it was sealed under another key, or with something else beside it, or is damaged.
std::optional<std::string> open(
    const Key& key, const Nonce& nonce, std::string_view beside, std::string_view sealed
);

}  // namespace footfall::ciphers
