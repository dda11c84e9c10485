#pragma once

#include "ads/entries.h"
#include "ads/month.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "storage/store.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace footfall::ads {

/// A month that somebody sealed.
struct SealedMonth {
    Instant sealed_at{};
    std::string author;
    std::string reason;
    std::map<std::uint32_t, std::uint64_t> lanes;  ///< That have passed it, and where.
    std::size_t lanes_elsewhere = 0;               ///< That have, of logs before this one.
    bool rows_written = false;                     ///< Its rows stand, for ever.
};

/// All seals, as the store has them. A plain value.
class Seals {
public:
    /// Reads all rows. Blocks. `log`: whose lanes have to pass a seal.
    static Result<Seals> read(storage::Store& store, std::uint64_t log);

    /// Those that were sealed by name; a seal is one of all months before, too.
    const std::map<Month, SealedMonth>& months() const { return months_; }

    /// The last month that every lane has passed the seal of: it never changes any more. Absent:
    /// none. `before`: by the seals of before then; absent: by all.
    std::optional<Month> sealed(std::optional<Instant> before = {}) const;

    /// Whether lanes have yet to pass some seal, or rows to be written of it.
    bool is_sealing() const;

    /// The last month whose rows are written.
    std::optional<Month> written() const;

    LaneSeals of_lane(std::uint32_t lane) const;

private:
    static bool is_passed(const SealedMonth& month);

    std::map<Month, SealedMonth> months_;
};

/// How far seals have come, as this process knows. It only rises, so that whoever notes something
/// late, or again, as lanes do that are read again, takes nothing back. Thread-safe.
class SealProgress {
public:
    /// As the store says.
    void note(const Seals& seals);

    /// A lane has passed a seal of the month.
    void note_passed(Month month) { raise(passed_, month); }

    /// The month's rows stand, and those of all before.
    void note_written(Month month) { raise(written_, month); }

    /// Whether some month is sealed whose rows are not written.
    bool is_sealing() const { return passed_.load() > written_.load(); }

private:
    static void raise(std::atomic<Month>& to, Month month);

    std::atomic<Month> passed_ = from_the_beginning;
    std::atomic<Month> written_ = from_the_beginning;
};

/// The row that says that the rows of a sealed month are written.
std::vector<storage::Value> rows_written_row(Month month, Instant at);

}  // namespace footfall::ads
