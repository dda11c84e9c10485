#pragma once

#include "events/event.h"

#include <string>

namespace footfall::events {

/// Whether the time of an event whose sender gave none is written.
enum class ArrivalTime {
    written,   ///< For who reads the event.
    left_out,  ///< For who takes it: it gets the time of its arrival there.
};

/// Appends the event as one JSON object without a newline, in the form that EventReader reads, with
/// its fields in the order of the documentation. What is absent is left out; attributes stand as
/// they are. The texts must be UTF-8, as those of every event are that was read.
void append_event_json(
    const Event& event, std::string& out, ArrivalTime arrival_time = ArrivalTime::written
);

}  // namespace footfall::events
