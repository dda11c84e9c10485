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

/// The event that append_event() wrote. Fields of a later version are passed over. `corrupt` when
/// it is none.
Result<Event> read_event(std::string_view bytes);

/// Tells two events of one id apart: a hash of all that their sender said but the id. An event sent
/// again has the same, also when it has no time of its own.
std::uint64_t content_hash(const Event& event, SipKey secret);

}  // namespace footfall::events
