#pragma once

#include "keys/party.h"
#include "keys/scopes.h"

#include <variant>

namespace footfall::keys {

/// What a key may do: what its scopes allow, or, where it is bound to a party, read what there is
/// of that one and nothing else.
using Rights = std::variant<Scopes, Party>;

/// The party that a key with these rights is bound to; null: it has scopes.
inline const Party* party_of(const Rights& rights) {
    return std::get_if<Party>(&rights);
}

/// Its scopes: none if it is bound to a party.
inline Scopes scopes_of(const Rights& rights) {
    const Scopes* const scopes = std::get_if<Scopes>(&rights);
    return scopes == nullptr ? Scopes{} : *scopes;
}

}  // namespace footfall::keys
