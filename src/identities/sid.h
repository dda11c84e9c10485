#pragma once

#include "foundation/siphash.h"
#include "identities/fact.h"

#include <string>
#include <string_view>

namespace footfall::identities {

/// The name of a profile that is named after an id: a UUID of version 5 (RFC 9562, 5.5) in a
/// namespace that the deployment's secret says. The same wherever the secret is, and says nothing
/// of the id to who does not know the secret.
std::string sid_of(SipKey secret, const Id& named_after);

/// Whether a text could be a sid: five groups of hexadecimal digits in small letters.
bool looks_like_sid(std::string_view text);

/// The 16 bytes of a sid, as rows have it. What is no sid stays as it is, and names nothing.
std::string stored_sid(std::string_view sid);

/// Of what stored_sid() answered. What is damaged stays as it is, and is no sid.
std::string read_sid(std::string_view stored);

}  // namespace footfall::identities
