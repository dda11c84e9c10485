#include "reading/readership.h"

#include "events/event_keys.h"
#include "projecting/writer.h"
#include "reading/fragments.h"
#include "reading/schema.h"
#include "reading/told_reads.h"
#include "runtime/lanes.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <utility>

namespace footfall::reading {
namespace {

/// Lists of single people are made of rows: they wait no longer. Nothing is gained by merging them.
constexpr std::chrono::seconds facts_wait{1};

std::int64_t signed_of(std::uint64_t number) {
    return static_cast<std::int64_t>(number);
}

std::int64_t microseconds_of(Instant instant) {
    return instant.time_since_epoch().count();
}

/// Appends who of the friends is among these from a quarter on, each once.
void match_once(
    const std::vector<LatestRead>& readers,
    Quarter first,
    FriendSet& friends,
    std::vector<ReaderId>& matched
) {
    const std::size_t begin = matched.size();
    for (const LatestRead& each : readers) {
        if (each.latest >= first && friends.has(each.reader)) {
            matched.push_back(each.reader);
            friends.take_out(each.reader);
        }
    }
    for (std::size_t at = begin; at < matched.size(); ++at) {
        friends.put_back(matched[at]);
    }
}

}  // namespace

Readership::Readership(
    storage::Store& store, const Clock& clock, const people::Sharers& sharers, Options options
)
    : store_{&store},
      clock_{&clock},
      options_{options},
      facts_{store, clock, std::min<std::chrono::microseconds>(options.interval, facts_wait)},
      urls_{
          store,
          clock,
          [this](std::uint32_t lane, const Urls::Waiting& some, storage::Batch& batch) {
              return merge(lane, some, batch);
          },
          {.interval = options.interval, .memory = options.memory}
      },
      hot_{sharers, quarter_of(clock.now() - options.ttl - std::chrono::days{10})},
      desk_{
          sharers,
          hot_,
          options.secret,
          [this](std::uint32_t lane, std::uint64_t url) { return waiting_of(lane, url); }
      },
      others_{
          options.owners == nullptr
              ? nullptr
              : std::make_unique<ReadsOfOthers>(*options.owners, name, options.secret)
      } {}

std::uint64_t Readership::hash_of(std::string_view url) const {
    return siphash13(options_.secret, url);
}

Instant Readership::end_of(people::UtcDay day) const {
    return Instant{std::chrono::days{day + 1} + options_.ttl};
}

std::size_t Readership::half_of_memory() const {
    constexpr std::size_t without_a_share = 64 << 20;
    return (options_.memory != nullptr ? options_.memory->bytes() : without_a_share) / 2;
}

/// One half is for URLs and friends that were asked for.
void Readership::keep_within_memory() {
    hot_.keep_within(half_of_memory() - std::min(half_of_memory(), desk_.lists_bytes()));
}

/// What waits of both kinds shares one bound: facts have none of their own.
Result<void> Readership::wait_for_room() {
    keep_within_memory();
    if (bytes() < half_of_memory()) {
        return {};
    }
    if (options_.memory != nullptr) {
        options_.memory->note_short();
    }
    return flush(true);
}

std::optional<people::UtcDay> Readership::PagesOfDay::keep(std::uint64_t url, people::UtcDay day) {
    if (day > day_ || urls_.size() >= urls_max) {
        day_ = std::max(day, day_);
        urls_.clear();
    }
    return urls_.insert(url).second ? std::optional{day_} : std::nullopt;
}

void Readership::apply(std::uint32_t lane, std::span<const projecting::JudgedRecord> records) {
    std::vector<Fact> facts;
    for (const projecting::JudgedRecord& each : records) {
        const events::JudgedEvent& judged = *each.judged;
        if (judged.read && judged.read->reader && judged.verdict.counted()) {
            const QuarterOfTime quarter = quarter_of(judged.event.time);
            facts.push_back(fact(each.offset, *judged.read->reader, judged.event.object, quarter));
        }
    }
    take_in(lane, facts);
}

/// Who cannot open it any more has nothing to take in: it is nobody's.
std::vector<ToldRead> Readership::take_told_again(
    std::uint32_t lane, std::uint64_t offset, const events::Control& control
) {
    if (const auto* const mark = std::get_if<events::ReadsMark>(&control)) {
        marks_.with(lane, [&](Mark& own) { own = {.offset = offset, .said = mark->said}; });
    }
    const auto* const told = std::get_if<events::ReadsToldAgain>(&control);
    if (told == nullptr || options_.seals == nullptr) {
        return {};
    }
    const auto text = options_.seals->open_text(told->seal);
    if (!text) {
        return {};
    }
    std::vector<ToldRead> reads = told_reads(text->text);
    std::vector<Fact> facts;
    facts.reserve(reads.size());
    for (const ToldRead& each : reads) {
        facts.push_back(fact(offset, text->reader, each.url, each.quarter));
    }
    take_in(lane, facts);
    return reads;
}

Readership::Fact Readership::fact(
    std::uint64_t offset, std::uint64_t reader, std::string_view url, QuarterOfTime quarter
) const {
    return {
        .url = url,
        .read =
            {.url = hash_of(url), .read = {.offset = offset, .reader = reader, .quarter = quarter}}
    };
}

/// All at once: a mutex and a look at the clock for each cost as much as the rest.
void Readership::take_in(std::uint32_t lane, std::span<const Fact> facts) {
    if (facts.empty()) {
        return;
    }
    const Instant now = clock_->now();
    // Somebody may have read a URL today already: who begins again does not know.
    const people::UtcDay today = people::utc_day_of(now);
    facts_.add(lane, facts.front().read.read.offset, [&](storage::Batch& rows) {
        pages_.change(lane, [&](PagesOfDay& pages) {
            for (const Fact& each : facts) {
                append_rows(each, pages, today, rows);
            }
        });
    });
    const people::UtcDay first = first_day();
    std::vector<ReadOfUrl> reads;
    reads.reserve(facts.size());
    urls_.add(lane, [&](const auto& add) {
        for (const Fact& each : facts) {
            add(each.read.url, each.read.read);
            if (day_of(each.read.read.quarter) >= first) {
                reads.push_back(each.read);  // what has ended is shown no more
            }
        }
    });
    // Behind that: who loads a URL looks at what waits after it has begun.
    hot_.note(lane, reads, quarter_of(now));
}

void Readership::append_rows(
    const Fact& fact, PagesOfDay& pages, people::UtcDay today, storage::Batch& rows
) const {
    const auto& [url, read] = fact.read;
    const people::UtcDay day = day_of(read.quarter);
    rows.upsert(
        read_fact_table,
        {signed_of(read.reader), day, signed_of(url), read.quarter, microseconds_of(end_of(day))}
    );
    if (const auto kept = pages.keep(url, std::max(day, today))) {
        rows.upsert(read_page_table, {signed_of(url), fact.url, microseconds_of(end_of(*kept))});
    }
}

/// A row for each URL and day. Its key is the first of its records: those that come again after a
/// start make it again, with others or without, and all are written before the checkpoint moves.
Result<void> Readership::merge(
    std::uint32_t lane, const Urls::Waiting& some, storage::Batch& batch
) {
    const std::string writer = projecting::writer_of(options_.log, lane);
    std::vector<Fragment> fragmented;
    std::vector<UrlRead> by_day;
    std::string readers;
    for (const auto& [url, changes] : some) {
        by_day = changes;
        std::ranges::sort(by_day, {}, [](const UrlRead& each) {
            return std::pair{day_of(each.quarter), each.offset};
        });
        for (auto begin = by_day.begin(); begin != by_day.end();) {
            const people::UtcDay day = day_of(begin->quarter);
            const auto end = std::find_if(begin, by_day.end(), [&](const UrlRead& each) {
                return day_of(each.quarter) != day;
            });
            const std::span<const UrlRead> reads{begin, end};
            begin = end;
            readers.clear();
            append_reads(reads, readers);
            batch.upsert(
                read_url_table,
                {signed_of(url),
                 day,
                 writer,
                 signed_of(reads.front().offset),
                 readers,
                 signed_of(reads.back().offset),
                 microseconds_of(end_of(day))}
            );
            if (fragments_.note(url, day)) {
                fragmented.push_back({.url = url, .day = day, .from = reads.front().offset});
            }
        }
    }
    return merge_fragments(*store_, writer, fragmented, batch);
}

Result<void> Readership::flush(bool all) {
    TRY_VOID(facts_.flush(all));
    return urls_.flush(all);
}

std::optional<std::uint64_t> Readership::unsaved(std::uint32_t lane) {
    const auto fact = facts_.unsaved(lane);
    const auto url = urls_.unsaved(lane);
    return !fact ? url : !url ? fact : std::min(*fact, *url);
}

Instant Readership::stored_until(std::uint32_t lane) {
    return std::min(facts_.stored_until(lane), urls_.stored_until(lane));
}

void Readership::drop() {
    for (std::uint32_t lane = 0; lane < runtime::lane_count; ++lane) {
        drop_lane(lane);
    }
}

void Readership::drop_lane(std::uint32_t lane) {
    // With its mark: else it might be taken to be stored.
    marks_.with(lane, [&](Mark& own) {
        own = {};
        facts_.drop_lane(lane);
        urls_.drop_lane(lane);
    });
    hot_.drop_lane(lane);
    pages_.change(lane, [](PagesOfDay& own) { own = {}; });
}

people::UtcDay Readership::first_day() const {
    return people::utc_day_of(clock_->now()) - static_cast<people::UtcDay>(options_.ttl.count());
}

/// Of who has taken something back, only who has something left stays among the matched.
void Readership::settle(
    std::string_view url,
    std::span<const LatestRead> reads,
    Quarter first,
    const Pasts& pasts,
    std::vector<ReaderId>& matched
) const {
    std::vector<std::pair<ReaderId, Instant>> times;
    for (const LatestRead& each : reads) {
        if (each.latest >= first) {
            times.emplace_back(each.reader, hot_.begin_of(each.latest));
        }
    }
    pasts.append_left(url, times, matched);
}

/// False: the URL is not in memory, or not any more.
bool Readership::match_hot(
    std::uint32_t lane,
    std::string_view url,
    FriendSet& friends,
    const Pasts& pasts,
    std::vector<ReaderId>& matched
) {
    const QuarterOfTime now = quarter_of(clock_->now());
    const std::uint64_t hash = hash_of(url);
    if (!hot_.covers(now) || !hot_.match(lane, hash, first_day(), now, friends, matched)) {
        return false;
    }
    if (pasts.empty()) {
        return true;
    }
    std::vector<ReaderId> theirs = pasts.take_out(matched);
    if (theirs.empty()) {
        return true;
    }
    const auto reads = hot_.reads_of(lane, hash, std::move(theirs));
    if (!reads) {
        matched.clear();
        return false;
    }
    settle(url, *reads, hot_.quarter_of_day(first_day()), pasts, matched);
    return true;
}

/// By what the owner of the URL's lane told.
void Readership::take_told(
    std::string_view url,
    const ReadersTold& told,
    const AskedFriends& friends,
    std::vector<ReaderId>& matched
) const {
    for (const std::uint32_t each : told.untimed) {
        matched.push_back(friends.list.ids[each]);
    }
    if (!told.timed.empty()) {
        settle(
            url,
            timed_reads(told, friends.list),
            hot_.quarter_of_day(first_day()),
            friends.pasts,
            matched
        );
    }
}

Result<std::vector<std::vector<ReaderId>>> Readership::who(
    std::span<const std::string> urls, AskedFriends& friends, bool* is_provisional
) {
    const Pasts& pasts = friends.pasts;
    std::vector<std::vector<ReaderId>> matched(urls.size());
    std::vector<Cold> cold;
    for (std::size_t at = 0; at < urls.size(); ++at) {
        const std::uint32_t lane = events::lane_of(urls[at], options_.secret);
        const bool here = options_.owners == nullptr || options_.owners->counted_here(lane);
        if (!here || !match_hot(lane, urls[at], friends.ids, pasts, matched[at])) {
            cold.push_back({.at = at, .lane = lane, .url = hash_of(urls[at]), .here = here});
        }
    }
    const auto take = [&](const Cold& url, const ReadersTold& told) {
        take_told(urls[url.at], told, friends, matched[url.at]);
    };
    TRY_VOID(ask_about_friends(cold, friends.list, friends.list.untimed, take, is_provisional));
    const Quarter first = hot_.quarter_of_day(first_day());
    const auto match = [&](const Cold& each) {
        match_once(each.known.readers, first, friends.ids, matched[each.at]);
        if (!pasts.empty() && !pasts.take_out(matched[each.at]).empty()) {
            settle(urls[each.at], each.known.readers, first, pasts, matched[each.at]);
        }
    };
    for (std::size_t begin = 0; begin < cold.size(); begin += loaded_at_once) {
        const std::span<Cold> some =
            std::span{cold}.subspan(begin, std::min(loaded_at_once, cold.size() - begin));
        TRY_VOID(load_some(some, quarter_of(clock_->now()), match, is_provisional));
    }
    return matched;
}

std::vector<runtime::AuditedAccount> Readership::accounts() {
    return {
        {.of = std::string{name}, .audit = [this](std::size_t lane) { return urls_.audit(lane); }},
        {.of = std::string{name} + " facts",
         .audit = [this](std::size_t lane) { return facts_.audit(lane); }},
        {.of = std::string{name} + " urls",
         .audit = [this](std::size_t lane) { return hot_.audit(lane); }},
        {.of = std::string{name} + " lists",
         .audit = [this](std::size_t lane) { return desk_.audit_lists(lane); }},
        {.of = std::string{name} + " pages",
         .audit = [this](std::size_t lane) { return pages_.audit(lane); }}
    };
}

}  // namespace footfall::reading
