#pragma once

#include "ads/entries.h"
#include "ads/ledger_zone.h"
#include "ads/rates.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "storage/batch.h"
#include "storage/store.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::ads {

// What texts of changes may be as long as, in bytes: refused at the edge.
inline constexpr std::size_t longest_reason = 1 << 10;
inline constexpr std::size_t most_changes = 10'000;  ///< Of a party's rate.

/// A change of a rate, as it was recorded.
struct RecordedRate {
    Day effective = 0;
    Instant recorded{};
    std::optional<Millionths> share;  ///< Absent: the day was withdrawn.
    Month booked = from_the_beginning;
    std::string author;
    std::string reason;
    std::string writer;  ///< With `offset`: the record it follows from.
    std::uint64_t offset = 0;
};

/// What became of a change that somebody asked for.
enum class RateOutcome {
    recorded,
    unchanged,      ///< The same share and reason are in force for that very day.
    other_version,  ///< If-Match named another version of the history than stands.
    too_many        ///< Of most_changes.
};

std::string_view name_of(RateOutcome outcome);
std::optional<RateOutcome> outcome_named(std::string_view name);

/// All changes of a party's rate: the newest day first, of a day the newest recorded first.
class RateHistory {
public:
    /// Reads all rows; what names no party ("") has none. Blocks.
    static Result<RateHistory> read(
        storage::Store& store, events::PartyKind kind, std::string_view party
    );

    /// Those of several parties, in their order, read side by side. Blocks.
    static Result<std::vector<RateHistory>> read(
        storage::Store& store, events::PartyKind kind, std::span<const std::string> parties
    );

    const std::vector<RecordedRate>& changes() const { return changes_; }

    /// Names this state of the history: for ETag and If-Match.
    std::string version() const;

    /// Decides a change in its place, and takes it in if it is to be recorded. What a lane said
    /// before the last change that is here was decided before: of `writer`, in its order. Absent
    /// then. Pure.
    std::optional<RateOutcome> decide(const RateEntry& entry, std::string_view writer);

    /// What decide() would answer to a new change. Pure.
    RateOutcome judge(const events::RateSaid& said) const;

    /// The change that follows from this record; null: none does.
    const RecordedRate* from_record(std::string_view writer, std::uint64_t offset) const;

    /// The change that was recorded then; null: none was.
    const RecordedRate* recorded_at(Instant recorded) const;

    /// The change that stands for this very day; null: none does.
    const RecordedRate* in_force(Day effective) const;

    /// For the ledger of this zone. `before`: those recorded before then; absent: all.
    Rates rates(const LedgerZone& zone, std::optional<Instant> before = {}) const;

private:
    static Result<RateHistory> of_rows(const storage::Rows& rows);
    Instant last_recorded() const;
    void insert(RecordedRate change);

    std::vector<RecordedRate> changes_;
};

/// Puts the row of a change.
void add_rate_row(
    events::PartyKind kind,
    std::string_view party,
    const RecordedRate& change,
    storage::Batch& batch
);

}  // namespace footfall::ads
