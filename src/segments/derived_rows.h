#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "identities/fact.h"
#include "segments/segments.h"
#include "storage/batch.h"
#include "storage/rows.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Rows that are derived: of people, and of what was told. Reads block.
namespace footfall::segments {

/// What stands of a person.
struct PersonRow {
    std::int64_t number = 0;                   ///< Dense; no two people have the same.
    std::vector<std::int64_t> segments = {};   ///< In their order, each once.
    std::int64_t looks = 0;                    ///< When it is to be looked at, since a member ends.
    std::optional<identities::Id> alone = {};  ///< The one id of a person that is no profile.

    friend bool operator==(const PersonRow&, const PersonRow&) = default;
};

using PersonRows = std::map<std::string, PersonRow>;  ///< By sid.

/// Segments as a row of a person has them; `corrupt`: it is damaged.
Result<std::vector<std::int64_t>> numbers_in(std::string_view bytes);

/// Of those of these that have rows.
Result<PersonRows> read_people(storage::Store& store, std::span<const std::string> sids);

/// One of a page; `corrupt`: it is damaged.
Result<std::pair<std::string, PersonRow>> read_person(const storage::Rows& rows, std::size_t row);

void add_person(const std::string& sid, const PersonRow& person, storage::Batch& batch);
void erase_person(const std::string& sid, storage::Batch& batch);

/// Has a person be looked at when a moment has come.
void add_expiry(std::int64_t at, const std::string& sid, storage::Batch& batch);

/// The people that are to be looked at, in the order of their moments. Used by one thread.
class ExpiryWalk {
public:
    ExpiryWalk(storage::Store& store, Instant from) : store_{&store}, at_{from} {}

    /// Some sids; empty: there are no more up to that moment.
    Result<std::vector<std::string>> next(Instant through, std::size_t most);

    /// All before this were answered.
    Instant at() const { return at_; }

private:
    storage::Store* store_;
    Instant at_;
    Instant walked_through_{};
    std::string continuation_;
};

/// Segments that an id is in, by what was told of it.
using Told = std::vector<std::int64_t>;

/// Of each of these ids, in their order.
Result<std::vector<Told>> read_told(
    storage::Store& store, std::span<const identities::Id* const> ids
);

void add_told(
    const identities::Id& id, std::int64_t segment, std::uint64_t change, storage::Batch& batch
);
void erase_told(const identities::Id& id, std::int64_t segment, storage::Batch& batch);

/// Changes of a partition.
inline constexpr std::uint64_t changes_a_chunk = 4096;

std::int64_t chunk_of(std::uint64_t change);

void add_change(std::int64_t segment, const Change& change, storage::Batch& batch);
void erase_change(std::int64_t segment, std::uint64_t change, storage::Batch& batch);

/// Changes behind one, in order, of one chunk or of the next; empty: there are no more.
Result<std::vector<Change>> read_changes(
    storage::Store& store, std::int64_t segment, std::uint64_t after, std::size_t most
);

/// Up to which change what was told of ids stands in their rows.
Result<std::uint64_t> read_told_until(storage::Store& store, std::int64_t segment);
void add_told_until(std::int64_t segment, std::uint64_t change, storage::Batch& batch);
void erase_told_until(std::int64_t segment, storage::Batch& batch);

/// Up to which change those of a segment stand in the topic for other programs.
Result<std::uint64_t> read_published(storage::Store& store, std::int64_t segment);
void add_published(std::int64_t segment, std::uint64_t change, storage::Batch& batch);
void erase_published(std::int64_t segment, storage::Batch& batch);

/// Up to when all is derived; absent: nothing ever was.
Result<std::optional<Instant>> read_derived_until(storage::Store& store);
void add_derived_until(Instant until, storage::Batch& batch);

}  // namespace footfall::segments
