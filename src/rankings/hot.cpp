#include "rankings/hot.h"

#include "foundation/check.h"
#include "foundation/memory_cost.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace footfall::rankings {
namespace {

constexpr std::uint64_t draws_seed = 0x686f74;
constexpr std::size_t chances_known = 256;

/// b^-count in 2^-32, which a draw has to be below. Beyond 256 it would be 3 in a thousand million:
/// as in the paper, none.
constexpr std::array<std::uint32_t, chances_known> chances = [] {
    std::array<std::uint32_t, chances_known> table{};
    double chance = 0x1.0p32 - 1;
    for (std::uint32_t& each : table) {
        each = static_cast<std::uint32_t>(chance);
        chance /= 1.08;
    }
    return table;
}();

constexpr std::int64_t set_back_most = std::chrono::minutes{1} / HotObjects::halved_every;

std::int64_t tick_of(Instant now) {
    return std::chrono::floor<std::chrono::seconds>(now).time_since_epoch() /
           HotObjects::halved_every;
}

std::uint32_t halved(std::uint32_t count, unsigned times) {
    return times < 32 ? count >> times : 0;
}

}  // namespace

HotObjects::HotObjects(HotSettings settings) : settings_{settings}, random_{draws_seed} {
    CHECK(settings.kept >= 1 && settings.kept <= 1024, "no number of objects", settings.kept);
    CHECK(
        std::has_single_bit(settings.width) && settings.width >= 16 && settings.width <= 4096,
        "no width",
        settings.width
    );
}

void HotObjects::add(std::uint64_t hash, std::string_view object, Instant now) {
    if (buckets_.empty()) {
        buckets_.resize(rows * settings_.width);
        tick_ = tick_of(now);
    }
    halve(now);
    const std::uint32_t count = count_of(hash);
    // Who is kept and has no more than the least of them was counted down by others: what is kept
    // of it stands.
    if (count > least_ || (count > 0 && kept_.size() < settings_.kept)) {
        keep(hash, object, count);
    }
}

/// What the sketch has of it after one more event; 0 if that was lost on others' buckets.
std::uint32_t HotObjects::count_of(std::uint64_t hash) {
    const auto fingerprint = static_cast<std::uint32_t>(hash);
    const std::size_t mask = settings_.width - 1;
    // 24 bits that are neither in the fingerprint nor name the lane.
    const std::array<std::size_t, rows> places{
        static_cast<std::size_t>(hash >> 32) & mask,
        settings_.width + (static_cast<std::size_t>(hash >> 44) & mask)
    };
    std::uint32_t most = 0;
    for (const std::size_t place : places) {
        Bucket& bucket = buckets_[place];
        if (bucket.count > 0 && bucket.fingerprint == fingerprint) {
            bucket.count += bucket.count < ~std::uint32_t{0} ? 1 : 0;
        } else if (bucket.count > 0) {
            const bool is_lost =
                bucket.count >= chances_known ||
                static_cast<std::uint32_t>(random_() >> 32) >= chances[bucket.count];
            if (is_lost || --bucket.count > 0) {
                continue;
            }
            bucket = {.fingerprint = fingerprint, .count = 1};
        } else {
            bucket = {.fingerprint = fingerprint, .count = 1};
        }
        most = std::max(most, bucket.count);
    }
    return most;
}

/// Of equal ones that with the smaller hash.
std::uint16_t HotObjects::least() const {
    const auto found = std::ranges::min_element(kept_, {}, [](const Kept& kept) {
        return std::tuple{kept.count, kept.hash, kept.name.view()};
    });
    return static_cast<std::uint16_t>(found - kept_.begin());
}

void HotObjects::keep(std::uint64_t hash, std::string_view object, std::uint32_t count) {
    std::uint16_t slot = index_.find(hash, [&](std::uint16_t at) {
        return kept_[at].hash == hash && kept_[at].name.view() == object;
    });
    if (slot != SlotIndex::none) {
        kept_[slot].count = std::max(kept_[slot].count, count);
        return;
    }
    if (kept_.size() < settings_.kept) {
        slot = static_cast<std::uint16_t>(kept_.size());
        kept_.emplace_back();
    } else {
        slot = least();
        least_ = kept_[slot].count;
        if (count <= least_) {
            return;
        }
        index_.erase(kept_[slot].hash, slot);
    }
    Kept& kept = kept_[slot];
    names_bytes_ -= kept.name.bytes();
    kept.hash = hash;
    kept.count = count;
    kept.name.assign(object);
    names_bytes_ += kept.name.bytes();
    index_.insert(hash, slot);
}

unsigned HotObjects::halvings_until(std::int64_t tick) const {
    return static_cast<unsigned>(std::clamp<std::int64_t>(tick - tick_, 0, 32));
}

void HotObjects::halve(Instant now) {
    const std::int64_t tick = tick_of(now);
    const unsigned times = halvings_until(tick);
    // Threads hand in their times a little out of order: going back and forth would halve twice.
    if (times > 0 || tick < tick_ - set_back_most) {
        tick_ = tick;
    }
    if (times == 0) {
        return;
    }
    for (Bucket& bucket : buckets_) {
        bucket.count = halved(bucket.count, times);
    }
    for (Kept& kept : kept_) {
        kept.count = halved(kept.count, times);
    }
    least_ = 0;
}

std::vector<HotObject> HotObjects::top(Instant now) const {
    const unsigned times = halvings_until(tick_of(now));
    std::vector<HotObject> found;
    for (const Kept& kept : kept_) {
        if (const std::uint32_t events = halved(kept.count, times); events > 0) {
            found.push_back({.object = std::string{kept.name.view()}, .events = events});
        }
    }
    std::ranges::sort(found, [](const HotObject& left, const HotObject& right) {
        return left.events != right.events ? left.events > right.events
                                           : left.object < right.object;
    });
    return found;
}

std::size_t HotObjects::bytes() const {
    return allocated_bytes(buckets_.capacity() * sizeof(Bucket)) +
           allocated_bytes(kept_.capacity() * sizeof(Kept)) + index_.bytes() + names_bytes_;
}

std::size_t HotObjects::recount() const {
    std::size_t names = 0;
    for (const Kept& kept : kept_) {
        names += kept.name.bytes();
    }
    return allocated_bytes(buckets_.capacity() * sizeof(Bucket)) +
           allocated_bytes(kept_.capacity() * sizeof(Kept)) + index_.bytes() + names;
}

}  // namespace footfall::rankings
