#pragma once

#include "foundation/result.h"
#include "identities/fact.h"

#include <chrono>
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

/// How values of a network are written before anything is said of them (normalised.h).
enum class Normalise : std::uint8_t { none, lower, email, phone };

/// The shortest and the longest time to live that guards may give a network.
inline constexpr std::chrono::hours ttl_min{1};
inline constexpr std::chrono::days ttl_max{3650};

/// What holds of the ids of one network.
struct IdentifierGuards {
    std::optional<std::size_t> per_profile = {};    ///< Most ids of it in a profile, at least 1.
    std::optional<std::size_t> shared_above = {};   ///< Instead of Guards::shared_above.
    std::set<std::string, std::less<>> never = {};  ///< Values that stand for nobody.
    Keeps keeps = Keeps::first;
    Normalise normalise = Normalise::none;  ///< No matter of resolve(): facts have it already.
    /// What is said of its ids ends so long after it was said last.
    std::optional<std::chrono::seconds> ttl = {};

    friend bool operator==(const IdentifierGuards&, const IdentifierGuards&) = default;
};

/// What keeps links from uniting strangers. A plain value.
struct Guards {
    std::size_t profile_ids = 1000;  ///< Most ids in a profile.
    std::size_t shared_above = 64;   ///< An id linked with more others than that unites nobody.
    /// Nor does one that was lifted and is linked with more than that: what it leads to is to be
    /// read whenever one of the others is looked at. No setting.
    std::size_t lifted_above = 10'000;
    std::map<std::string, IdentifierGuards, std::less<>> identifiers = {};  ///< By network.

    friend bool operator==(const Guards&, const Guards&) = default;
};

/// An id that is linked with more others is shared.
std::size_t most_others(const Guards& guards, const Id& id, bool is_lifted = false);

/// Whether the value of an id stands for nobody.
bool is_never(const Guards& guards, const Id& id);

/// Why a link unites nobody.
enum class Objection : std::uint8_t { per_profile, profile_ids, shared, parting };

std::string_view name_of(Objection objection);

/// Absent: there is no objection of this name.
std::optional<Objection> objection_named(std::string_view name);

/// A link that holds, of which at least one pair was objected to.
struct Contested {
    FactId fact{};
    std::vector<Id> ids;  ///< The pair that was objected to first: the link's first id, another.
    Objection objection = Objection::shared;

    friend bool operator==(const Contested&, const Contested&) = default;
};

/// What a source said of an id.
struct SaidDatum {
    Datum datum;
    std::string source = {};
    Instant first{};  ///< When `datum.first` was said of.
    Instant last{};   ///< When `datum.latest` was said of.

    friend bool operator==(const SaidDatum&, const SaidDatum&) = default;
};

/// An id in a profile.
struct Member {
    Id id;
    Instant since{};          ///< `first` of the link that said it first; of a shared id 0.
    std::string source = {};  ///< Of that link; of a shared id "".
    std::vector<SaidDatum> data = {};  ///< By name, then by source; of a shared id none.

    friend bool operator==(const Member&, const Member&) = default;
};

/// Ids that are one person.
///
/// An id is said first by the earliest link, by `first`, then by the fact's id, of those that hold
/// and name it; where none holds, of those that do not. So a link that was rejected leaves no trace
/// on an id that is known without it.
struct Profile {
    Id named_after;               ///< Whose first link is the earliest; in it the first by order.
    std::vector<Member> members;  ///< By id.

    friend bool operator==(const Profile&, const Profile&) = default;
};

struct Resolution {
    std::vector<Profile> profiles;     ///< Each id in one; by the id they are named after.
    std::vector<Contested> contested;  ///< In canonical order.
    std::set<Id> shared;               ///< Ids that unite nobody; each is a profile of its own.

    friend bool operator==(const Resolution&, const Resolution&) = default;
};

/// What is known beside the facts: the time, and, where facts are a part of all, of ids without all
/// facts that name them. A plain value.
struct Surroundings {
    /// What has ended by then does not count (rule 6). Without a word of it nothing has.
    Instant now = Instant::min();
    std::set<Id> shared = {};   ///< Unite nobody, whatever the facts tell here.
    std::set<Id> outside = {};  ///< Pairs with them are left out: who knows them sees to these.
};

/// The profiles that follow from these facts, whatever order they come in. Each fact is sealed and
/// there once. Ids of the surroundings are in no profile of the answer. Pure.
///
/// 1. A parting, an accept, a reject or a lift holds unless a revoke of it was said later, or at
/// the same
///    time. Of the accepts and rejects of a link that hold, the one said latest is its decision,
///    and at one time the one with the higher id. A link holds unless its decision is a reject; it
///    is accepted where that is an accept. A decision was said at its `last`, so that what was
///    revoked can be said again. A revoke cannot be revoked. A decision about a fact that is not
///    there, or of another kind than it can be about, says nothing.
/// 2. An id is *shared* when links name it with more than `shared_above` distinct others, or with
///    more than `lifted_above` where a lift of it holds, or when its value is one of `never`. It
///    unites nobody, whatever was accepted. Links that do not hold count, too: so an id that is
///    shared stays so whatever facts are added but a lift, and who knows that it is needs none of
///    its other facts.
/// 3. Links that hold are taken in *canonical order*: first those of which no id has
///    Keeps::latest, by `first`, then by the fact's id; behind them the others, by `last`, newest
///    first, then by the fact's id. The first id of a link is the first by order that is not
///    shared, or the first of all where each is. It makes a pair with each other id, in the order
///    of these. A pair unites the two profiles its ids are in then, unless one and the same, or
///    somebody objects, in this order:
///    - `shared`: one of the pair is shared;
///    - `parting`: a parting that holds has an id of one profile on one side, and an id of the
///      other profile on the other side;
///    - `per_profile`, where the link is not accepted: both profiles have ids of a network,
///    together
///      more than its `per_profile`. So a profile that has more by an accepted link is open to ids
///      of other networks;
///    - `profile_ids`, where the link is not accepted: they have more than `profile_ids` together.
/// 4. A link of which a pair was objected to is contested, also where another link unites the two.
/// 5. Every id that a link names is in one profile, also where no link of it holds: alone then. An
///    id that only partings name is in none.
///
/// 6. Where guards give networks a `ttl`, a link ends the least ttl of its ids after it was said
///    last, whatever was decided about it, and a datum likewise: from then on it does not hold, or
///    is not told, until it is said again. Partings and decisions do not end.
///
/// A shared id tells neither `since` nor `source` nor data, for the same reason.
///
/// Cost: n log n of the ids that the facts name, for each id of a link the others of it, and for
/// each pair what is known of the smaller of the two profiles. Fewer than 2^32 ids are named.
Resolution resolve(
    std::span<const Fact> facts, const Guards& guards, const Surroundings& surroundings = {}
);

/// What came of the pairs of a link that holds, but for those with ids outside. A plain value.
struct TakenLink {
    FactId link{};
    std::vector<Id> tied;  ///< Its first id and those of its pairs that nobody objected to;
                           ///< none where somebody objected to each.
    std::vector<Contested> objected;  ///< The other pairs, in their order.

    friend bool operator==(const TakenLink&, const TakenLink&) = default;
};

/// What came of each link that holds, in canonical order: who is tied to whom in the profiles of
/// resolve(). Pure; costs what that does.
std::vector<TakenLink> take_links(
    std::span<const Fact> facts, const Guards& guards, const Surroundings& surroundings = {}
);

}  // namespace footfall::identities
