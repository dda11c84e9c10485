#pragma once

#include "events/event.h"
#include "foundation/result.h"
#include "foundation/siphash.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace footfall::events {

/// Appends the event as it is stored: docs/formats/event.md. Equal events give equal bytes.
void append_event(const Event& event, std::string& out);

/// The same without what strip() takes from it, and only what strip() takes: together they are the
/// event.
void append_stripped(const Event& event, std::string& out);
void append_personal(const Event& event, std::string& out);

/// Adds to an event what append_personal() wrote of it. `corrupt` when it is none.
Result<void> add_personal(std::string_view bytes, Event& event);

/// The event that append_event() wrote. Fields of a later version are passed over. `corrupt` when
/// it is none.
Result<Event> read_event(std::string_view bytes);

/// Tells two events of one id apart: a hash of all that their sender said but the id. An event sent
/// again has the same, also when it has no time of its own. Of a read it is a hash of what
/// strip() leaves: it is stored for longer than who read may be known.
std::uint64_t content_hash(const Event& event, SipKey secret);

}  // namespace footfall::events
