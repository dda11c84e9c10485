#pragma once

#include "foundation/result.h"
#include "identities/resolution.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Which value of a datum stands for a profile, where its ids and sources say several. Pure.
namespace footfall::identities {

/// By what one value wins.
enum class Wins : std::uint8_t {
    latest,    ///< Said of the latest time.
    first,     ///< Said of the earliest time.
    longest,   ///< The longest text.
    sources,   ///< Of the source that stands first in the order; of others the latest.
    strictest  ///< That stands first in the order; one that is not in it is stricter than all.
};

struct DatumRule {
    Wins wins = Wins::latest;
    std::vector<std::string> order = {};  ///< Of sources, or of values.

    friend bool operator==(const DatumRule&, const DatumRule&) = default;
};

/// By name; a datum without one goes by the latest value.
using DatumRules = std::map<std::string, DatumRule, std::less<>>;

/// Of the consent of a person the strictest of all ids holds, unless rules say otherwise.
DatumRules default_rules();

/// "city=first,segment=sources:crm>shop,consent=strictest:denied>granted": rules in place of, and
/// beside, the default ones. `invalid_input`: what is wrong with it.
Result<DatumRules> read_rules(std::string_view text);

std::string_view name_of(Wins wins);

/// A value that stands for a profile, and why.
struct Winner {
    std::string name;
    std::string value;  ///< As JSON.
    Wins wins = Wins::latest;
    std::string source = {};  ///< Who said it,
    Id of;                    ///< of which id,
    Instant time{};           ///< of which time; of the longest when that source spoke last.
    std::size_t others = 0;   ///< How many other values there are that lost.
};

/// By name. Of values that win alike the largest does, then that of the first source and id.
std::vector<Winner> winners(std::span<const Member> members, const DatumRules& rules);

}  // namespace footfall::identities
