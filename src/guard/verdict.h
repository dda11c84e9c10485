#pragma once

#include "events/event.h"
#include "foundation/clock.h"
#include "foundation/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::guard {

/// What a rule went by: names and values, for people: {"seconds", "12"}.
using Evidence = std::vector<std::pair<std::string, std::string>>;

/// What a rule says of an event.
struct Objection {
    std::string reason;  ///< Stable, for programs: "repeat_fast".
    std::string rule;    ///< The rule's name in the rule file.
    Evidence evidence;

    friend bool operator==(const Objection&, const Objection&) = default;
};

/// Whether an event counts, and why not. Given once, stored with the event, never changed.
struct Verdict {
    std::uint32_t rules_version = 0;
    std::optional<Objection> refusal;  ///< Absent: it is counted. Else of the first rule to object.
    std::vector<Objection> shadow;     ///< Of rules that are only tried: they change nothing.

    bool counted() const { return !refusal; }

    friend bool operator==(const Verdict&, const Verdict&) = default;
};

/// Which door an event came in by: the one for those who are trusted with every field, or the one
/// for everybody (script, pixel, redirect link).
enum class Door { trusted_door, public_door };

/// An event as it stands in the log of what was judged, with all that is needed to judge it again.
struct JudgedEvent {
    events::Event event;
    Instant arrival{};
    Verdict verdict;
    Door door = Door::trusted_door;
    /// What the door saw that says that no person asked: "HEAD", "prefetch". Empty: nothing.
    std::string machine_sign = {};

    friend bool operator==(const JudgedEvent&, const JudgedEvent&) = default;
};

/// Appends the record: docs/formats/event.md.
void append_judged(const JudgedEvent& judged, std::string& out);

/// The record that append_judged() wrote; `corrupt` when it is none.
Result<JudgedEvent> read_judged(std::string_view bytes);

}  // namespace footfall::guard
