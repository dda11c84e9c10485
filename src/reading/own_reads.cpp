#include "reading/own_reads.h"

#include "reading/schema.h"
#include "storage/batch.h"
#include "storage/blocking.h"
#include "storage/key_codec.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>

namespace footfall::reading {
namespace {

/// Names of URLs are looked up so many at once.
constexpr std::size_t names_at_once = 1000;

/// When a URL was last read under each of a person's readers.
using Times = std::vector<std::optional<Instant>>;
using TimesOfUrls = std::map<std::int64_t, Times>;

/// Facts of a person, from memory and from rows. `place`: of the reader, among all of theirs.
struct Facts {
    TimesOfUrls times = {};
    std::map<std::int64_t, std::string> names = {};  ///< Of URLs whose names are known.

    void add(std::size_t place, std::int64_t url, QuarterOfTime quarter) {
        Times& of_url = times[url];
        of_url.resize(std::max(of_url.size(), place + 1));
        of_url[place] = std::max(of_url[place], std::optional{begin_of(quarter)});
    }
};

/// Calls `take(key columns, value columns)` with each row of the table among these.
template <class Take>
Result<void> each_row(const storage::Batch& batch, const storage::Table& table, const Take& take) {
    Result<void> outcome;
    std::vector<storage::ValueView> columns;
    std::string texts;
    batch.for_each([&](const storage::Batch::Mutation& each) {
        if (each.table != &table || !outcome) {
            return;
        }
        columns.clear();
        outcome = storage::decode_key(table, each.key, columns, texts);
        if (outcome) {
            outcome = storage::decode_row_values(table, each.values, columns);
        }
        if (outcome) {
            take(columns);
        }
    });
    return outcome;
}

/// What is in no row yet, and then names that are not: a row of either may be written between, and
/// is read afterwards.
Result<void> take_waiting(
    Readership& readership, std::span<const std::uint64_t> readers, Facts& facts
) {
    Result<void> outcome;
    const auto each_waiting = [&](const storage::Table& table, const auto& take) {
        readership.look_at_waiting_facts([&](const storage::Batch& batch) {
            if (outcome) {
                outcome = each_row(batch, table, take);
            }
        });
    };
    each_waiting(read_fact_table, [&](const std::vector<storage::ValueView>& row) {
        const auto known = std::ranges::find(readers, static_cast<std::uint64_t>(row[0].number()));
        if (known != readers.end() && row[1].number() >= readership.first_day()) {
            const auto place = static_cast<std::size_t>(known - readers.begin());
            facts.add(place, row[2].number(), static_cast<QuarterOfTime>(row[3].number()));
        }
    });
    if (facts.times.empty()) {
        return outcome;
    }
    each_waiting(read_page_table, [&](const std::vector<storage::ValueView>& row) {
        if (facts.times.contains(row[0].number())) {
            facts.names.try_emplace(row[0].number(), row[1].text());
        }
    });
    return outcome;
}

/// The latest facts of one of them that are in rows.
Result<void> read_facts(
    const Readership& readership, std::uint64_t reader, std::size_t place, Facts& facts
) {
    storage::RangeQuery query{
        .table = &read_fact_table,
        .partition = {static_cast<std::int64_t>(reader)},
        .through = {std::int64_t{readership.first_day()}}
    };
    std::size_t count = 0;
    do {
        TRY(storage::Page page, storage::read_page(readership.store(), query));
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            const auto quarter = static_cast<QuarterOfTime>(page.rows.at(row, 3).number());
            facts.add(place, page.rows.at(row, 2).number(), quarter);
        }
        count += page.rows.size();
        query.continuation = std::move(page.continuation);
    } while (!query.continuation.empty() && count < own_facts_max);
    return {};
}

/// Looks up the names that are not known. A URL that has none any more is left out.
Result<void> name_urls(storage::Store& store, Facts& facts) {
    std::vector<std::vector<storage::Value>> keys;
    const auto look_up = [&]() -> Result<void> {
        TRY(const storage::Found found, storage::read_many(store, read_page_table, keys));
        for (const auto& row : found.row_of_key) {
            if (row) {
                facts.names.try_emplace(
                    found.rows.at(*row, 0).number(), found.rows.at(*row, 1).text()
                );
            }
        }
        keys.clear();
        return {};
    };
    for (const auto& [hash, of_url] : facts.times) {
        if (!facts.names.contains(hash)) {
            keys.push_back({hash});
        }
        if (keys.size() == names_at_once) {
            TRY_VOID(look_up());
        }
    }
    return keys.empty() ? Result<void>{} : look_up();
}

bool goes(const OwnRead& read, const people::TakeBack& what) {
    if (what.taken == people::Taken::all) {
        return true;
    }
    return people::hides(people::former_reader({}, {}, what), read.url, read.latest);
}

}  // namespace

Readers readers_of(const people::Sharers& sharers, const std::string& actor) {
    Readers readers;
    const auto id = sharers.id_of(actor);
    const auto reader = id ? sharers.reader_of(*id) : std::nullopt;
    if (!reader) {
        return readers;
    }
    readers.present = reader->number;
    if (const auto past = sharers.past_of(*id)) {
        readers.formers = past->formers;
    }
    return readers;
}

Result<std::vector<OwnRead>> own_reads(Readership& readership, const Readers& readers) {
    std::vector<std::uint64_t> numbers;
    numbers.reserve(readers.formers.size() + 1);
    for (const people::FormerReader& each : readers.formers) {
        numbers.push_back(each.reader.number);
    }
    if (readers.present) {
        numbers.push_back(*readers.present);
    }
    Facts facts;
    TRY_VOID(take_waiting(readership, numbers, facts));
    for (std::size_t place = 0; place < numbers.size(); ++place) {
        TRY_VOID(read_facts(readership, numbers[place], place, facts));
    }
    TRY_VOID(name_urls(readership.store(), facts));
    std::vector<OwnRead> reads;
    for (auto& [hash, url] : facts.names) {
        Times& of_url = facts.times.at(hash);
        of_url.resize(readers.formers.size() + 1);
        if (const auto left = people::left_of(readers.formers, url, of_url)) {
            const Instant until = readership.end_of(people::utc_day_of(*left));
            reads.push_back({.url = std::move(url), .latest = *left, .until = until});
        }
    }
    std::ranges::sort(reads, [](const OwnRead& one, const OwnRead& other) {
        return std::tie(other.latest, one.url) < std::tie(one.latest, other.url);
    });
    return reads;
}

Result<std::size_t> take_back(
    Readership& readership,
    people::People& people,
    const std::string& actor,
    const people::TakeBack& what
) {
    const Readers before = readers_of(people.sharers(), actor);
    const people::Said said{.actor = actor, .take_back = what};
    TRY(const auto answers, people.say({&said, 1}));
    TRY_VOID(answers.front());
    // It holds from now on, whatever becomes of the number.
    TRY(const auto reads, own_reads(readership, before));
    return static_cast<std::size_t>(std::ranges::count_if(reads, [&](const OwnRead& each) {
        return goes(each, what);
    }));
}

}  // namespace footfall::reading
