#include "reading/day_counts.h"

#include "foundation/crc32c.h"
#include "foundation/varint.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace footfall::reading {
namespace {

constexpr char version = 1;

/// A node of the map of days.
constexpr std::size_t day_bytes = 96;

}  // namespace

DayCounts::Change DayCounts::add(std::uint64_t url, people::UtcDay day) {
    Day& own = days_[day];
    const auto [found, is_new] = own.urls.try_emplace(url, own.floor);
    const std::uint64_t before = is_new ? 0 : found->second;
    const std::uint64_t after = ++found->second;
    size_ += is_new ? 1 : 0;
    if (size_ > counters_most_ + counters_most_ / 4) {
        evict_least();
    }
    return {.before = before, .after = after};
}

void DayCounts::forget_before(people::UtcDay day) {
    while (!days_.empty() && days_.begin()->first < day) {
        size_ -= days_.begin()->second.urls.size();
        days_.erase(days_.begin());
    }
}

void DayCounts::evict_least() {
    struct Place {
        std::uint64_t count;
        std::uint64_t url;
        people::UtcDay day;

        auto operator<=>(const Place&) const = default;
    };

    std::vector<Place> places;
    places.reserve(size_);
    for (const auto& [day, own] : days_) {
        for (const auto& [url, count] : own.urls) {
            places.push_back({.count = count, .url = url, .day = day});
        }
    }
    const auto stay = places.begin() + static_cast<std::ptrdiff_t>(size_ - counters_most_);
    std::ranges::nth_element(places, stay);
    for (auto each = places.begin(); each != stay; ++each) {
        Day& own = days_[each->day];
        own.floor = std::max(own.floor, each->count);
        own.urls.erase(each->url);
    }
    size_ = counters_most_;
}

std::size_t DayCounts::bytes() const {
    std::size_t sum = 0;
    for (const auto& [day, own] : days_) {
        sum += day_bytes + own.urls.bucket_count() * (2 * sizeof(std::uint64_t) + 1);
    }
    return sum;
}

std::string DayCounts::encode() const {
    std::string out(1, version);
    append_varint(days_.size(), out);
    for (const auto& [day, own] : days_) {
        append_varint(zigzag(day), out);
        append_varint(own.floor, out);
        append_varint(own.urls.size(), out);
        std::vector<std::pair<std::uint64_t, std::uint64_t>> urls{own.urls.begin(), own.urls.end()};
        std::ranges::sort(urls);
        for (const auto& [url, count] : urls) {
            out.append(reinterpret_cast<const char*>(&url), sizeof(url));
            append_varint(count, out);
        }
    }
    const std::uint32_t checksum = crc32c(out);
    out.append(reinterpret_cast<const char*>(&checksum), sizeof(checksum));
    return out;
}

Result<DayCounts> DayCounts::decode(std::string_view bytes) {
    const auto damaged = [] {
        return fail(ErrorKind::corrupt, "stored counts of days are damaged");
    };
    std::uint32_t checksum = 0;
    if (bytes.size() < 1 + sizeof(checksum) || bytes.front() != version) {
        return damaged();
    }
    std::memcpy(&checksum, bytes.data() + bytes.size() - sizeof(checksum), sizeof(checksum));
    bytes.remove_suffix(sizeof(checksum));
    if (crc32c(bytes) != checksum) {
        return damaged();
    }
    bytes.remove_prefix(1);
    DayCounts counts;
    std::uint64_t days = 0;
    bool is_sound = take_varint(bytes, days);
    for (; is_sound && days > 0; --days) {
        std::uint64_t day = 0;
        std::uint64_t left = 0;
        Day own;
        is_sound = take_varint(bytes, day) && take_varint(bytes, own.floor) &&
                   take_varint(bytes, left) && left <= bytes.size();
        for (; is_sound && left > 0; --left) {
            std::uint64_t url = 0;
            std::uint64_t count = 0;
            is_sound = bytes.size() > sizeof(url);
            if (is_sound) {
                std::memcpy(&url, bytes.data(), sizeof(url));
                bytes.remove_prefix(sizeof(url));
                is_sound = take_varint(bytes, count) && own.urls.emplace(url, count).second;
            }
        }
        const std::int64_t number = from_zigzag(day);
        is_sound = is_sound && std::in_range<people::UtcDay>(number);
        counts.size_ += own.urls.size();
        is_sound = is_sound &&
                   counts.days_.emplace(static_cast<people::UtcDay>(number), std::move(own)).second;
    }
    if (!is_sound || !bytes.empty()) {
        return damaged();
    }
    return counts;
}

}  // namespace footfall::reading
