#pragma once

#include "foundation/result.h"
#include "identities/resolution.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// Guards as records and rows have them. Pure.
namespace footfall::identities {

/// Most bytes of such a text: a record of the log has room for it.
inline constexpr std::size_t guards_text_max = 256 << 10;

/// One text for equal guards, JSON: {"profile_ids":1000,"shared_above":64,"identifiers":
/// [{"name":"www","per_profile":1,"never":["x"],"keeps":"latest","normalise":"lower","ttl":2592000}]}.
/// What holds anyway is left out of identifiers.
std::string text_of(const Guards& guards);

/// `corrupt`: it is none of ours, or of a newer version of the program.
Result<Guards> read_guards(std::string_view text);

/// "first" and "latest"; "none", "lower", "email" and "phone". Absent: it is another word.
std::optional<Keeps> keeps_named(std::string_view word);
std::optional<Normalise> normalise_named(std::string_view word);

}  // namespace footfall::identities
