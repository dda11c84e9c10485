// How who read a URL comes from where it is: from owners of other lanes, and from rows.

#include "reading/passed.h"
#include "reading/readership.h"
#include "reading/schema.h"
#include "storage/blocking.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

namespace footfall::reading {
namespace {

/// How much of the half of memory that is for what was asked for lists of friends may take.
constexpr std::size_t lists_part = 4;

}  // namespace

Result<void> Readership::begin(std::span<const projecting::LaneStart> lanes) {
    for (const projecting::LaneStart& each : lanes) {
        hot_.drop_lane(each.lane);
    }
    return {};
}

std::vector<UrlRead> Readership::waiting_of(std::uint32_t lane, std::uint64_t url) {
    return urls_.look(lane, [&](const Urls::Waiting& waiting) {
        const auto found = waiting.find(url);
        return found == waiting.end() ? std::vector<UrlRead>{} : found->second;
    });
}

Result<std::vector<std::string>> Readership::answer_all(
    std::span<const projecting::AskedLane> asked, std::string_view of_all
) {
    if (!asked.empty() && asked.front().question == passed_question) {
        std::vector<std::string> answers;
        for (const projecting::AskedLane& each : asked) {
            answers.push_back(written_passed(passed(each.lane)));
        }
        return answers;
    }
    return desk_.answer(
        asked,
        of_all,
        {.quarter = quarter_of(clock_->now()),
         .first = first_day(),
         .lists_bytes_max = half_of_memory() / lists_part}
    );
}

std::vector<LatestRead> Readership::timed_reads(const ReadersTold& told, const FriendList& list)
    const {
    std::vector<LatestRead> reads;
    reads.reserve(told.timed.size());
    for (const ReadersTold::Timed& each : told.timed) {
        reads.push_back({.reader = list.ids[each.at], .latest = hot_.quarter(each.latest)});
    }
    return reads;
}

/// Asks the owners of those that are not counted here and were not asked: what is told of the list
/// goes to `take`, else what is in no row yet is added. Null: everybody is asked about.
Result<void> Readership::ask_others(
    std::span<Cold> cold,
    const FriendList* list,
    std::size_t untimed,
    const TakeTold& take,
    bool* is_provisional
) {
    std::vector<ReadsOfOthers::Url> urls;
    std::vector<Cold*> of_urls;
    for (Cold& each : cold) {
        if (!each.here && !each.asked) {
            each.asked = true;
            urls.push_back({.lane = each.lane, .url = each.url});
            of_urls.push_back(&each);
        }
    }
    if (urls.empty()) {
        return {};
    }
    const auto answers = others_->ask(urls, list, untimed, first_day());
    for (std::size_t at = 0; at < answers.size(); ++at) {
        const std::optional<UrlTold>& answer = answers[at];
        if (answer) {
            take_answer(*answer, take, *of_urls[at]);
        } else if (is_provisional != nullptr) {
            *is_provisional = true;
        } else {
            return fail(
                ErrorKind::unavailable, "who counts some of these reads did not answer; try again"
            );
        }
    }
    return {};
}

void Readership::take_answer(const UrlTold& answer, const TakeTold& take, Cold& url) const {
    if (const auto* const told = std::get_if<ReadersTold>(&answer)) {
        url.told = true;
        take(url, *told);
        return;
    }
    const auto* const everybody = std::get_if<AllTold>(&answer);
    url.whole = everybody != nullptr;
    for (const UrlRead& each : url.whole ? everybody->reads : std::get<WaitingTold>(answer).reads) {
        hot_.add(each, url.known);
    }
}

/// Leaves in `cold` what is to be loaded. A list that is too long is not sent: everybody is asked
/// about then, as the URLs are loaded.
Result<void> Readership::ask_about_friends(
    std::vector<Cold>& cold,
    const FriendList& list,
    std::size_t untimed,
    const TakeTold& take,
    bool* is_provisional
) {
    if (list.numbers.size() <= friend_list_max) {
        TRY_VOID(ask_others(cold, &list, untimed, take, is_provisional));
        std::erase_if(cold, [](const Cold& each) { return each.told; });
    }
    return {};
}

Result<void> Readership::take(std::string_view bytes, Cold& cold) const {
    std::vector<UrlRead> reads;
    TRY_VOID(take_reads(bytes, reads));
    for (const UrlRead& each : reads) {
        hot_.add(each, cold.known);
    }
    return {};
}

/// Memory before rows: what leaves it meanwhile is in them.
Result<void> Readership::load(
    std::span<Cold> cold, const TakeLoaded& take_loaded, bool* is_provisional
) {
    for (Cold& each : cold) {
        if (each.here) {
            for (const UrlRead& read : waiting_of(each.lane, each.url)) {
                hot_.add(read, each.known);
            }
        }
    }
    TRY_VOID(ask_others(cold, nullptr, 0, {}, is_provisional));
    std::vector<storage::RangeQuery> queries;
    std::vector<Cold*> of_queries;
    queries.reserve(cold.size());
    for (Cold& each : cold) {
        if (each.whole) {
            take_loaded(each);
            continue;
        }
        of_queries.push_back(&each);
        queries.push_back(
            {.table = &read_url_table,
             .partition = {static_cast<std::int64_t>(each.url)},
             .from = {std::int64_t{first_day()}},
             .max_bytes = page_bytes}
        );
    }
    TRY(std::vector<storage::Page> pages, storage::read_pages(*store_, queries));
    for (std::size_t at = 0; at < pages.size(); ++at) {
        storage::Page page = std::move(pages[at]);
        if (!page.continuation.empty()) {
            TRY(page.rows, read_at_once(std::move(queries[at])));
        }
        const storage::Rows& rows = page.rows;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            TRY_VOID(take(rows.at(row, 4).text(), *of_queries[at]));
        }
        take_loaded(*of_queries[at]);
    }
    return {};
}

/// Rows are merged while they are read: of what comes in several pages a row may be gone into one
/// that was read before.
Result<storage::Rows> Readership::read_at_once(storage::RangeQuery query) const {
    constexpr std::size_t bytes_most = 64 << 20;
    query.max_rows = std::numeric_limits<std::int32_t>::max();
    query.max_bytes = bytes_most;
    return storage::read_all(*store_, std::move(query));
}

/// Those that are counted here come to stay in memory, if they can.
Result<void> Readership::load_some(
    std::span<Cold> cold, QuarterOfTime now, const TakeLoaded& take, bool* is_provisional
) {
    for (Cold& each : cold) {
        each.ours = each.here && hot_.covers(now) && hot_.begin(each.lane, each.url);
    }
    const auto install = [&](Cold& each) {
        if (std::exchange(each.ours, false)) {
            hot_.install(each.lane, each.url, each.known, now);
        }
        take(each);
        each.known = {};
    };
    const Result<void> loaded = load(cold, install, is_provisional);
    for (const Cold& each : cold) {
        if (each.ours) {
            hot_.forget(each.lane, each.url);
        }
    }
    keep_within_memory();
    return loaded;
}

Result<void> Readership::load_wanted() {
    std::vector<Cold> cold;
    for (const ReadsDesk::Wanted& each : desk_.take_wanted(loaded_at_once)) {
        if (options_.owners == nullptr || options_.owners->counted_here(each.lane)) {
            cold.push_back({.lane = each.lane, .url = each.url});
        }
    }
    if (cold.empty()) {
        return {};
    }
    return load_some(cold, quarter_of(clock_->now()), [](const Cold&) {}, nullptr);
}

}  // namespace footfall::reading
