#pragma once

#include "events/event.h"

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace footfall::events {

/// What a body of events is written in.
enum class EventForm {
    json,               ///< One object, or an array of them.
    ndjson,             ///< One object a line; blank lines are passed over.
    cloudevent,         ///< One CloudEvents 1.0 envelope (structured mode, JSON).
    cloudevents_batch,  ///< An array of them.
};

/// An event that was not taken, and why.
struct RejectedEvent {
    std::size_t line;
    std::string field;  ///< At fault; empty: the line as a whole.
    std::string detail;
};

struct ReadEvents {
    std::vector<Event> good;
    std::vector<std::size_t> lines;  ///< Of each good one, from 1: its line, or place in the array.
    std::vector<RejectedEvent> rejected;
};

/// Reads events, some at a time, so that a large body need not keep a thread from others. What is
/// bad is rejected by itself; fields that are not known are passed over. An event without a time
/// has happened at `arrival`.
///
/// A CloudEvents envelope gives what its `data`, an event, does not say: `id` is the envelope's
/// source and id, together, since only together they are unique; `time`; `object` its subject;
/// `action` the last word of its type.
///
/// Not thread-safe. Cost: about a microsecond an event.
class EventReader {
public:
    /// `invalid_input` when the body is no JSON in a form where that cannot be said of a part of
    /// it. `body` must outlive the reader. Of ndjson only its last lines are copied, else all of it
    /// once.
    static Result<EventReader> open(std::string_view body, EventForm form, Instant arrival);

    EventReader(const EventReader&) = delete;
    EventReader& operator=(const EventReader&) = delete;
    EventReader(EventReader&&) noexcept;
    EventReader& operator=(EventReader&&) noexcept;
    ~EventReader();

    bool done() const;

    /// How many events may be left, at most: lines or elements. Costs a look at all that is left.
    std::size_t left() const;

    /// The next events, at most so many, good and rejected together.
    ReadEvents next(std::size_t events_max);

private:
    struct State;

    explicit EventReader(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

}  // namespace footfall::events
