#include "reading/own_reads.h"

#include "reading/schema.h"
#include "storage/blocking.h"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <utility>

namespace footfall::reading {
namespace {

/// Names of URLs are looked up so many at once.
constexpr std::size_t names_at_once = 1000;

/// When a URL was last read under each of a person's readers.
using Times = std::vector<std::optional<Instant>>;
using TimesOfUrls = std::map<std::int64_t, Times>;

/// The latest facts of one of them: `place` among all.
Result<void> read_facts(
    const Readership& readership, std::uint64_t reader, std::size_t place, TimesOfUrls& times
) {
    storage::RangeQuery query{
        .table = &read_fact_table,
        .partition = {static_cast<std::int64_t>(reader)},
        .through = {std::int64_t{readership.first_day()}}
    };
    std::size_t facts = 0;
    do {
        TRY(storage::Page page, storage::read_page(readership.store(), query));
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            const auto quarter = static_cast<QuarterOfTime>(page.rows.at(row, 3).number());
            Times& of_url = times[page.rows.at(row, 2).number()];
            of_url.resize(std::max(of_url.size(), place + 1));
            of_url[place] = std::max(of_url[place], std::optional{begin_of(quarter)});
        }
        facts += page.rows.size();
        query.continuation = std::move(page.continuation);
    } while (!query.continuation.empty() && facts < own_facts_max);
    return {};
}

/// Calls `take(url_hash, url)` with each that has a name still.
template <class Take>
Result<void> name_urls(storage::Store& store, const TimesOfUrls& times, const Take& take) {
    std::vector<std::vector<storage::Value>> keys;
    const auto look_up = [&]() -> Result<void> {
        TRY(const storage::Found found, storage::read_many(store, read_page_table, keys));
        for (std::size_t at = 0; at < keys.size(); ++at) {
            if (const auto row = found.row_of_key[at]) {
                take(found.rows.at(*row, 0).number(), std::string{found.rows.at(*row, 1).text()});
            }
        }
        keys.clear();
        return {};
    };
    for (const auto& [hash, of_url] : times) {
        keys.push_back({hash});
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
    TRY_VOID(readership.flush_facts());
    TimesOfUrls times;
    const std::size_t count = readers.formers.size();
    for (std::size_t at = 0; at < count; ++at) {
        TRY_VOID(read_facts(readership, readers.formers[at].reader.number, at, times));
    }
    if (readers.present) {
        TRY_VOID(read_facts(readership, *readers.present, count, times));
    }
    std::vector<OwnRead> reads;
    TRY_VOID(name_urls(readership.store(), times, [&](std::int64_t hash, std::string url) {
        Times& of_url = times.find(hash)->second;
        of_url.resize(count + 1);
        if (const auto left = people::left_of(readers.formers, url, of_url)) {
            const Instant until = readership.end_of(people::utc_day_of(*left));
            reads.push_back({.url = std::move(url), .latest = *left, .until = until});
        }
    }));
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
