#pragma once

#include "events/control.h"
#include "events/event.h"
#include "events/read_by.h"
#include "foundation/clock.h"
#include "foundation/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace footfall::events {

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
    /// Of a counted event: what a rule that did not object had to go without, {"shared", "away"}.
    Evidence remarks = {};

    bool counted() const { return !refusal; }

    friend bool operator==(const Verdict&, const Verdict&) = default;
};

/// Which door an event came in by: the one for those who are trusted with every field, or the one
/// for everybody (script, pixel, redirect link).
enum class Door { trusted_door, public_door };

/// An event as it stands in the log of what was judged, with all that is needed to judge it again.
struct JudgedEvent {
    Event event;
    Instant arrival{};
    Verdict verdict;
    Door door = Door::trusted_door;
    /// What the door saw that says that no person asked: "HEAD", "prefetch". Empty: nothing.
    std::string machine_sign = {};
    /// Its place in its lane of the log of events, where it was taken from one. Of several records
    /// of a lane that name one place the first is the event, the others are passed over: a process
    /// that lost the lane wrote them without knowing.
    std::optional<std::uint64_t> source = {};
    /// Of a read, from the door on; absent: it is none.
    std::optional<ReadBy> read = {};

    /// Whether what is personal of it is stored under a seal alone.
    bool is_sealed() const { return read && (read->reader || !read->seal.empty()); }

    friend bool operator==(const JudgedEvent&, const JudgedEvent&) = default;
};

/// Appends the record: docs/formats/event.md. Without a verdict, `rules_version` 0 and counted, it
/// is one of the log of events. Of a read what strip() takes is left out, and of a sealed one
/// evidence, too: read->seal stands for it.
void append_judged(const JudgedEvent& judged, std::string& out);

/// Appends what append_judged() leaves out of a sealed read, to be sealed.
void append_hidden(const JudgedEvent& judged, std::string& out);

/// Adds to a judged event what append_hidden() wrote of it. `corrupt` when it is none.
Result<void> add_hidden(std::string_view bytes, JudgedEvent& judged);

/// What a record of the log may be.
using LogRecord = std::variant<JudgedEvent, Control>;

/// The rules that a record puts in force; null: it says something else.
const RulesInForce* rules_in(const LogRecord& record);

/// The record that append_judged() or append_control() wrote; `corrupt` when it is none.
Result<LogRecord> read_record(std::string_view bytes);

}  // namespace footfall::events
