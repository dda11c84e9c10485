#include "reading/hot_urls.h"

#include "foundation/check.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace footfall::reading {
namespace {

/// So long after it came the reader of an unknown number may become known; later they are gone.
constexpr QuarterOfTime unknown_for = 2;

/// An eighth goes in a pass, so after so many there is nothing left.
constexpr std::size_t passes_max = 128;

/// A slot of the map, with the byte that stands for it beside.
template <class Map>
std::size_t bytes_of(const Map& map) {
    return map.bucket_count() * (sizeof(typename Map::value_type) + 1);
}

}  // namespace

HotLane::Standing HotLane::standing(std::uint64_t url) const {
    const auto found = urls_.find(url);
    return found == urls_.end()   ? Standing::absent
           : found->second.loaded ? Standing::loaded
                                  : Standing::loading;
}

bool HotLane::begin(std::uint64_t url) {
    return urls_.try_emplace(url).second;
}

void HotLane::install(
    std::uint64_t url, const KnownReaders& known, ReaderId ids_end, QuarterOfTime now
) {
    const auto found = urls_.find(url);
    if (found == urls_.end()) {
        return;
    }
    found->second.loaded = true;
    note(url, known, ids_end, now);
}

void HotLane::note(
    std::uint64_t url, const KnownReaders& more, ReaderId ids_end, QuarterOfTime now
) {
    const auto found = urls_.find(url);
    if (found == urls_.end()) {
        return;
    }
    Posting& readers = found->second.readers;
    heap_ -= readers.heap_bytes();
    for (const LatestRead& each : more.readers) {
        readers.add(each, ids_end);
    }
    heap_ += readers.heap_bytes();
    if (!more.unknown.empty()) {
        Unknown& unknown = unknown_[url];
        unknown.reads.insert(unknown.reads.end(), more.unknown.begin(), more.unknown.end());
        unknown.since = now;
        unknown.looked_at = 0;
        unknowns_ += more.unknown.size();
    }
}

void HotLane::match(std::uint64_t url, FriendSet& friends, std::vector<ReaderId>& matched) {
    const auto found = urls_.find(url);
    CHECK(found != urls_.end() && found->second.loaded, "a URL that is not there was asked");
    found->second.asked = true;
    found->second.readers.match(friends, matched);
}

std::optional<std::vector<LatestRead>> HotLane::reads_of(
    std::uint64_t url, std::span<const ReaderId> readers
) const {
    if (standing(url) != Standing::loaded) {
        return std::nullopt;
    }
    std::vector<LatestRead> reads = urls_.at(url).readers.readings();
    std::erase_if(reads, [&](const LatestRead& each) {
        return !std::ranges::binary_search(readers, each.reader);
    });
    return reads;
}

std::vector<LatestRead> HotLane::readings(std::uint64_t url) {
    const auto found = urls_.find(url);
    CHECK(found != urls_.end() && found->second.loaded, "a URL that is not there was asked");
    found->second.asked = true;
    return found->second.readers.readings();
}

std::vector<UrlRead> HotLane::unknown_reads(std::uint64_t url) const {
    const auto found = unknown_.find(url);
    return found == unknown_.end() ? std::vector<UrlRead>{} : found->second.reads;
}

bool HotLane::is_untidy(std::uint64_t url, people::UtcDay today) const {
    const auto found = urls_.find(url);
    return found != urls_.end() && found->second.tidied != static_cast<std::uint16_t>(today);
}

std::vector<UrlRead> HotLane::take_unknown(std::uint64_t url, ReaderId ids_end, QuarterOfTime now) {
    const auto found = unknown_.find(url);
    if (found == unknown_.end()) {
        return {};
    }
    const bool are_gone = found->second.since + unknown_for < now;
    if (found->second.looked_at == ids_end && !are_gone) {
        return {};
    }
    std::vector<UrlRead> reads = std::exchange(found->second.reads, {});
    unknowns_ -= reads.size();
    if (are_gone) {
        unknown_.erase(found);
    }
    return reads;
}

void HotLane::wait(std::uint64_t url, std::vector<UrlRead> unknown, ReaderId ids_end) {
    const auto found = unknown_.find(url);
    if (found == unknown_.end()) {
        return;  // they are nobody's
    }
    if (unknown.empty()) {
        unknown_.erase(found);
        return;
    }
    unknowns_ += unknown.size();
    found->second.reads = std::move(unknown);
    found->second.looked_at = ids_end;
}

void HotLane::erase_unknown(std::uint64_t url) {
    if (const auto found = unknown_.find(url); found != unknown_.end()) {
        unknowns_ -= found->second.reads.size();
        unknown_.erase(found);
    }
}

void HotLane::erase(Urls::iterator found) {
    heap_ -= found->second.readers.heap_bytes();
    erase_unknown(found->first);
    urls_.erase(found);
}

void HotLane::forget(std::uint64_t url) {
    if (const auto found = urls_.find(url); found != urls_.end()) {
        erase(found);
    }
}

void HotLane::evict() {
    std::size_t left = urls_.size() / 8 + 1;
    const auto let_go = [&](bool of_asked) {
        for (auto at = urls_.begin(); at != urls_.end() && left > 0;) {
            const auto next = std::next(at);
            if (at->second.loaded && (of_asked || !at->second.asked)) {
                erase(at);
                --left;
            }
            at = next;
        }
    };
    let_go(false);
    if (left > 0) {
        for (auto& [url, own] : urls_) {
            own.asked = false;
        }
        let_go(true);
    }
    urls_.rehash(0);
}

std::size_t HotLane::bytes() const {
    return bytes_of(urls_) + heap_ + unknown_.size() * 64 + unknowns_ * sizeof(UrlRead);
}

std::size_t HotLane::recount() const {
    std::size_t heap = 0;
    for (const auto& [url, own] : urls_) {
        heap += own.readers.heap_bytes();
    }
    std::size_t unknowns = 0;
    for (const auto& [url, of_url] : unknown_) {
        unknowns += of_url.reads.size();
    }
    return bytes_of(urls_) + heap + unknown_.size() * 64 + unknowns * sizeof(UrlRead);
}

Quarter HotUrls::quarter(QuarterOfTime quarter) const {
    return static_cast<Quarter>(std::clamp<std::int64_t>(
        std::int64_t{quarter} - from_, 0, std::numeric_limits<Quarter>::max()
    ));
}

Quarter HotUrls::quarter_of_day(people::UtcDay day) const {
    return quarter(day * quarters_a_day);
}

void HotUrls::add(const UrlRead& read, KnownReaders& known) const {
    if (const auto id = sharers_->id_of_reader(read.reader)) {
        known.readers.push_back({.reader = *id, .latest = quarter(read.quarter)});
    } else {
        known.unknown.push_back(read);
    }
}

bool HotUrls::covers(QuarterOfTime now) const {
    return now - from_ < std::numeric_limits<Quarter>::max() - quarters_a_day;
}

void HotUrls::note(std::uint32_t lane, std::span<const ReadOfUrl> reads, QuarterOfTime now) {
    lanes_.change(lane, [&](HotLane& own) {
        for (const ReadOfUrl& each : reads) {
            if (own.standing(each.url) != HotLane::Standing::absent) {
                KnownReaders one;
                add(each.read, one);
                own.note(each.url, one, sharers_->ids_end(), now);
            }
        }
    });
}

/// False: it is not in memory as a whole. Under the lane's mutex.
bool HotUrls::bring_up_to_date(
    HotLane& own, std::uint64_t url, people::UtcDay first, QuarterOfTime now
) const {
    if (own.standing(url) != HotLane::Standing::loaded) {
        return false;
    }
    const ReaderId ids_end = sharers_->ids_end();
    if (const people::UtcDay today = day_of(now); own.is_untidy(url, today)) {
        const Quarter first_quarter = quarter_of_day(first);
        own.tidy(url, today, ids_end, [&](const LatestRead& each) {
            return each.latest >= first_quarter && sharers_->reader_of(each.reader);
        });
    }
    if (const auto unknown = own.take_unknown(url, ids_end, now); !unknown.empty()) {
        KnownReaders known;
        for (const UrlRead& each : unknown) {
            add(each, known);
        }
        own.wait(url, std::exchange(known.unknown, {}), ids_end);
        own.note(url, known, ids_end, now);
    }
    return true;
}

bool HotUrls::match(
    std::uint32_t lane,
    std::uint64_t url,
    people::UtcDay first,
    QuarterOfTime now,
    FriendSet& friends,
    std::vector<ReaderId>& matched
) {
    return lanes_.change(lane, [&](HotLane& own) {
        const bool is_there = bring_up_to_date(own, url, first, now);
        if (is_there) {
            own.match(url, friends, matched);
        }
        return is_there;
    });
}

std::optional<std::vector<LatestRead>> HotUrls::readings(
    std::uint32_t lane, std::uint64_t url, people::UtcDay first, QuarterOfTime now
) {
    return lanes_.change(lane, [&](HotLane& own) -> std::optional<std::vector<LatestRead>> {
        if (!bring_up_to_date(own, url, first, now)) {
            return std::nullopt;
        }
        std::vector<LatestRead> readings = own.readings(url);
        sharers_->keep_those_who_share(readings, &LatestRead::reader);
        return readings;
    });
}

bool HotUrls::is_loaded(std::uint32_t lane, std::uint64_t url) {
    return lanes_.look(lane, [&](const HotLane& own) {
        return own.standing(url) == HotLane::Standing::loaded;
    });
}

std::optional<std::vector<UrlRead>> HotUrls::all_reads(
    std::uint32_t lane, std::uint64_t url, people::UtcDay first, QuarterOfTime now, std::size_t most
) {
    std::vector<UrlRead> reads;
    const auto readings =
        lanes_.change(lane, [&](HotLane& own) -> std::optional<std::vector<LatestRead>> {
            if (!bring_up_to_date(own, url, first, now)) {
                return std::nullopt;
            }
            reads = own.unknown_reads(url);
            return own.readings(url);
        });
    if (!readings || readings->size() + reads.size() > most) {
        return std::nullopt;
    }
    for (const LatestRead& each : *readings) {
        if (const auto reader = sharers_->reader_of(each.reader)) {
            reads.push_back(
                {.offset = 0, .reader = reader->number, .quarter = quarter_of(begin_of(each.latest))
                }
            );
        }
    }
    return reads;
}

std::optional<std::vector<LatestRead>> HotUrls::reads_of(
    std::uint32_t lane, std::uint64_t url, std::vector<ReaderId> readers
) {
    std::ranges::sort(readers);
    return lanes_.look(lane, [&](const HotLane& own) { return own.reads_of(url, readers); });
}

void HotUrls::install(
    std::uint32_t lane, std::uint64_t url, const KnownReaders& known, QuarterOfTime now
) {
    lanes_.change(lane, [&](HotLane& own) { own.install(url, known, sharers_->ids_end(), now); });
}

void HotUrls::keep_within(std::size_t bytes_max) {
    for (std::size_t lanes = 0; bytes() > bytes_max && lanes < passes_max * lanes_.count; ++lanes) {
        const std::size_t lane = evicting_++ % lanes_.count;
        lanes_.change(lane, [](HotLane& own) { own.evict(); });
    }
}

std::size_t HotUrls::size() {
    std::size_t size = 0;
    for (std::size_t lane = 0; lane < lanes_.count; ++lane) {
        size += lanes_.look(lane, [](const HotLane& own) { return own.size(); });
    }
    return size;
}

}  // namespace footfall::reading
