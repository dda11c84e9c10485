#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "identities/fact.h"
#include "storage/batch.h"
#include "storage/store.h"

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// When facts end (lifetime.h), in the order of time: what is to be settled then. Reads block.
namespace footfall::identities {

/// Clocks of processes differ by no more.
inline constexpr std::chrono::minutes clocks_differ_max{5};

/// That a fact ends unless it is said again. Said again it ends later, by a row of its own; that it
/// does not end here is found when the row is due.
struct Expiry {
    FactId fact{};
    std::vector<Id> ids;  ///< All that the fact names; it stands under the first.
    Instant end{};

    friend bool operator==(const Expiry&, const Expiry&) = default;
};

/// Rows of one partition.
struct ExpiryBucket {
    std::int64_t hour = 0;  ///< Since 1970.
    std::int64_t part = 0;  ///< By a hash of the fact.

    friend auto operator<=>(const ExpiryBucket&, const ExpiryBucket&) = default;
};

/// The end of the time of which such rows are.
Instant end_of(const ExpiryBucket& bucket);

/// When its end is looked for: in steps of ten seconds, so that one that is said again and again
/// has few rows.
Instant due_of(Instant end);

/// Puts the rows of these, and that their buckets are there.
void add_expiries(std::span<const Expiry> expiries, storage::Batch& batch);

/// Those with rows of ends until then, the earliest first.
Result<std::vector<ExpiryBucket>> read_expiry_buckets(storage::Store& store, Instant until);

/// A row, and when it is due.
struct ExpiryRow {
    Instant due{};
    Expiry expiry;
};

/// Rows of a bucket that are due in this time, both included, to be read by storage::read_page().
storage::RangeQuery expiry_query(
    const ExpiryBucket& bucket, Instant from, Instant through, std::size_t most
);

/// `corrupt`: it is damaged, or of a newer version. The end is that of the row, by its due time.
Result<ExpiryRow> read_expiry_row(const storage::Rows& rows, std::size_t row);

void erase_expiry(const ExpiryBucket& bucket, const ExpiryRow& row, storage::Batch& batch);

void erase_bucket(const ExpiryBucket& bucket, storage::Batch& batch);

/// Whether somebody is still to settle that this fact has ended.
Result<bool> has_expiry(storage::Store& store, const FactId& fact, Instant end);

}  // namespace footfall::identities
