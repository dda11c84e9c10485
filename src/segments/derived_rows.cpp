#include "segments/derived_rows.h"

#include "identities/sid.h"
#include "identities/stored_ids.h"
#include "identities/stored_instant.h"
#include "identities/timed_notes.h"
#include "segments/member_rows.h"
#include "segments/schema.h"
#include "storage/blocking.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace footfall::segments {
namespace {

using std::chrono::microseconds;

constexpr std::string_view of_deployment = "segments";

// Of segment_person.
enum PersonColumn : std::size_t {
    person_sid_column,
    person_number_column,
    person_segments_column,
    person_looks_column,
    person_alone_column
};

// Of segment_told.
constexpr std::size_t told_segment_column = 3;

// Of segment_change.
enum ChangeColumn : std::size_t {
    change_number_column = 2,
    change_id_column,
    change_joined_column = 6,
    change_at_column
};

constexpr std::size_t expiry_sid_column = 2;

/// Eight bytes each, the lowest first.
std::string bytes_of(std::span<const std::int64_t> numbers) {
    static_assert(std::endian::native == std::endian::little);
    std::string bytes(numbers.size() * sizeof(std::int64_t), '\0');
    if (!numbers.empty()) {
        std::memcpy(bytes.data(), numbers.data(), bytes.size());
    }
    return bytes;
}

Instant bucket_end(Instant at) {
    return Instant{(identities::note_bucket_of(at) + 1) * identities::notes_bucket};
}

identities::Id id_at(const storage::Rows& rows, std::size_t row, std::size_t column) {
    const auto text = [&](std::size_t part) {
        return std::string{rows.at(row, column + part).text()};
    };
    return {text(0), text(1), text(2)};
}

}  // namespace

Result<std::vector<std::int64_t>> numbers_in(std::string_view bytes) {
    if (bytes.size() % sizeof(std::int64_t) != 0) {
        return fail(ErrorKind::corrupt, "a row of people of segments is damaged");
    }
    std::vector<std::int64_t> numbers(bytes.size() / sizeof(std::int64_t));
    if (!numbers.empty()) {
        std::memcpy(numbers.data(), bytes.data(), bytes.size());
    }
    return numbers;
}

Result<std::pair<std::string, PersonRow>> read_person(const storage::Rows& rows, std::size_t row) {
    PersonRow person{
        .number = rows.at(row, person_number_column).number(),
        .looks = rows.at(row, person_looks_column).number()
    };
    TRY(person.segments, numbers_in(rows.at(row, person_segments_column).text()));
    if (const std::string_view alone = rows.at(row, person_alone_column).text(); !alone.empty()) {
        TRY(std::vector<identities::Id> ids, identities::read_stored_ids(alone));
        if (ids.size() != 1) {
            return fail(ErrorKind::corrupt, "a row of people of segments is damaged");
        }
        person.alone = std::move(ids.front());
    }
    return std::pair{
        identities::read_sid(rows.at(row, person_sid_column).text()), std::move(person)
    };
}

Result<PersonRows> read_people(storage::Store& store, std::span<const std::string> sids) {
    std::vector<std::vector<storage::Value>> keys;
    keys.reserve(sids.size());
    for (const std::string& each : sids) {
        keys.push_back({identities::stored_sid(each)});
    }
    TRY(const storage::Found found,
        storage::read_many(store, segment_person_table, std::move(keys)));
    PersonRows people;
    for (const auto& row : found.row_of_key) {
        if (row) {
            TRY(auto person, read_person(found.rows, *row));
            people.insert(std::move(person));
        }
    }
    return people;
}

void add_person(const std::string& sid, const PersonRow& person, storage::Batch& batch) {
    batch.upsert(
        segment_person_table,
        {identities::stored_sid(sid),
         person.number,
         bytes_of(person.segments),
         person.looks,
         person.alone ? identities::stored_text({*person.alone}) : std::string{}}
    );
}

void erase_person(const std::string& sid, storage::Batch& batch) {
    batch.erase(segment_person_table, {identities::stored_sid(sid)});
}

void add_expiry(std::int64_t at, const std::string& sid, storage::Batch& batch) {
    const Instant moment = identities::instant_of(at);
    batch.upsert(
        segment_expiry_table,
        {identities::note_bucket_of(moment),
         at,
         identities::stored_sid(sid),
         identities::microseconds_of(moment + identities::notes_life)}
    );
}

Result<std::vector<std::string>> ExpiryWalk::next(Instant through, std::size_t most) {
    std::vector<std::string> sids;
    while (at_ <= through && sids.size() < most) {
        if (continuation_.empty()) {
            walked_through_ = std::min(through, bucket_end(at_) - microseconds{1});
        }
        TRY(storage::Page page,
            storage::read_page(
                *store_,
                {.table = &segment_expiry_table,
                 .partition = {identities::note_bucket_of(at_)},
                 .from = {identities::microseconds_of(at_)},
                 .through = {identities::microseconds_of(walked_through_)},
                 .max_rows = most - sids.size(),
                 .continuation = continuation_}
            ));
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            sids.push_back(identities::read_sid(page.rows.at(row, expiry_sid_column).text()));
        }
        continuation_ = std::move(page.continuation);
        if (continuation_.empty()) {
            at_ = walked_through_ + microseconds{1};
        }
    }
    return sids;
}

Result<std::vector<Told>> read_told(
    storage::Store& store, std::span<const identities::Id* const> ids
) {
    std::vector<Told> told(ids.size());
    TRY_VOID(storage::read_partitions(
        store,
        segment_told_table,
        partitions_of(ids),
        [&](std::size_t at, const storage::Rows& rows, storage::PartitionsFound::Place place
        ) -> Result<void> {
            for (std::size_t row = place.first; row < place.end; ++row) {
                told[at].push_back(rows.at(row, told_segment_column).number());
            }
            return {};
        }
    ));
    return told;
}

void add_told(
    const identities::Id& id, std::int64_t segment, std::uint64_t change, storage::Batch& batch
) {
    batch.upsert(
        segment_told_table,
        {id.identifier, id.id_name, id.id_value, segment, static_cast<std::int64_t>(change)}
    );
}

void erase_told(const identities::Id& id, std::int64_t segment, storage::Batch& batch) {
    batch.erase(segment_told_table, {id.identifier, id.id_name, id.id_value, segment});
}

std::int64_t chunk_of(std::uint64_t change) {
    return static_cast<std::int64_t>((change - 1) / changes_a_chunk);
}

void add_change(std::int64_t segment, const Change& change, storage::Batch& batch) {
    batch.upsert(
        segment_change_table,
        {segment,
         chunk_of(change.number),
         static_cast<std::int64_t>(change.number),
         change.id.identifier,
         change.id.id_name,
         change.id.id_value,
         std::int64_t{change.joined ? 1 : 0},
         identities::microseconds_of(change.at)}
    );
}

void erase_change(std::int64_t segment, std::uint64_t change, storage::Batch& batch) {
    batch.erase(
        segment_change_table, {segment, chunk_of(change), static_cast<std::int64_t>(change)}
    );
}

Result<std::vector<Change>> read_changes(
    storage::Store& store, std::int64_t segment, std::uint64_t after, std::size_t most
) {
    TRY(const storage::Page page,
        storage::read_page(
            store,
            {.table = &segment_change_table,
             .partition = {segment, chunk_of(after + 1)},
             .from = {static_cast<std::int64_t>(after) + 1},
             .max_rows = most}
        ));
    std::vector<Change> changes;
    changes.reserve(page.rows.size());
    for (std::size_t row = 0; row < page.rows.size(); ++row) {
        changes.push_back(
            {.number = static_cast<std::uint64_t>(page.rows.at(row, change_number_column).number()),
             .id = id_at(page.rows, row, change_id_column),
             .joined = page.rows.at(row, change_joined_column).number() != 0,
             .at = identities::instant_of(page.rows.at(row, change_at_column).number())}
        );
    }
    return changes;
}

Result<std::uint64_t> read_told_until(storage::Store& store, std::int64_t segment) {
    TRY(const auto row, storage::read_one(store, segment_told_until_table, {segment}));
    return row ? static_cast<std::uint64_t>(std::get<std::int64_t>(row->back())) : 0;
}

void add_told_until(std::int64_t segment, std::uint64_t change, storage::Batch& batch) {
    batch.upsert(segment_told_until_table, {segment, static_cast<std::int64_t>(change)});
}

void erase_told_until(std::int64_t segment, storage::Batch& batch) {
    batch.erase(segment_told_until_table, {segment});
}

Result<std::uint64_t> read_published(storage::Store& store, std::int64_t segment) {
    TRY(const auto row, storage::read_one(store, segment_published_table, {segment}));
    return row ? static_cast<std::uint64_t>(std::get<std::int64_t>(row->back())) : 0;
}

void add_published(std::int64_t segment, std::uint64_t change, storage::Batch& batch) {
    batch.upsert(segment_published_table, {segment, static_cast<std::int64_t>(change)});
}

void erase_published(std::int64_t segment, storage::Batch& batch) {
    batch.erase(segment_published_table, {segment});
}

Result<std::optional<Instant>> read_derived_until(storage::Store& store) {
    TRY(const auto row,
        storage::read_one(store, segment_derived_table, {std::string{of_deployment}}));
    return row ? std::optional{identities::instant_of(std::get<std::int64_t>(row->back()))}
               : std::nullopt;
}

void add_derived_until(Instant until, storage::Batch& batch) {
    batch.upsert(segment_derived_table, {of_deployment, identities::microseconds_of(until)});
}

}  // namespace footfall::segments
