#pragma once

#include "cli/event_parts.h"
#include "foundation/result.h"

#include <cstdint>
#include <functional>
#include <string>

namespace footfall::cli {

/// What a comparison came to.
struct Verified {
    std::uint64_t events = 0;
    std::uint64_t objects = 0;  ///< Pairs of action and object.
    std::uint64_t differences = 0;
};

/// Counts the views again from the log of judged events, record by record, and holds every stored
/// number to that: events, counted, refused by reason and people, of each object, by day and of
/// all time, and of all objects together. Of events that are kept no more it takes what the expired
/// tables say; objects without any other are not looked at. `difference` is told of each that is
/// not the same, as a sentence; `progress` of events counted so far, now and then. Nobody may take
/// events meanwhile.
///
/// Lane by lane, and a lane with more than a million events in parts, so that memory stays within a
/// few hundred MiB.
Result<Verified> verify_views(
    EventParts& parts,
    const std::function<void(const std::string&)>& difference,
    const std::function<void(std::uint64_t)>& progress
);

}  // namespace footfall::cli
