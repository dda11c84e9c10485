// Who read a URL, and when last: what rankings and lists of friends are made of.

#include "events/event_keys.h"
#include "reading/readership.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace footfall::reading {
namespace {

/// Of each reader the latest, from a quarter on.
void keep_latest(std::vector<LatestRead>& reads, Quarter first) {
    std::erase_if(reads, [&](const LatestRead& each) { return each.latest < first; });
    std::ranges::sort(reads, std::ranges::greater{}, [](const LatestRead& each) {
        return std::pair{each.reader, each.latest};
    });
    const auto earlier = std::ranges::unique(reads, {}, &LatestRead::reader);
    reads.erase(earlier.begin(), earlier.end());
}

}  // namespace

/// Each once, and of who has taken something back what is left.
std::vector<Readership::ReaderAt> Readership::settled(
    std::string_view url, const std::vector<LatestRead>& reads, const Pasts& pasts
) const {
    std::vector<ReaderAt> readers;
    readers.reserve(reads.size());
    std::vector<std::pair<ReaderId, Instant>> of_pasts;
    for (const LatestRead& each : reads) {
        const Instant latest = hot_.begin_of(each.latest);
        if (!pasts.empty() && pasts.has(each.reader)) {
            of_pasts.emplace_back(each.reader, latest);
        } else {
            readers.push_back({.reader = each.reader, .latest = quarter_of(latest)});
        }
    }
    for (const auto& [id, latest] : pasts.left(url, of_pasts)) {
        readers.push_back({.reader = id, .latest = quarter_of(latest)});
    }
    return readers;
}

Result<void> Readership::latest_reads(
    std::span<const std::string> urls,
    const Readers& of,
    const TakeReaders& take,
    bool* is_provisional
) {
    const Pasts& pasts = *of.pasts;
    const people::UtcDay first = first_day();
    const QuarterOfTime now = quarter_of(clock_->now());
    std::vector<Cold> cold;
    for (std::size_t at = 0; at < urls.size(); ++at) {
        const std::uint32_t lane = events::lane_of(urls[at], options_.secret);
        const std::uint64_t url = hash_of(urls[at]);
        const bool here = options_.owners == nullptr || options_.owners->counted_here(lane);
        const auto hot =
            here && hot_.covers(now) ? hot_.readings(lane, url, first, now) : std::nullopt;
        if (hot) {
            take(at, settled(urls[at], *hot, pasts));
        } else {
            cold.push_back({.at = at, .lane = lane, .url = url, .here = here});
        }
    }
    const auto take_told = [&](const Cold& url, const ReadersTold& told) {
        std::vector<LatestRead> reads = timed_reads(told, *of.friends);
        keep_latest(reads, hot_.quarter_of_day(first));
        take(url.at, settled(urls[url.at], reads, pasts));
    };
    if (of.friends != nullptr) {
        TRY_VOID(ask_about_friends(cold, *of.friends, 0, take_told, is_provisional));
    }
    const auto take_loaded = [&](Cold& each) {
        keep_latest(each.known.readers, hot_.quarter_of_day(first));
        take(each.at, settled(urls[each.at], each.known.readers, pasts));
    };
    for (std::size_t begin = 0; begin < cold.size(); begin += loaded_at_once) {
        const std::span<Cold> some =
            std::span{cold}.subspan(begin, std::min(loaded_at_once, cold.size() - begin));
        TRY_VOID(load_some(some, now, take_loaded, is_provisional));
    }
    return {};
}

}  // namespace footfall::reading
