#pragma once

#include "events/verdict.h"
#include "foundation/result.h"
#include "sketches/sketch.h"
#include "views/cell.h"
#include "views/report.h"
#include "views/row_cells.h"

#include <cstdint>
#include <map>
#include <optional>

namespace footfall::views {

/// What the log says of a day of an object, or of all its life, and before it what has left it.
struct Recounted {
    EventCounts counts;
    sketches::Sketch people;
    std::uint64_t through = 0;  ///< Behind the last event in it; as a row says it.

    /// Each event once, in the order of the lane.
    void add(
        std::uint64_t offset, const events::JudgedEvent& judged, std::optional<std::uint64_t> person
    );
};

/// An object under an action: what the log says, and what is stored.
struct RecountedObject {
    std::map<Day, Recounted> days;  ///< lifetime among them.
    RowCells stored = {};

    /// Of events that have left the log.
    static RecountedObject of_expired(RowCells cells);

    void add(
        std::uint64_t offset, const events::JudgedEvent& judged, std::optional<std::uint64_t> person
    );

    /// An event behind those that were compared: in what is stored it counts only where a row says
    /// that it was counted.
    void add_if_stored(
        std::uint64_t offset, const events::JudgedEvent& judged, std::optional<std::uint64_t> person
    );

    /// Up to where its rows were counted.
    std::uint64_t stored_through() const;

    /// Whether events that the log has from `from` on are in no row.
    bool is_behind(std::uint64_t from) const;
};

}  // namespace footfall::views
