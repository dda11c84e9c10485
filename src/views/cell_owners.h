#pragma once

#include "foundation/clock.h"
#include "views/report.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace footfall::views {

/// Of which cells somebody wants to know what rows may not say yet. Borrowed texts.
struct CellsAsked {
    std::size_t lane = 0;
    std::string_view action;
    std::string_view object;
    ReportDays days;  ///< And the total.
};

/// What whoever counts a lane has of an object in memory alone.
struct OwnedCells {
    CellCopies cells;
    std::uint64_t counted = 0;  ///< The lane's records before this are in them, or in rows.
};

/// What was answered, by whoever it was.
struct OwnersAnswer {
    std::vector<std::optional<OwnedCells>> of_asked;  ///< In their order; absent: no answer.
    /// All that happened before this in the lanes without an answer is in rows; absent: nobody
    /// knows.
    std::optional<Instant> stored;
};

/// Who counts which lane, where several processes share them. A lane is counted by one process at a
/// time; what it says of the lane is a function of the records before `counted`, so who is not the
/// owner any more says what is old, never what is wrong. Thread-safe.
class CellOwners {
public:
    CellOwners() = default;
    CellOwners(const CellOwners&) = delete;
    CellOwners& operator=(const CellOwners&) = delete;
    virtual ~CellOwners() = default;

    /// Up to where this process has counted a lane of its own; absent: another's is to be asked.
    virtual std::optional<std::uint64_t> counted_here(std::size_t lane) = 0;

    /// Asks each of the others once. Waits, but never long: who does not answer is gone without.
    virtual OwnersAnswer ask(std::span<const CellsAsked> asked) = 0;
};

}  // namespace footfall::views
