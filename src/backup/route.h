#pragma once

#include "backup/manifest.h"
#include "backup/place.h"
#include "foundation/clock.h"
#include "foundation/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace footfall::backup {

/// How a moment is reached: a backup, and what was written between it and the moment.
struct Route {
    Manifest base;
    std::vector<StoredFile> past;  ///< Logs, each once.
    std::uint64_t block_min = 0;   ///< What they say goes so far at least.
};

/// The times between which every moment can be restored, as far as lists of backups tell.
struct Span {
    Instant first;
    Instant last;

    friend bool operator==(const Span&, const Span&) = default;
};

/// The way to what a deployment was at `moment`: from the last backup that has nothing later, by
/// the logs of those since. `not_found` when no backup is as old, or none was made since with what
/// had been written before it, naming what can be restored. Pure.
Result<Route> route_to(const Listing& listing, Instant moment);

/// What a restore can be told, the earliest first. Pure.
std::vector<Span> spans_of(const Listing& listing);

/// [{"first":"2026-11-30T03:00:00Z","last":"2026-11-30T21:00:00Z"}]
std::string json_of(const std::vector<Span>& spans);

/// "2026-11-30T03:00:00Z to 2026-11-30T21:00:00Z and ..", for a person; "" for none.
std::string text_of(const std::vector<Span>& spans);

}  // namespace footfall::backup
