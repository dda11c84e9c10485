#pragma once

#include "foundation/siphash.h"
#include "keys/key_text.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace footfall::keys {

/// HMAC-SHA-256 (RFC 2104) under the deployment's secret: who cannot read its store cannot make
/// one. Whatever is signed begins with what it is signed for, and has another beginning than all
/// else that is. Costs about 0.5 us.
SecretHash hmac(SipKey secret, std::string_view message);

/// Whether both are the same, in a time that only depends on their lengths: how much of a forged
/// proof is right must not be measured.
bool same_proof(std::string_view shown, std::string_view right);

/// The first `bytes` of a hash as letters 0-9 and a-f.
std::string hex_of(const SecretHash& hash, std::size_t bytes = SecretHash{}.size());

}  // namespace footfall::keys
