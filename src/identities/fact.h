#pragma once

#include "events/event.h"
#include "foundation/clock.h"
#include "foundation/result.h"

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::identities {

/// A name of somebody in some network. Compared byte by byte, in the order identifier, id_name,
/// id_value.
using Id = events::Identifier;

/// Most ids that are said to be one person at once. With the actor of an event a link may have one
/// more, and a parting has as many as the profile that it parts.
inline constexpr std::size_t fact_ids_max = events::identifiers_max;

enum class FactKind : std::uint8_t {
    link,     ///< `ids` are one person.
    parting,  ///< No id of `ids` is in a profile with one of `others`, by no path.
    accept,   ///< The link `about` unites over `per_profile` and `profile_ids`, not over partings.
    reject,   ///< The link `about` does not hold, said again or not.
    revoke,   ///< The parting, accept, reject or lift `about` does not hold any more.
    datum,    ///< Something is known of the one id of `ids`.
    lift      ///< `ids` unite, with however many others they are linked.
};

/// Something that is known of an id, by one source: of all values it gave what the rules by which
/// one wins can ask for, so that it has one size however often it is said. Values are scalars of
/// JSON as text: "\"Oslo\"", "7", "true".
struct Datum {
    std::string name;     ///< "city".
    std::string first;    ///< Said of the earliest time; of equal times the smallest.
    std::string latest;   ///< Said of the latest time; of equal times the largest.
    std::string longest;  ///< The longest; of equal lengths the largest.

    friend bool operator==(const Datum&, const Datum&) = default;
};

/// Which fact: a hash of its kind, its sets of ids, what it is about, its source and the name of a
/// datum, and not of its time. So a statement has one fact however often it is said.
struct FactId {
    std::array<std::uint8_t, 16> bytes{};

    friend auto operator<=>(const FactId&, const FactId&) = default;
};

/// 32 hexadecimal digits.
std::string text_of(const FactId& fact);

/// Absent: it is not 32 hexadecimal digits.
std::optional<FactId> fact_id_of(std::string_view text);

/// A statement about ids. A plain value.
struct Fact {
    FactId id{};
    FactKind kind = FactKind::link;
    std::vector<Id> ids;               ///< In their order, each once.
    std::vector<Id> others = {};       ///< Of a parting: the other side, in their order, each once.
    std::optional<FactId> about = {};  ///< Of accept, reject, revoke.
    Instant first{};                   ///< The earliest time it was said of.
    Instant last{};                    ///< The latest.
    Instant recorded{};                ///< When it was taken in for the first time.
    std::string source = {};           ///< Who sent it, in its own words.
    std::string author = {};           ///< Of decisions: the name of the key, or "this machine".
    std::string reason = {};
    std::optional<Datum> datum = {};  ///< Of a datum.

    friend bool operator==(const Fact&, const Fact&) = default;
};

/// "link", "parting" and so on: as rows and answers have them.
std::string_view name_of(FactKind kind);

/// Absent: there is no kind of this name.
std::optional<FactKind> kind_named(std::string_view name);

/// Puts ids into their order, each once.
void arrange(std::vector<Id>& ids);

/// The same in every process, and kept secret from nobody.
std::uint64_t hash_of(const Id& id);

/// Arranges the ids of the fact, and sets its id. Those of a lift and of its revokes begin with
/// four zeros: so they stand before the links of an id, and whoever reads of these only as many as
/// tell that it is shared has read whether it was lifted.
void seal(Fact& fact);

/// Whether a fact may be about an id that is shared: it is a lift, or its revoke.
bool decides_sharing(const Fact& fact);

/// Whether an id is one of those that stand first. One of four billion others is, too.
bool stands_first(const FactId& fact);

/// One fact of two statements of it: `first` the earlier, `last` the later, `recorded` the earlier
/// one, of a datum the value that goes with each. Associative, commutative, idempotent. Both have
/// one id.
void merge(Fact& fact, const Fact& other);

/// All ids that a fact names.
std::vector<Id> ids_of(const Fact& fact);

/// The ids under which a fact is stored: whoever has all facts of the ids of two profiles has all
/// that can object to their union. A link stands under each of its ids; a parting under those of
/// its smaller side, since it says nothing to profiles that have ids of one side alone; a decision
/// where what it is about stands. Never empty.
std::vector<Id> holders_of(const Fact& fact);

}  // namespace footfall::identities
