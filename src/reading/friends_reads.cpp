#include "reading/friends_reads.h"

#include "rankings/site_limit.h"
#include "reading/schema.h"
#include "storage/blocking.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace footfall::reading {
namespace {

/// Of friends whose rows are asked for together.
constexpr std::size_t friends_at_once = 256;
/// Of URLs that are confirmed together.
constexpr std::size_t confirmed_at_once = 100;
/// Of a person and window, URLs that are kept to be looked at.
constexpr std::size_t candidates_max = 2'000;
constexpr std::size_t kept_max = 256;

constexpr std::size_t url_column = 2;
constexpr std::size_t quarter_column = 3;

Result<void> check(const std::stop_token& stop) {
    return stop.stop_requested() ? fail(ErrorKind::cancelled, "nobody waits for it any more")
                                 : Result<void>{};
}

/// The largest number first.
template <class Candidates>
void sort_largest_first(Candidates& candidates) {
    std::ranges::sort(candidates, std::ranges::greater{}, [](const auto& each) {
        return std::pair{each.number, each.url};
    });
}

}  // namespace

/// In a place of its own: names point into its list.
Result<std::unique_ptr<FriendsReads::Asked>> FriendsReads::friends_of(const std::string& actor) {
    auto asked = std::make_unique<Asked>();
    TRY(asked->listed, people_->friends_of(actor));
    TRY(asked->friends, shown_friends(*people_, asked->listed, actor));
    ask_for(asked->friends, asked->of);
    return asked;
}

/// Under which facts of them may stand.
std::vector<std::uint64_t> FriendsReads::numbers_of(const ShownFriend& one) const {
    std::vector<std::uint64_t> numbers;
    if (const auto reader = people_->sharers().reader_of(one.id)) {
        numbers.push_back(reader->number);
    }
    if (const auto& past = one.past; past != nullptr) {
        for (const people::FormerReader& each : past->formers) {
            numbers.push_back(each.reader.number);
        }
    }
    return numbers;
}

/// Tells `take(at, url, quarter)` of the facts of each friend, one after another. False: there are
/// more than `left` of them.
template <class Take>
Result<bool> FriendsReads::each_fact(
    const Asked& asked, Days days, std::size_t& left, const std::stop_token& stop, Take take
) {
    for (std::size_t begin = 0; begin < asked.friends.size(); begin += friends_at_once) {
        TRY_VOID(check(stop));
        std::vector<storage::RangeQuery> queries;
        std::vector<std::size_t> of_friend;
        const std::size_t end = std::min(begin + friends_at_once, asked.friends.size());
        for (std::size_t at = begin; at < end; ++at) {
            for (const std::uint64_t number : numbers_of(asked.friends[at])) {
                storage::RangeQuery& query = queries.emplace_back();
                query.table = &read_fact_table;
                query.partition = {static_cast<std::int64_t>(number)};
                if (days.last) {
                    query.from = {std::int64_t{*days.last}};
                }
                query.through = {std::int64_t{days.first}};
                of_friend.push_back(at);
            }
        }
        bool is_cut = false;
        const auto tell = [&](std::size_t at, const storage::Rows& rows) -> Result<void> {
            is_cut |= rows.size() > left;
            for (std::size_t row = 0; row < rows.size() && left > 0; ++row, --left) {
                take(
                    of_friend[at],
                    static_cast<std::uint64_t>(rows.at(row, url_column).number()),
                    static_cast<QuarterOfTime>(rows.at(row, quarter_column).number())
                );
            }
            return {};
        };
        TRY_VOID(storage::read_each(*store_, std::move(queries), tell));
        if (is_cut) {
            return false;
        }
    }
    return true;
}

/// Of each URL how many friends read it since then.
Result<FriendsReads::Candidates> FriendsReads::count(
    const Asked& asked, QuarterOfTime from, const std::stop_token& stop
) {
    struct Friends {
        std::size_t last = 0;  ///< Of those who were counted.
        std::int64_t number = 0;
    };

    boost::unordered_flat_map<std::uint64_t, Friends> urls;
    std::size_t left = facts_max;
    TRY(const bool is_all,
        each_fact(
            asked,
            {.first = day_of(from), .last = {}},
            left,
            stop,
            [&](std::size_t at, std::uint64_t url, QuarterOfTime quarter) {
                if (quarter < from) {
                    return;
                }
                Friends& readers = urls[url];
                if (readers.number == 0 || readers.last != at) {
                    ++readers.number;
                    readers.last = at;
                }
            }
        ));
    Candidates found{.urls = {}, .complete = is_all};
    for (const auto& [url, readers] : urls) {
        if (readers.number >= static_cast<std::int64_t>(least)) {
            found.urls.push_back({.url = url, .number = readers.number});
        }
    }
    sort_largest_first(found.urls);
    found.cut = found.urls.size() > candidates_max;
    found.urls.resize(std::min(found.urls.size(), candidates_max));
    return found;
}

Result<FriendsReads::Candidates> FriendsReads::counted_lately(
    const std::string& actor,
    const rankings::Window& window,
    const Asked& asked,
    QuarterOfTime from,
    const std::stop_token& stop
) {
    const Instant now = clock_->now();
    const std::pair key{actor, std::string{window.name}};
    const auto is_good = [&](const Kept& each) {
        return each.counted <= now && now - each.counted < counted_every;
    };
    {
        const std::lock_guard lock{mutex_};
        const auto found = kept_.find(key);
        if (found != kept_.end() && is_good(found->second)) {
            return found->second.candidates;
        }
    }
    TRY_VOID(readership_->flush_facts());
    TRY(Candidates found, count(asked, from, stop));
    const std::lock_guard lock{mutex_};
    std::erase_if(kept_, [&](const auto& each) { return !is_good(each.second); });
    if (kept_.size() >= kept_max) {
        kept_.erase(std::ranges::min_element(kept_, {}, [](const auto& each) {
            return each.second.counted;
        }));
    }
    return kept_.insert_or_assign(key, Kept{.candidates = std::move(found), .counted = now})
        .first->second.candidates;
}

/// Those URLs of which any friend is left who may appear, read since then.
Result<std::vector<FriendsReads::Confirmed>> FriendsReads::confirm(
    std::span<const Candidate> some, const Asked& asked, QuarterOfTime from, bool& is_provisional
) {
    std::vector<std::vector<storage::Value>> keys;
    keys.reserve(some.size());
    for (const Candidate& each : some) {
        keys.push_back({static_cast<std::int64_t>(each.url)});
    }
    TRY(const storage::Found pages, storage::read_many(*store_, read_page_table, std::move(keys)));
    std::vector<std::string> urls;
    for (const auto& row : pages.row_of_key) {
        if (row) {
            urls.emplace_back(pages.rows.at(*row, 1).text());
        }
    }
    std::vector<Confirmed> confirmed;
    const auto take = [&](std::size_t at, std::span<const Readership::ReaderAt> readers) {
        Confirmed own{.url = urls[at]};
        for (const Readership::ReaderAt& each : readers) {
            if (each.latest >= from && asked.of.ids.has(each.reader)) {
                own.readers.push_back(each.reader);
                own.latest = std::max(own.latest, each.latest);
            }
        }
        if (!own.readers.empty()) {
            confirmed.push_back(std::move(own));
        }
    };
    TRY_VOID(readership_->latest_reads(
        urls, {.pasts = &asked.of.pasts, .friends = &asked.of.list}, take, &is_provisional
    ));
    return confirmed;
}

Result<PopularReads> FriendsReads::popular(
    const std::string& actor, const PopularAsked& asked, const std::stop_token& stop
) {
    TRY(const auto friends, friends_of(actor));
    const Instant now = clock_->now();
    PopularReads answer{
        .urls = {},
        .from = std::max(
            rankings::begin_of(asked.window, now),
            begin_of(readership_->first_day() * quarters_a_day)
        ),
        .at = now,
        .floor = least
    };
    const QuarterOfTime from = quarter_of(answer.from);
    TRY(const Candidates candidates, counted_lately(actor, asked.window, *friends, from, stop));
    std::vector<PopularUrl> found;
    std::size_t next = 0;
    /// Whether none that was not looked at can change the list: its number is below the last one's.
    const auto is_settled = [&] {
        return answer.urls.size() == asked.limit &&
               candidates.urls[next].number < static_cast<std::int64_t>(answer.urls.back().readers);
    };
    while (next < candidates.urls.size() && !is_settled()) {
        TRY_VOID(check(stop));
        const auto some = std::span{candidates.urls}.subspan(
            next, std::min(confirmed_at_once, candidates.urls.size() - next)
        );
        next += some.size();
        TRY(std::vector<Confirmed> confirmed, confirm(some, *friends, from, answer.provisional));
        for (Confirmed& each : confirmed) {
            if (each.readers.size() >= least) {
                found.push_back({.url = std::move(each.url), .readers = each.readers.size()});
            }
        }
        std::ranges::sort(found, [](const PopularUrl& left, const PopularUrl& right) {
            return left.readers != right.readers ? left.readers > right.readers
                                                 : left.url < right.url;
        });
        answer.urls.clear();
        rankings::SiteLimit sites{asked.per_site, site_named};
        for (const PopularUrl& each : found) {
            if (answer.urls.size() < asked.limit && sites.take(each.url)) {
                answer.urls.push_back(each);
            }
        }
    }
    answer.complete = candidates.complete && (!candidates.cut || next < candidates.urls.size());
    return answer;
}

/// The URLs that friends read in these days, and in none later, by when they did.
Result<FriendsReads::Candidates> FriendsReads::read_in(
    Walk& walk, Days days, const std::stop_token& stop
) {
    boost::unordered_flat_map<std::uint64_t, QuarterOfTime> latest;
    TRY(const bool is_all,
        each_fact(
            *walk.asked,
            days,
            walk.left,
            stop,
            [&](std::size_t, std::uint64_t url, QuarterOfTime quarter) {
                if (!walk.seen.contains(url)) {
                    QuarterOfTime& known = latest.try_emplace(url, quarter).first->second;
                    known = std::max(known, quarter);
                }
            }
        ));
    Candidates found{.urls = {}, .complete = is_all};
    for (const auto& [url, quarter] : latest) {
        found.urls.push_back({.url = url, .number = quarter});
        walk.seen.insert(url);
    }
    sort_largest_first(found.urls);
    return found;
}

/// Confirms them until the list is settled. False: not all of them were needed.
Result<bool> FriendsReads::look_at(
    const Candidates& candidates, Walk& walk, const std::stop_token& stop
) {
    std::size_t next = 0;
    while (next < candidates.urls.size() && !walk.is_settled(candidates.urls[next].number)) {
        TRY_VOID(check(stop));
        const auto some = std::span{candidates.urls}.subspan(
            next, std::min(confirmed_at_once, candidates.urls.size() - next)
        );
        next += some.size();
        TRY(std::vector<Confirmed> confirmed,
            confirm(some, *walk.asked, readership_->first_day() * quarters_a_day, walk.provisional)
        );
        std::ranges::move(confirmed, std::back_inserter(walk.found));
        std::ranges::sort(walk.found, [](const Confirmed& one, const Confirmed& other) {
            return one.latest != other.latest ? one.latest > other.latest : one.url < other.url;
        });
    }
    return next == candidates.urls.size();
}

Result<Activity> FriendsReads::latest(
    const std::string& actor, std::size_t limit, const std::stop_token& stop
) {
    TRY(const auto asked, friends_of(actor));
    TRY_VOID(readership_->flush_facts());
    Activity answer{.urls = {}, .at = clock_->now()};
    const people::UtcDay first = readership_->first_day();
    Walk walk{.asked = asked.get(), .limit = limit};
    Days days{.first = people::utc_day_of(answer.at)};
    // Back from today, twice as many days each time: most who are asked for read something lately.
    for (people::UtcDay count = 1;; count *= 2) {
        TRY(const Candidates candidates, read_in(walk, days, stop));
        TRY(const bool looked_at_all, look_at(candidates, walk, stop));
        const bool is_end = days.first <= first;
        if (is_end || !candidates.complete || walk.is_settled(days.first * quarters_a_day - 1)) {
            answer.more =
                !is_end || !looked_at_all || walk.found.size() > limit || !candidates.complete;
            break;
        }
        days.last = days.first - 1;
        days.first = std::max(first, days.first - count * 2);
    }
    answer.provisional = walk.provisional;
    walk.found.resize(std::min(walk.found.size(), limit));
    for (const Confirmed& each : walk.found) {
        ActivityUrl& url = answer.urls.emplace_back();
        url.url = each.url;
        url.latest = begin_of(each.latest);
        for (const ReaderId id : each.readers) {
            url.readers.emplace_back(name_in(asked->friends, id));
        }
        std::ranges::sort(url.readers);
    }
    return answer;
}

}  // namespace footfall::reading
