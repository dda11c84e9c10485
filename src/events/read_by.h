#pragma once

#include "events/event.h"

#include <cstdint>
#include <optional>
#include <string>

namespace footfall::events {

/// The action of whoever reads an article.
inline constexpr std::string_view read_action = "read";

/// What stands with a read in place of who read: nothing that tells it without keys that are
/// destroyed one day.
struct ReadBy {
    std::uint64_t id_hash = 0;  ///< Of the id that its sender gave it, keyed; 0: it has none.
    /// Who read, for those who have the day's key; absent: it is not shared, or the key is gone.
    /// Stands in `seal` alone when it is stored.
    std::optional<std::uint64_t> reader = {};
    std::string seal = {};  ///< As stored; empty: it is not shared, or was not stored yet.
    /// Drawn by each process for itself and never stored: what is remembered of who read what, to
    /// tell repeats, means nothing to others and later on.
    std::uint64_t salt = 0;

    friend bool operator==(const ReadBy&, const ReadBy&) = default;
};

/// Takes from the event all that could tell who read: actor, address, agent, referrer, identifiers,
/// attributes and the text of its id.
void strip(Event& event);

}  // namespace footfall::events
