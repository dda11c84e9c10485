#pragma once

#include "foundation/siphash.h"

#include <string>
#include <string_view>

namespace footfall::ads::routes {

/// What a link says, decoded. Views of the caller's.
struct Link {
    std::string_view ad;
    std::string_view reseller;
    std::string_view to;  ///< Empty: it names no target, and leads to the ad's first.
};

/// What shows that this deployment made the link: 128 bits of an HMAC-SHA-256 under its secret over
/// all that the link says, as 32 letters of 0-9 and a-f. It holds as long as the secret does.
std::string make_signature(SipKey secret, const Link& link);

/// Whether `signature` is that of this very link. Takes as long for one that is nearly right.
bool is_signature(std::string_view signature, SipKey secret, const Link& link);

}  // namespace footfall::ads::routes
