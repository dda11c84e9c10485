#include "guard/rate.h"

#include <algorithm>
#include <utility>

namespace footfall::guard {
namespace {

/// A place in the table, which is at least 7/16 full, and what the allocator adds.
constexpr std::size_t key_bytes = 96;

/// Names a key in a part of time; keys are well mixed, and so are these.
std::uint64_t part_key(std::uint64_t key, std::int64_t part) {
    return key ^ (static_cast<std::uint64_t>(part) * 0x9e3779b97f4a7c15);
}

}  // namespace

std::int64_t rate_part(Instant time, std::chrono::microseconds window) {
    const std::int64_t length = std::max<std::int64_t>(window.count(), 1);
    const std::int64_t moment = time.time_since_epoch().count();
    return moment / length - (moment % length < 0 ? 1 : 0);
}

RateState::RateState(SipKey secret, std::size_t memory_bytes)
    : secret_{secret}, young_bytes_max_{memory_bytes / parts / 2} {}

std::uint64_t RateState::key_of(std::string_view rule, std::string_view who) const {
    return siphash13({secret_.k0 ^ siphash13(secret_, rule), secret_.k1}, who);
}

std::size_t RateState::counted(
    std::uint64_t key, RateLimit limit, Instant time, std::optional<EventPlace> self
) const {
    const Part& part = part_of(key);
    const std::scoped_lock lock{part.mutex};
    const std::int64_t last = rate_part(time, limit.window);
    std::size_t counted = 0;
    for (const std::int64_t each : {last - 1, last}) {
        const Entries* const entries = part.find(part_key(key, each));
        if (entries == nullptr) {
            continue;
        }
        const auto first =
            std::ranges::upper_bound(*entries, time - limit.window, {}, &Entry::time);
        const auto end = std::ranges::upper_bound(first, entries->end(), time, {}, &Entry::time);
        const bool has_self = self && std::ranges::find(first, end, *self, &Entry::place) != end;
        counted += static_cast<std::size_t>(end - first) - (has_self ? 1 : 0);
    }
    return std::min<std::size_t>(counted, std::size_t{limit.count} + 1);
}

void RateState::note(std::uint64_t key, RateLimit limit, Instant time, EventPlace place) {
    Part& part = part_of(key);
    const std::scoped_lock lock{part.mutex};
    Entries& entries = part.take(part_key(key, rate_part(time, limit.window)));
    const std::size_t before = entries.capacity();
    insert(entries, {.time = time, .place = place}, limit);
    part.young_bytes += (entries.capacity() - before) * sizeof(Entry);
    if (part.young_bytes > young_bytes_max_) {
        part.old = std::exchange(part.young, {});
        part.old_bytes = std::exchange(part.young_bytes, 0);
    }
}

void RateState::clear() {
    for (Part& part : parts_) {
        const std::scoped_lock lock{part.mutex};
        part.young = {};  // clear() would keep the tables, which nobody counts then
        part.old = {};
        part.young_bytes = 0;
        part.old_bytes = 0;
    }
    has_undone_ = false;
}

std::size_t RateState::bytes() const {
    std::size_t bytes = 0;
    for (const Part& part : parts_) {
        const std::scoped_lock lock{part.mutex};
        bytes += part.young_bytes + part.old_bytes;
    }
    return bytes;
}

std::size_t RateState::recount() const {
    std::size_t bytes = 0;
    for (const Part& part : parts_) {
        const std::scoped_lock lock{part.mutex};
        bytes += Part::bytes_of(part.young) + Part::bytes_of(part.old);
    }
    return bytes;
}

std::size_t RateState::Part::bytes_of(const Keys& keys) {
    std::size_t bytes = keys.size() * key_bytes;
    for (const auto& [key, entries] : keys) {
        bytes += entries.capacity() * sizeof(Entry);
    }
    return bytes;
}

const RateState::Entries* RateState::Part::find(std::uint64_t part_key) const {
    for (const Keys* const keys : {&young, &old}) {
        if (const auto found = keys->find(part_key); found != keys->end()) {
            return &found->second;
        }
    }
    return nullptr;
}

/// Its entries, among the young ones from now on.
RateState::Entries& RateState::Part::take(std::uint64_t part_key) {
    const auto [found, is_new] = young.try_emplace(part_key);
    if (is_new) {
        young_bytes += key_bytes;
        if (const auto before = old.find(part_key); before != old.end()) {
            found->second = std::move(before->second);
            old.erase(before);
            const std::size_t moved = found->second.capacity() * sizeof(Entry);
            young_bytes += moved;
            old_bytes -= moved + key_bytes;
        }
    }
    return found->second;
}

void RateState::insert(Entries& entries, const Entry& entry, RateLimit limit) {
    const auto at = std::ranges::lower_bound(entries, entry);
    if (at != entries.end() && *at == entry) {
        return;
    }
    entries.insert(at, entry);
    if (entries.size() > std::size_t{limit.count} + 1) {
        entries.erase(entries.begin());
    }
}

}  // namespace footfall::guard
