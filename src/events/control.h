#pragma once

#include "events/event.h"
#include "foundation/clock.h"
#include "foundation/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// Control records: records of the log of judged events that are no events, but say what holds for
/// those behind them in their lane. Plain values. Their bytes: docs/formats/event.md.
namespace footfall::events {

/// From here on the events of its lane were judged by this rule set. The judge of a lane writes it
/// into every lane by itself, so that each tells which rules were in force.
struct RulesInForce {
    std::uint32_t version = 0;
    std::string digest;  ///< RuleSet::digest().

    friend bool operator==(const RulesInForce&, const RulesInForce&) = default;
};

/// Whose share it is.
enum class PartyKind : std::uint8_t { reseller, publisher };

/// Somebody said what share a party has from a ledger day on. Whether that is so is decided where
/// it is applied, from what stands before it.
struct RateSaid {
    PartyKind kind = PartyKind::reseller;
    std::string party;
    std::int32_t effective = 0;  ///< A ledger day: days since 1970-01-01.
    std::optional<std::uint32_t>
        share;  ///< In millionths; absent: what that day says is withdrawn.
    std::string reason;
    std::string author;
    std::optional<std::string> if_match;  ///< What must stand before it; absent: whatever stands.
    Instant said{};                       ///< By the clock of the door.
    std::string id;                       ///< Random: by it who said it finds the answer.
    std::optional<std::uint64_t> source = {};  ///< As JudgedEvent::source.

    friend bool operator==(const RateSaid&, const RateSaid&) = default;
};

/// Somebody sealed a ledger month, and all before it.
struct MonthSealed {
    std::int32_t month = 0;  ///< Months since 1970-01.
    std::string reason;
    std::string author;
    Instant said{};                            ///< By the clock of the door.
    std::string id;                            ///< Random: by it who said it finds the answer.
    std::optional<std::uint64_t> source = {};  ///< As JudgedEvent::source.

    friend bool operator==(const MonthSealed&, const MonthSealed&) = default;
};

/// What is left of what somebody shared as a reader they are no more is that of the present one.
/// Who, and what, is in the seal alone (people::ReadSeals): articles of this lane, of one day.
struct ReadsToldAgain {
    std::string seal;
    std::optional<std::uint64_t> source = {};  ///< As JudgedEvent::source.

    friend bool operator==(const ReadsToldAgain&, const ReadsToldAgain&) = default;
};

/// A mark among what stands in a lane, which changes nothing: who waits for a lane to have stored
/// all that was there says it, and asks whether the lane has come past it.
struct ReadsMark {
    Instant said{};                            ///< By the clock of who says it.
    std::optional<std::uint64_t> source = {};  ///< As JudgedEvent::source.

    friend bool operator==(const ReadsMark&, const ReadsMark&) = default;
};

/// What an operator decides about ids that are one person, or are not.
enum class IdentityKind : std::uint8_t { parting, accept, reject, revoke, lift };

/// Somebody decided about identities. What follows is computed where it is applied.
struct IdentityDecided {
    IdentityKind kind = IdentityKind::parting;
    std::vector<Identifier> ids;          ///< One side of a parting; those of what it is about.
    std::vector<Identifier> others = {};  ///< The other side.
    std::string about = {};               ///< Of accept, reject, revoke: a fact, as its bytes.
    std::string reason = {};
    std::string author = {};
    Instant said{};                            ///< By the clock of the door.
    std::string id = {};                       ///< Random: said twice it is two decisions.
    std::optional<std::uint64_t> source = {};  ///< As JudgedEvent::source.

    friend bool operator==(const IdentityDecided&, const IdentityDecided&) = default;
};

/// From here on the profiles of identities are made under these guards, and ids are normalised so.
/// Said in every lane. Of two the one of the higher version holds.
struct IdentityGuards {
    std::uint32_t version = 0;
    std::string guards;                        ///< As identities::text_of(Guards) writes them.
    Instant said{};                            ///< By the clock of who says it.
    std::optional<std::uint64_t> source = {};  ///< As JudgedEvent::source.

    friend bool operator==(const IdentityGuards&, const IdentityGuards&) = default;
};

using Control = std::variant<
    RulesInForce,
    RateSaid,
    MonthSealed,
    ReadsToldAgain,
    ReadsMark,
    IdentityDecided,
    IdentityGuards>;

/// A control, and in which lane it is to be said.
struct ControlInLane {
    std::uint32_t lane = 0;
    Control control;
};

/// Whether it came from outside: not from the judge of the lane itself.
bool is_said(const Control& control);

/// Its place in its lane of the log of events; absent: it was not taken from one.
std::optional<std::uint64_t> source_of(const Control& control);

/// Notes that place. Only of what is_said().
void set_source(Control& control, std::uint64_t source);

/// By this tag a record that is a control is told from an event.
inline constexpr std::uint64_t control_tag = 15;

/// Appends the record.
void append_control(const Control& control, std::string& out);

/// What stands in the field `control_tag` of a record. `corrupt`: it is damaged, or says what this
/// version does not know, which is never passed over: it may change what follows.
Result<Control> read_control(std::string_view bytes);

}  // namespace footfall::events
