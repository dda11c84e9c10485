#pragma once

#include "intake/event_search.h"
#include "journal/log.h"

#include <span>
#include <string>

namespace footfall::api {

/// Appends an event with its verdict as JSON: what its sender said, where it stands, when it came,
/// what was decided on which evidence, and why, as a sentence.
void append_found_event(const intake::FoundEvent& found, journal::LogId log, std::string& json);

/// {"events":[..]}, in the order given.
std::string found_events_json(std::span<const intake::FoundEvent> found, journal::LogId log);

}  // namespace footfall::api
