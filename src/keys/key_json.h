#pragma once

#include "keys/key_registry.h"
#include "keys/rights.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace footfall::keys {

// Keys as JSON, the same by HTTP and on the command line. Pure. "scopes" is empty for a key that is
// bound to a party, and "reseller" or "publisher" follows it.

/// How a request for a key says what it may do: `"scopes":["read"]` or `"reseller":"r"`.
std::string asked_rights_json(const Rights& rights);

/// {"name","scopes","created","expires","key","notice"}: the only text with the key itself in it.
std::string made_key_json(const KeyRegistry::Added& added);

/// {"keys":[{"name","scopes","created","expires","expired"}]}.
std::string key_list_json(std::span<const ApiKey> keys, Instant now);

/// {"revoked","left","notice"}.
std::string revoked_key_json(std::string_view name, std::size_t left);

/// {"name","scopes"}: whoever asks; null for whoever needs no key.
std::string caller_json(std::optional<std::string_view> name, const Rights& rights);

}  // namespace footfall::keys
