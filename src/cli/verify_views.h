#pragma once

#include "cli/event_parts.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "journal/log.h"
#include "storage/store.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace footfall::cli {

/// What a comparison came to.
struct Verified {
    std::uint64_t events = 0;
    std::uint64_t objects = 0;  ///< Pairs of action and object.
    std::uint64_t differences = 0;
};

/// What is held to what.
struct VerifiedParts {
    storage::Store* store;
    journal::Log* log;
    SipKey secret;
    /// Of each lane: the records before it are compared.
    std::vector<std::uint64_t> ends;
    /// Asks how far rows are stored, each lane's records before that. Where others write rows
    /// meanwhile it moves on, and what is missing behind it is waited for.
    std::function<Result<std::vector<std::uint64_t>>()> stored;
    /// How long nothing may come of a lane before it is said to be missing.
    std::chrono::milliseconds patience{30'000};
};

/// Counts the views again from the log of judged events, record by record, and holds every stored
/// number to that: events, counted, refused by reason, people, and how far it was counted, of each
/// object and of all objects together, by day and of all time. Of events that are kept no more it
/// takes what the expired tables say; objects without any other are not looked at, nor rows of
/// other logs. `difference` is told of each that is not the same, as a sentence; `progress` of
/// events counted so far, now and then.
///
/// Others may count meanwhile: each row says up to which record it was counted, and is held to the
/// log up to there; also above `ends`.
///
/// Lane by lane, and a lane with more than a million events in parts, so that memory stays within a
/// few hundred MiB. Two reads of the store for each object, one after the other.
Result<Verified> verify_views(
    const VerifiedParts& parts,
    const std::function<void(const std::string&)>& difference,
    const std::function<void(std::uint64_t)>& progress
);

/// The same on a store that is all ours: nobody may take events meanwhile. Writes what is not
/// stored yet.
Result<Verified> verify_views(
    EventParts& parts,
    const std::function<void(const std::string&)>& difference,
    const std::function<void(std::uint64_t)>& progress
);

}  // namespace footfall::cli
