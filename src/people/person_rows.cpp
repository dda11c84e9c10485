#include "people/person_rows.h"

#include "people/schema.h"
#include "storage/blocking.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <utility>

namespace footfall::people {
namespace {

using std::chrono::floor;
using std::chrono::microseconds;
using storage::Rows;

/// Changes of so many seconds are a partition: short enough to be read in part again and again.
constexpr std::chrono::seconds slot_length{10};

std::int64_t microseconds_of(Instant instant) {
    return instant.time_since_epoch().count();
}

Instant instant_of(std::int64_t microseconds_since_1970) {
    return Instant{microseconds{microseconds_since_1970}};
}

std::int64_t slot_of(Instant instant) {
    return floor<std::chrono::seconds>(instant).time_since_epoch() / slot_length;
}

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string text_of(const std::vector<std::string>& lines) {
    return fmt::format("{}", fmt::join(lines, "\n"));
}

/// 0 in the column: none.
std::optional<Instant> until_of(std::int64_t stored) {
    return stored == 0 ? std::nullopt : std::optional{instant_of(stored)};
}

std::int64_t stored_until(const Consent& consent) {
    return consent.until ? microseconds_of(*consent.until) : 0;
}

/// What stands in the columns reading, until, sites, audience from `first` on.
Result<Consent> read_consent(const Rows& rows, std::size_t row, std::size_t first) {
    const auto reading = reading_named(rows.at(row, first).text());
    const auto audience = audience_named(rows.at(row, first + 3).text());
    if (!reading || !audience) {
        return fail(
            ErrorKind::corrupt,
            fmt::format(
                "table {}: \"{}\" and \"{}\" are no consent",
                rows.table().name,
                rows.at(row, first).text(),
                rows.at(row, first + 3).text()
            )
        );
    }
    return Consent{
        .reading = *reading,
        .until = until_of(rows.at(row, first + 1).number()),
        .sites = lines_of(rows.at(row, first + 2).text()),
        .to = *audience
    };
}

Result<StoredPerson> read_person(const Rows& rows, std::size_t row) {
    StoredPerson stored;
    stored.person.actor = rows.at(row, 0).text();
    TRY(stored.person.consent, read_consent(rows, row, 1));
    stored.person.since = instant_of(rows.at(row, 5).number());
    stored.person.changed_at = instant_of(rows.at(row, 6).number());
    stored.list = rows.at(row, 7).number();
    stored.old_list = rows.at(row, 8).number();
    return stored;
}

std::string_view bytes_of(const ReaderKey& key) {
    return {reinterpret_cast<const char*>(key.data()), key.size()};
}

/// What stands in the columns reader, key from `first` on.
Result<Reader> read_reader(const Rows& rows, std::size_t row, std::size_t first) {
    Reader reader{.number = static_cast<std::uint64_t>(rows.at(row, first).number())};
    const std::string_view key = rows.at(row, first + 1).text();
    if (key.size() != reader.key.size()) {
        return fail(
            ErrorKind::corrupt,
            fmt::format(
                "table {}: the key of {} has {} bytes",
                rows.table().name,
                rows.at(row, 0).text(),
                key.size()
            )
        );
    }
    std::memcpy(reader.key.data(), key.data(), key.size());
    return reader;
}

/// As former_reader.taken has it.
constexpr std::array<std::string_view, 4> names_of_taken{"all", "url", "site", "since"};

Result<FormerReader> read_former(const Rows& rows, std::size_t row) {
    FormerReader former{.at = instant_of(rows.at(row, 1).number())};
    TRY(former.reader, read_reader(rows, row, 2));
    const auto taken = std::ranges::find(names_of_taken, rows.at(row, 4).text());
    if (taken == names_of_taken.end()) {
        return fail(
            ErrorKind::corrupt,
            fmt::format("table former_reader: nobody takes back \"{}\"", rows.at(row, 4).text())
        );
    }
    former.taken = static_cast<Taken>(taken - names_of_taken.begin());
    former.hash = static_cast<std::uint64_t>(rows.at(row, 5).number());
    former.since = instant_of(rows.at(row, 6).number());
    return former;
}

std::vector<std::vector<storage::Value>> keys_of(const std::vector<std::string>& actors) {
    std::vector<std::vector<storage::Value>> keys;
    keys.reserve(actors.size());
    for (const std::string& each : actors) {
        keys.push_back({each});
    }
    return keys;
}

}  // namespace

Result<std::vector<std::optional<Reader>>> read_readers(
    storage::Store& store, const std::vector<std::string>& actors
) {
    TRY(const storage::Found found, storage::read_many(store, reader_key_table, keys_of(actors)));
    std::vector<std::optional<Reader>> readers(actors.size());
    for (std::size_t at = 0; at < actors.size(); ++at) {
        if (const auto row = found.row_of_key[at]) {
            TRY(readers[at], read_reader(found.rows, *row, 1));
        }
    }
    return readers;
}

Result<std::vector<std::vector<FormerReader>>> read_formers(
    storage::Store& store, const std::vector<std::string>& actors
) {
    std::vector<storage::RangeQuery> queries;
    queries.reserve(actors.size());
    for (const std::string& each : actors) {
        queries.push_back({.table = &former_reader_table, .partition = {each}});
    }
    std::vector<std::vector<FormerReader>> formers(actors.size());
    TRY_VOID(storage::read_each(
        store,
        std::move(queries),
        [&](std::size_t at, const Rows& rows) -> Result<void> {
            for (std::size_t row = 0; row < rows.size(); ++row) {
                TRY(FormerReader former, read_former(rows, row));
                formers[at].push_back(former);
            }
            return {};
        }
    ));
    return formers;
}

Result<FormersByActor> scan_formers(storage::Store& store) {
    FormersByActor formers;
    storage::ScanQuery query{.table = &former_reader_table};
    do {
        TRY(storage::Page page, storage::scan_page(store, query));
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            TRY(const FormerReader former, read_former(page.rows, row));
            formers[std::string{page.rows.at(row, 0).text()}].push_back(former);
        }
        query.continuation = std::move(page.continuation);
    } while (!query.continuation.empty());
    for (auto& [actor, own] : formers) {
        std::ranges::sort(own, {}, &FormerReader::at);  // a scan has an order of its own
    }
    return formers;
}

void add_former(const std::string& actor, const FormerReader& former, storage::Batch& batch) {
    batch.upsert(
        former_reader_table,
        {actor,
         microseconds_of(former.at),
         static_cast<std::int64_t>(former.reader.number),
         bytes_of(former.reader.key),
         names_of_taken[static_cast<std::size_t>(former.taken)],
         static_cast<std::int64_t>(former.hash),
         microseconds_of(former.since)}
    );
}

void erase_former(const std::string& actor, const FormerReader& former, storage::Batch& batch) {
    batch.erase(former_reader_table, {actor, microseconds_of(former.at)});
}

Result<std::vector<StoredPerson>> read_people(
    storage::Store& store, const std::vector<std::string>& actors
) {
    TRY(const storage::Found found, storage::read_many(store, person_table, keys_of(actors)));
    TRY(const auto readers, read_readers(store, actors));
    std::vector<StoredPerson> people(actors.size());
    for (std::size_t at = 0; at < actors.size(); ++at) {
        if (const auto row = found.row_of_key[at]) {
            TRY(people[at], read_person(found.rows, *row));
        }
        people[at].person.actor = actors[at];
        people[at].reader = readers[at];
    }
    return people;
}

Result<void> scan_people(
    storage::Store& store, const std::function<Result<void>(StoredPerson)>& take
) {
    storage::ScanQuery query{.table = &person_table};
    do {
        TRY(storage::Page page, storage::scan_page(store, query));
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            TRY(StoredPerson stored, read_person(page.rows, row));
            TRY_VOID(take(std::move(stored)));
        }
        query.continuation = std::move(page.continuation);
    } while (!query.continuation.empty());
    return {};
}

void add_person(const StoredPerson& stored, storage::Batch& batch) {
    const Person& person = stored.person;
    if (!is_worth_a_row(stored)) {
        batch.erase(person_table, {person.actor});
        return;
    }
    const Consent& consent = person.consent;
    const std::string sites = text_of(consent.sites);
    batch.upsert(
        person_table,
        {person.actor,
         name_of(consent.reading),
         stored_until(consent),
         sites,
         name_of(consent.to),
         microseconds_of(person.since),
         microseconds_of(person.changed_at),
         stored.list,
         stored.old_list}
    );
}

void add_reader(const StoredPerson& stored, storage::Batch& batch) {
    if (!stored.reader) {
        batch.erase(reader_key_table, {stored.person.actor});
        return;
    }
    const ReaderKey& key = stored.reader->key;
    batch.upsert(
        reader_key_table,
        {stored.person.actor, static_cast<std::int64_t>(stored.reader->number), bytes_of(key)}
    );
}

void add_change(const StoredPerson& stored, Instant told_at, storage::Batch& batch) {
    const Person& person = stored.person;
    const std::string sites = text_of(person.consent.sites);
    batch.upsert(
        person_change_table,
        {slot_of(told_at),
         microseconds_of(told_at),
         person.actor,
         name_of(person.consent.reading),
         stored_until(person.consent),
         sites,
         name_of(person.consent.to),
         microseconds_of(person.changed_at),
         microseconds_of(told_at + changes_kept)}
    );
}

Result<std::vector<Change>> read_changes(storage::Store& store, Instant from, Instant to) {
    std::vector<storage::RangeQuery> slots;
    for (std::int64_t slot = slot_of(from); slot <= slot_of(to); ++slot) {
        slots.push_back(
            {.table = &person_change_table, .partition = {slot}, .from = {microseconds_of(from)}}
        );
    }
    std::map<std::string, Change, std::less<>> latest;
    TRY_VOID(storage::read_each(
        store,
        std::move(slots),
        [&](std::size_t, const Rows& rows) -> Result<void> {
            for (std::size_t row = 0; row < rows.size(); ++row) {
                const Instant changed_at = instant_of(rows.at(row, 7).number());
                const std::string_view actor = rows.at(row, 2).text();
                const auto known = latest.find(actor);
                if (known != latest.end() && changed_at <= known->second.changed_at) {
                    continue;
                }
                TRY(Consent consent, read_consent(rows, row, 3));
                Change change{
                    .actor = std::string{actor},
                    .consent = std::move(consent),
                    .changed_at = changed_at
                };
                latest.insert_or_assign(std::string{actor}, std::move(change));
            }
            return {};
        }
    ));
    std::vector<Change> changes;
    changes.reserve(latest.size());
    for (auto& [actor, change] : latest) {
        changes.push_back(std::move(change));
    }
    return changes;
}

storage::RangeQuery list_query(const std::string& actor, std::int64_t list) {
    return {.table = &friend_table, .partition = {actor, list}};
}

Result<std::vector<std::string>> read_list(
    storage::Store& store, const std::string& actor, std::int64_t list
) {
    std::vector<std::string> names;
    if (list == 0) {
        return names;
    }
    TRY(const Rows rows, storage::read_all(store, list_query(actor, list)));
    names.reserve(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        names.emplace_back(rows.at(row, 2).text());
    }
    return names;
}

}  // namespace footfall::people
