#pragma once

#include "ads/recounted_sums.h"
#include "events/control.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "projecting/recount.h"
#include "storage/rows.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace footfall::ads {

/// What was said of rates in a lane, decided once more, and what is stored of it. A change that
/// stands in the store and not in this part of the log is taken as it stands: those that are
/// decided here build on it. Used by one thread.
class RecountedRates {
public:
    explicit RecountedRates(const projecting::RecountPart& part);

    /// `sealed`: the last month that a seal before it names.
    void add(std::uint64_t offset, const events::RateSaid& said, std::optional<Month> sealed);

    /// Whether something was said of this party.
    bool has(events::PartyKind kind, const std::string& party) const {
        return said_.contains({kind, party});
    }

    /// Holds all of whom something was said to that, and waits for rows that may come yet. Blocks.
    Result<void> compare_stored(
        projecting::WrittenRows& rows, const Reach& reach, std::vector<std::string>& differences
    );

    /// The same of a party of whom nothing was said in what is left of the log.
    Result<void> compare_unsaid(
        events::PartyKind kind,
        const std::string& party,
        const Reach& reach,
        std::vector<std::string>& differences
    );

private:
    struct Said {
        std::uint64_t offset = 0;
        std::optional<Month> sealed;
        events::RateSaid said;
    };

    /// A row, or what should be one.
    struct Change {
        Day effective = 0;
        std::int64_t recorded = 0;
        std::optional<std::uint32_t> share;
        Day booked = 0;
        std::string author;
        std::string reason;
    };

    using Party = std::pair<events::PartyKind, std::string>;
    using Changes = std::map<std::uint64_t, Change>;  ///< By the record.

    struct Stored {
        std::vector<Change> before;  ///< Of other records than are compared.
        Changes of_records;
    };

    static Result<Change> read_change(const storage::Rows& rows, std::size_t row);
    static std::string text_of(const Change& change);
    static std::optional<Change> decide(const std::vector<Change>& history, const Said& said);
    static Changes decide_all(std::vector<Change> history, const std::vector<Said>& said);
    Result<Stored> read_stored(const Party& party, const Reach& reach) const;
    static void compare(
        const Party& party,
        const Changes& truth,
        const Changes& stored,
        std::vector<std::string>& differences
    );

    const projecting::RecountPart part_;
    const std::string writer_;
    std::map<Party, std::vector<Said>> said_;
};

/// The seals of a lane, and the rows that say that it has passed them. Used by one thread.
class RecountedSeals {
public:
    explicit RecountedSeals(const projecting::RecountPart& part);

    /// What of seals stood in the lane before `first`, its first record that is there, and what was
    /// sealed in the log that was moved here: as the store says it. Blocks.
    Result<void> begin(std::uint64_t first);

    void add(std::uint64_t offset, const events::MonthSealed& said);

    /// The last month that is sealed for the next record.
    std::optional<Month> sealed() const { return sealed_; }

    /// Holds rows to the records of `reach`. Blocks.
    Result<void> compare_stored(
        projecting::WrittenRows& rows, const Reach& reach, std::vector<std::string>& differences
    );

private:
    struct Seal {
        std::uint64_t offset = 0;
        std::int64_t sealed_at = 0;
        std::string author;
        std::string reason;

        friend bool operator==(const Seal&, const Seal&) = default;
    };

    using Seals = std::map<Month, Seal>;

    Result<storage::Rows> read_rows() const;
    Result<Seals> read_own() const;
    static std::string text_of(const Seal& seal);

    const projecting::RecountPart part_;
    const std::string writer_;
    std::optional<Month> sealed_;
    Seals truth_;  ///< The first of each month.
};

}  // namespace footfall::ads
