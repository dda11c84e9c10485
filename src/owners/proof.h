#pragma once

#include "foundation/clock.h"
#include "foundation/siphash.h"

#include <string>
#include <string_view>

namespace footfall::owners {

/// The header in which a process shows that it is one of the deployment.
inline constexpr std::string_view proof_header = "Footfall-Proof";

/// Who can make one knows the deployment's secret, which only its store has: the time, and
/// HMAC-SHA-256 of it and of `body`. Good for this body, and for a minute around `now`.
std::string make_proof(SipKey secret, std::string_view body, Instant now);

/// Whether `proof` is one. Takes as long for one that is nearly right.
bool is_proof(std::string_view proof, SipKey secret, std::string_view body, Instant now);

}  // namespace footfall::owners
