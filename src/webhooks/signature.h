#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"

#include <string>
#include <string_view>

namespace footfall::webhooks {

/// How a secret begins that signs what is sent; behind it stand 24 to 64 bytes in base64.
inline constexpr std::string_view secret_prefix = "whsec_";

/// A new secret, of 32 bytes. `unavailable`: the system gives no random bytes.
Result<std::string> make_secret();

/// Whether a secret could be one of make_secret(), or one that its owner made; `invalid_input` says
/// what is wrong.
Result<void> check_secret(std::string_view secret);

/// The value of the header `webhook-signature`: "v1," and the HMAC-SHA-256 of "ID.SECONDS.BODY" in
/// base64 (Standard Webhooks 1.0, "Signature scheme"). `sent` in whole seconds is what the header
/// `webhook-timestamp` says. The secret is one that was checked. Pure.
std::string signature(
    std::string_view secret, std::string_view id, Instant sent, std::string_view body
);

}  // namespace footfall::webhooks
