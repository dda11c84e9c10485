#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "identities/fact.h"
#include "storage/batch.h"
#include "storage/store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The feed of a lane: what it was told, in its order, for who cannot read its log. Reads block.
namespace footfall::identities {

/// A fact, as a lane was told it: what tells whether its rows are there, and what to settle.
struct FeedFact {
    FactId fact{};
    Instant first{};
    Instant last{};
    Instant recorded{};       ///< By which it is erased or not.
    std::vector<Id> holders;  ///< holders_of(): each has a row of this writer.
    std::vector<Id> others;   ///< Further ids that it names.

    friend bool operator==(const FeedFact&, const FeedFact&) = default;
};

/// All that was said by the records of a lane from `since` to `offset`, both included: who has
/// followed all before `since` has followed all through `offset` then. Rows may overlap: whoever
/// has the lane after another one writes some of it again.
struct FeedRow {
    std::uint64_t offset = 0;
    std::uint64_t since = 0;
    std::vector<FeedFact> facts = {};
    Instant expires{};
    Instant before{};  ///< When the row before it expires; the epoch: there is none.

    friend bool operator==(const FeedRow&, const FeedRow&) = default;
};

/// How far a lane's feed goes.
struct FeedEnd {
    std::string region;
    std::string writer;       ///< projecting::writer_of().
    std::uint64_t next = 0;   ///< What records before it said is in the feed, since that began.
    std::uint64_t since = 0;  ///< `since` of the first row that was written together with the last.
    Instant said{};           ///< When it was written.
};

FeedFact feed_fact_of(const Fact& fact);

/// Rows of one partition of the feed have offsets of one bucket.
std::int64_t feed_bucket(std::uint64_t offset);

/// The first offset of a bucket.
std::uint64_t feed_bucket_begin(std::int64_t bucket);

/// A row lives for so long. Who is cut off for longer reads all facts anew.
inline constexpr std::chrono::days feed_lives{30};

void add_feed_row(std::string_view writer, const FeedRow& row, storage::Batch& batch);

void add_feed_end(const FeedEnd& end, storage::Batch& batch);

/// Of all lanes of all regions.
Result<std::vector<FeedEnd>> read_feed_ends(storage::Store& store);

/// Absent: there is none, or it has expired.
Result<std::optional<FeedRow>> find_feed_row(
    storage::Store& store, const std::string& writer, std::uint64_t offset
);

/// The first rows of a bucket from `offset` on, to be read by storage::read_pages().
storage::RangeQuery feed_query(
    const std::string& writer, std::uint64_t offset, std::int64_t bucket, std::size_t most
);

/// `corrupt`: it is damaged, or of another version.
Result<FeedRow> read_feed_row(const storage::Rows& rows, std::size_t row);

}  // namespace footfall::identities
