#pragma once

#include "erasure/ledger.h"
#include "foundation/siphash.h"
#include "identities/fact.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::identities {

/// The name of a profile that is named after an id: a UUID of version 5 (RFC 9562, 5.5) in a
/// namespace that the deployment's secret says. The same wherever the secret is, and says nothing
/// of the id to who does not know the secret.
/// `erasures`: how often the id was erased; whoever it names then is somebody new.
std::string sid_of(SipKey secret, const Id& named_after, std::uint32_t erasures = 0);

/// Names of profiles by the erasures of a ledger, which must outlive it. A plain value.
struct SidNames {
    SipKey secret;                            ///< The deployment's.
    const erasure::Ledger* ledger = nullptr;  ///< Null: nobody was erased.

    std::string of(const Id& named_after) const;

    /// The same, and those that it gave before it was erased.
    std::vector<std::string> all_of(const Id& named_after) const;
};

/// Whether a text could be a sid: five groups of hexadecimal digits in small letters.
bool looks_like_sid(std::string_view text);

/// The 16 bytes of a sid, as rows have it. What is no sid stays as it is, and names nothing.
std::string stored_sid(std::string_view sid);

/// Of what stored_sid() answered. What is damaged stays as it is, and is no sid.
std::string read_sid(std::string_view stored);

}  // namespace footfall::identities
