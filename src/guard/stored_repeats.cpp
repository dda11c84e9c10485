// What the rules against repeats remember of a lane, as bytes (docs/formats/rules_memory.md): of
// RepeatJudge, its SeenTable, and the KeyFilter of that.

#include "guard/key_filter.h"
#include "guard/repeat.h"
#include "guard/seen_table.h"
#include "guard/time_bytes.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace footfall::guard {
namespace {

static_assert(std::endian::native == std::endian::little, "words are stored as they are in memory");

std::uint64_t microseconds_between(Instant earlier, Instant later) {
    // As unsigned numbers: any two times have a difference.
    return static_cast<std::uint64_t>(later.time_since_epoch().count()) -
           static_cast<std::uint64_t>(earlier.time_since_epoch().count());
}

Instant before(Instant time, std::uint64_t microseconds) {
    const auto count = static_cast<std::uint64_t>(time.time_since_epoch().count()) - microseconds;
    return Instant{std::chrono::microseconds{static_cast<std::int64_t>(count)}};
}

}  // namespace

Instant KeyFilter::append_newest(std::size_t bytes_max, std::string& bytes) const {
    std::size_t count = 0;
    for (std::size_t taken = 0; count < parts_.size(); ++count) {
        taken += parts_[parts_.size() - 1 - count].size * sizeof(Block);
        if (taken > bytes_max) {
            break;
        }
    }
    Instant missing = dropped_through_;
    const std::size_t first = parts_.size() - count;
    for (std::size_t at = 0; at < first; ++at) {
        missing = std::max(missing, parts_[at].through);
    }
    append_varint(count, bytes);
    for (std::size_t at = first; at < parts_.size(); ++at) {
        const Part& part = parts_[at];
        append_varint(part.size, bytes);
        append_varint(part.keys, bytes);
        append_time(part.first, bytes);
        append_time(part.through, bytes);
        const std::size_t begin = bytes.size();
        bytes.resize(begin + part.size * sizeof(Block));
        std::memcpy(&bytes[begin], part.blocks.get(), part.size * sizeof(Block));
    }
    return missing;
}

bool KeyFilter::take(std::string_view& bytes) {
    std::uint64_t count = 0;
    if (!take_varint(bytes, count) || count > parts_max) {
        return false;
    }
    for (; count > 0; --count) {
        if (!take_part(bytes)) {
            return false;
        }
    }
    set_bytes_max(bytes_max_);  // which may be less than it was
    return true;
}

bool KeyFilter::take_part(std::string_view& bytes) {
    std::uint64_t size = 0;
    std::uint64_t keys = 0;
    Part part;
    if (!take_varint(bytes, size) || !take_varint(bytes, keys) || !take_time(bytes, part.first) ||
        !take_time(bytes, part.through) || size == 0 || size > bytes.size() / sizeof(Block)) {
        return false;
    }
    part.blocks = std::make_unique<Block[]>(size);
    part.size = size;
    part.keys = keys;
    std::memcpy(part.blocks.get(), bytes.data(), size * sizeof(Block));
    bytes.remove_prefix(size * sizeof(Block));
    blocks_ += size;
    parts_.push_back(std::move(part));
    return true;
}

/// The latest time among keys that are not before `since`, but for the newest `keys_max`.
Instant SeenTable::newest_left_out(std::size_t keys_max, Instant since) const {
    std::vector<std::int64_t> times;
    times.reserve(size_);
    for (std::size_t at = 0; at < places_; ++at) {
        if (!is_free(at) && time_at(at) >= since) {
            times.push_back(table_[at].time);
        }
    }
    if (times.size() <= keys_max) {
        return Instant::min();
    }
    const auto left_out = times.begin() + static_cast<std::ptrdiff_t>(keys_max);
    std::ranges::nth_element(times, left_out, std::ranges::greater{});
    return Instant{std::chrono::microseconds{*left_out}};
}

Instant SeenTable::append_newest(
    std::size_t keys_max, std::size_t filter_bytes, Instant since, std::string& bytes
) const {
    const Instant left_out = newest_left_out(keys_max, since);
    Instant missing = std::max(forgotten_through_, left_out);
    Instant newest = Instant::min();
    std::vector<std::size_t> kept;
    kept.reserve(size_);
    for (std::size_t at = 0; at < places_; ++at) {
        if (is_free(at)) {
            continue;
        }
        if (const Instant time = time_at(at); time >= since && time > left_out) {
            kept.push_back(at);
            newest = std::max(newest, time);
        } else {
            missing = std::max(missing, time);
        }
    }
    missing = std::max(missing, forgotten_.append_newest(filter_bytes, bytes));
    append_varint(kept.size(), bytes);
    append_time(newest, bytes);
    std::uint64_t key = 0;
    for (const std::size_t at : kept) {
        append_varint(table_[at].key - std::exchange(key, table_[at].key), bytes);
        append_varint(microseconds_between(time_at(at), newest), bytes);
    }
    return missing;
}

bool SeenTable::take(std::string_view& bytes) {
    std::uint64_t count = 0;
    Instant newest;
    if (!forgotten_.take(bytes) || !take_varint(bytes, count) || count > bytes.size() / 2 ||
        !take_time(bytes, newest)) {
        return false;
    }
    reserve(count);
    std::uint64_t key = 0;
    for (; count > 0; --count) {
        std::uint64_t step = 0;
        std::uint64_t earlier = 0;
        if (!take_varint(bytes, step) || !take_varint(bytes, earlier)) {
            return false;
        }
        key += step;
        const Instant time = before(newest, earlier);
        if (time.time_since_epoch().count() == empty) {
            return false;
        }
        note(key, time, Instant::min());
    }
    return true;
}

void RepeatJudge::append_newest(std::size_t keys_max, std::size_t filter_bytes, std::string& bytes)
    const {
    // What is further back than twice the reach counted() forgets, too.
    const Instant since = latest_ == Instant::min() ? latest_ : latest_ - 2 * reach_;
    std::string known;
    const Instant missing = seen_.append_newest(keys_max, filter_bytes, since, known);
    append_time(latest_, bytes);
    append_time(std::max(not_loaded_, missing), bytes);
    bytes += known;
}

bool RepeatJudge::take(std::string_view& bytes) {
    return take_time(bytes, latest_) && take_time(bytes, not_loaded_) && seen_.take(bytes);
}

}  // namespace footfall::guard
