#include "ads/live_clicks.h"

#include "ads/line.h"
#include "foundation/clock_watch.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <limits>
#include <ranges>

namespace footfall::ads {
namespace {

/// So many cells are looked at with the mutex held.
constexpr std::uint64_t slice = 512;

/// A cell holds no more of either; the next click begins another.
constexpr std::uint16_t full = std::numeric_limits<std::uint16_t>::max();

std::int64_t second_of(Instant instant) {
    return std::chrono::floor<std::chrono::seconds>(instant).time_since_epoch().count();
}

bool is_of_the_past(const events::JudgedEvent& judged) {
    return judged.arrival - judged.event.time > std::chrono::seconds{LiveClicks::kept_seconds};
}

}  // namespace

LiveClicks::LiveClicks(SipKey secret) : secret_{secret} {
    static_assert(sizeof(Cell) == 24);
}

void LiveClicks::note(const events::JudgedEvent& judged, Instant now) {
    take_in(judged, now, false);
}

void LiveClicks::note_new(const events::JudgedEvent& judged, Instant now) {
    take_in(judged, now, true);
}

void LiveClicks::read_again(Instant now) {
    const std::lock_guard lock{mutex_};
    new_from_ = now;
}

void LiveClicks::take_in(const events::JudgedEvent& judged, Instant now, bool only_new) {
    const events::Event& event = judged.event;
    if (event.action != "click" || !is_of_ledger(event) || is_of_the_past(judged)) {
        return;
    }
    const std::uint64_t ad = siphash13(secret_, ad_of(event));
    const std::uint64_t reseller = siphash13(secret_, event.reseller);
    const std::lock_guard lock{mutex_};
    if (now + clock_slack < new_from_) {
        new_from_ = now;
    }
    if (only_new && judged.arrival < new_from_) {
        return;
    }
    move_on(second_of(now));
    add(ad, reseller, judged.verdict.counted());
}

/// Goes to the second of the clock. What a clock that was ahead left of later ones goes.
void LiveClicks::move_on(std::int64_t second) {
    if (second + clock_slack.count() < latest_) {
        while (end_ > begin_ && cell(end_ - 1).second > second) {
            --end_;
        }
        for (Sum& sum : sums_) {
            sum = sum.second > second ? Sum{} : sum;
        }
        latest_ = second;
        whole_from_ = std::min(whole_from_, second);
    }
    latest_ = std::max(latest_, second);
}

void LiveClicks::add(std::uint64_t ad, std::uint64_t reseller, bool counted) {
    const auto second = static_cast<std::uint32_t>(latest_);
    Sum& sum = sums_[second % kept_seconds];
    if (sum.second != second) {
        sum = {.second = second};
    }
    ++(counted ? sum.counted : sum.refused);
    std::uint64_t& place = places_[(ad ^ std::rotl(reseller, 32)) % places];
    const auto takes_one_more = [&](const Cell& cell) {
        return cell.second == second && cell.ad == ad && cell.reseller == reseller &&
               (counted ? cell.counted : cell.refused) != full;
    };
    if (place >= end_ || !takes_one_more(cell(place))) {
        place = append({.ad = ad, .reseller = reseller, .second = second});
    }
    ++(counted ? cell(place).counted : cell(place).refused);
}

std::uint64_t LiveClicks::append(const Cell& next) {
    if (end_ - begin_ == capacity) {
        whole_from_ = std::int64_t{cell(begin_).second} + 1;
        ++begin_;
    }
    cell(end_) = next;
    return end_++;
}

std::vector<ClickSecond> LiveClicks::between(
    const Asked& asked, std::int64_t from, std::int64_t before
) {
    {
        const std::lock_guard lock{mutex_};
        latest_ = std::max(latest_, before);
    }
    from = std::max(from, before - kept_seconds);
    if (asked.ad.empty() && asked.reseller.empty()) {
        return all_between(from, before);
    }
    const Wanted wanted{
        .any_ad = asked.ad.empty(),
        .any_reseller = asked.reseller.empty(),
        .ad = siphash13(secret_, asked.ad),
        .reseller = siphash13(secret_, asked.reseller)
    };
    return some_between(wanted, from, before);
}

std::vector<ClickSecond> LiveClicks::all_between(std::int64_t from, std::int64_t before) const {
    std::vector<ClickSecond> found;
    for (std::int64_t second = std::max<std::int64_t>(from, 0); second < before; ++second) {
        const std::lock_guard lock{mutex_};
        const Sum& sum = sums_[static_cast<std::size_t>(second % kept_seconds)];
        if (sum.second == second && sum.counted + sum.refused > 0) {
            found.push_back({.second = second, .counted = sum.counted, .refused = sum.refused});
        }
    }
    return found;
}

/// The number of the first cell of that second, or of one after it.
std::uint64_t LiveClicks::first_of(std::int64_t second) const {
    const auto numbers = std::views::iota(begin_, end_);
    return begin_ + static_cast<std::uint64_t>(
                        std::ranges::partition_point(
                            numbers, [&](std::uint64_t at) { return cell(at).second < second; }
                        ) -
                        numbers.begin()
                    );
}

std::vector<ClickSecond> LiveClicks::some_between(
    const Wanted& wanted, std::int64_t from, std::int64_t before
) {
    std::vector<ClickSecond> found;
    std::unique_lock lock{mutex_};
    std::uint64_t at = first_of(from);
    const std::uint64_t end = first_of(before);
    // Whoever notes clicks meanwhile gets in after each slice; the oldest cells may leave then.
    while (at < std::min(end, end_)) {
        for (const std::uint64_t stop = std::min({at + slice, end, end_}); at < stop; ++at) {
            const Cell& each = cell(at);
            if (!wanted.has(each)) {
                continue;
            }
            if (found.empty() || found.back().second != each.second) {
                found.push_back({.second = each.second});
            }
            found.back().counted += each.counted;
            found.back().refused += each.refused;
        }
        lock.unlock();
        lock.lock();
        at = std::max(at, begin_);
    }
    const auto first = std::ranges::lower_bound(found, whole_from_, {}, &ClickSecond::second);
    found.erase(found.begin(), first);
    return found;
}

}  // namespace footfall::ads
