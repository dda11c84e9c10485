#pragma once

#include "events/control.h"
#include "foundation/result.h"

#include <string>
#include <string_view>

namespace footfall::keys {

using events::PartyKind;

/// "reseller" or "publisher": as options, fields and parameters are called, too.
std::string_view name_of(PartyKind kind);

/// One of those who earn by what is counted. Two of different kinds are different parties, also if
/// they have the same id. A plain value.
struct Party {
    PartyKind kind = PartyKind::reseller;
    std::string id;

    /// `invalid_input` if `id` is none: 1 to 256 bytes of UTF-8, as events name parties.
    static Result<Party> make(PartyKind kind, std::string id);

    /// What text() wrote; `invalid_input` if it is none of it.
    static Result<Party> parse(std::string_view text);

    /// "reseller:r", for the store.
    std::string text() const;

    /// `reseller "r"`, for people: what is in the id cannot upset a terminal.
    std::string description() const;

    friend bool operator==(const Party&, const Party&) = default;
};

}  // namespace footfall::keys
