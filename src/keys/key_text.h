#pragma once

#include "foundation/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace footfall::keys {

/// How every key begins, so that people and scanners of secrets recognise one.
inline constexpr std::string_view key_prefix = "ff_";
/// 32 bytes as base64url without padding.
inline constexpr std::size_t secret_length = 43;
inline constexpr std::size_t key_length = key_prefix.size() + secret_length;

/// SHA-256 of a secret.
using SecretHash = std::array<std::uint8_t, 32>;

/// 256 bits of the kernel's randomness as base64url, 43 letters. `unavailable` if it gives none.
Result<std::string> make_secret();

/// A new key: the prefix and a secret.
Result<std::string> make_key();

/// Whether `text` has the length and the prefix of a key. What has not is not worth hashing.
bool looks_like_key(std::string_view text);

/// SHA-256. Allocates only the first time on each thread. About 0.2 us for a key.
SecretHash hash_of(std::string_view secret);

/// The bytes that `base64` (RFC 4648, padded) stands for, in `room`; absent if it is none or they
/// do not fit. Allocates nothing.
std::optional<std::string_view> decode_base64(std::string_view base64, std::span<char> room);

}  // namespace footfall::keys
