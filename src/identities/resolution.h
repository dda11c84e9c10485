#pragma once

#include "foundation/result.h"
#include "identities/fact.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::identities {

/// When a link with an id of this network counts: as it was said first, or as it was said last.
enum class Keeps : std::uint8_t { first, latest };

/// What holds of the ids of one network.
struct IdentifierGuards {
    std::optional<std::size_t> per_profile = {};    ///< Most ids of it in a profile.
    std::optional<std::size_t> shared_above = {};   ///< Instead of Guards::shared_above.
    std::set<std::string, std::less<>> never = {};  ///< Values that stand for nobody.
    Keeps keeps = Keeps::first;
};

/// What keeps links from uniting strangers. A plain value.
struct Guards {
    std::size_t profile_ids = 1000;  ///< Most ids in a profile.
    std::size_t shared_above = 64;   ///< An id linked with more others than that unites nobody.
    std::map<std::string, IdentifierGuards, std::less<>> identifiers = {};  ///< By network.
};

/// Why a link unites nobody.
enum class Objection : std::uint8_t { per_profile, profile_ids, shared, parting };

std::string_view name_of(Objection objection);

/// A link of which at least one pair is not in one profile by it, and why.
struct Contested {
    FactId fact{};
    std::vector<Id> ids;  ///< The pair that was objected to first: the first id, and another.
    Objection objection = Objection::shared;

    friend bool operator==(const Contested&, const Contested&) = default;
};

/// An id in a profile.
struct Member {
    Id id;
    Instant since{};          ///< Of the fact that said it first.
    std::string source = {};  ///< Of that fact.

    friend bool operator==(const Member&, const Member&) = default;
};

/// Ids that are one person.
struct Profile {
    Id named_after;               ///< The id of it that was said first: of the earliest link, by
                                  ///< `first` and then by the fact's id; in it the first by order.
    std::vector<Member> members;  ///< By id.

    friend bool operator==(const Profile&, const Profile&) = default;
};

struct Resolution {
    std::vector<Profile> profiles;     ///< Each id in one; by the id they are named after.
    std::vector<Contested> contested;  ///< In canonical order.
    std::set<Id> shared;               ///< Ids that unite nobody; each is a profile of its own.

    friend bool operator==(const Resolution&, const Resolution&) = default;
};

/// The profiles that follow from these facts, whatever order they come in. Pure.
///
/// 1. A decision that a later revoke is about does not hold, nor does a link whose latest decision
///    is a reject. ("Later" is by `first`, then by the fact's id.) Revokes cannot be revoked.
/// 2. An id is *shared* when links that hold name it with more than `shared_above` distinct others,
///    or when its value is one of `never`. It unites nobody.
/// 3. Links are taken in *canonical order*: first those of which no id has Keeps::latest, by
///    `first`, then by the fact's id; behind them the others, by `last`, newest first, then by the
///    fact's id. A link unites the profile of its first id that is not shared with that of each
///    other one that is not shared, in the order of the ids, unless somebody objects:
///    - a parting that holds, of which the two profiles together have an id on each side;
///    - where the link is not accepted: more than `per_profile` ids of a network, or more than
///      `profile_ids` in all, would be in one profile.
/// 4. A link that names a shared id, or that was objected to, is contested.
///
/// Cost: n log n of the ids that the facts name, and for each pair that is united the smaller of
/// the two profiles.
Resolution resolve(std::span<const Fact> facts, const Guards& guards);

}  // namespace footfall::identities
