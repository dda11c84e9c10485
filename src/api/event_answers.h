#pragma once

#include "intake/event_search.h"
#include "intake/lane_judge.h"

#include <span>
#include <string>

namespace footfall::api {

/// Appends an event with its verdict as JSON: what its sender said, where it stands, when it came,
/// of a read whether it is shared,
/// what was decided on which evidence, and why, as a sentence. An address that was kept long enough
/// (Context::keep_addresses) is told as a keyed hash, by which those of one deployment can be
/// compared.
void append_found_event(
    const intake::FoundEvent& found, const intake::Context& context, std::string& json
);

/// {"events":[..]}, in the order given.
std::string found_events_json(
    std::span<const intake::FoundEvent> found, const intake::Context& context
);

}  // namespace footfall::api
