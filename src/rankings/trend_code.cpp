// The stored form of TrendCandidates: docs/formats/trending.md.

#include "foundation/names.h"
#include "foundation/varint.h"
#include "rankings/stored_bytes.h"
#include "rankings/trending.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>
#include <vector>

namespace footfall::rankings {
namespace {

constexpr char candidates_version = 1;
/// A hash, three numbers and the length of a name take no fewer.
constexpr std::size_t counter_bytes_least = 12;

void append_half_life(const HalfLife& half_life, std::string& out) {
    append_varint(static_cast<std::uint64_t>(half_life.length().count()), out);
    append_varint(zigzag(half_life.newest().value_or(0)), out);
}

}  // namespace

std::string TrendCandidates::encode() const {
    std::string out(1, candidates_version);
    append_half_life(fast_, out);
    append_half_life(slow_, out);
    out.push_back(fast_.newest() ? 1 : 0);
    for (const Units sum : {total_fast_, total_slow_, floor_}) {
        append_varint(sum, out);
    }
    std::vector<const Counter*> in_order;
    for (const Counter& counter : counters_) {
        if (counter.is_taken) {
            in_order.push_back(&counter);
        }
    }
    std::ranges::sort(in_order, {}, [](const Counter* counter) {
        return std::pair{counter->hash, counter->name.view()};
    });
    append_varint(in_order.size(), out);
    for (const Counter* counter : in_order) {
        append_fixed(counter->hash, out);
        for (const Units sum : {counter->fast, counter->slow, counter->error}) {
            append_varint(sum, out);
        }
        append_text(counter->name.view(), out);
    }
    append_checksum(out);
    return out;
}

Result<TrendCandidates> TrendCandidates::decode(
    std::string_view bytes, const TrendSettings& settings
) {
    const auto damaged = [] {
        return fail(ErrorKind::corrupt, "stored candidates of trending are damaged");
    };
    if (!take_frame(bytes, candidates_version)) {
        return damaged();
    }
    TrendCandidates read{settings};
    std::array<std::int64_t, 2> newest{};
    const std::array lengths{read.fast_.length(), read.slow_.length()};
    bool other_half_life = false;
    for (std::size_t at = 0; at < newest.size(); ++at) {
        std::uint64_t length = 0;
        std::uint64_t bits = 0;
        if (!take_varint(bytes, length) || !take_varint(bytes, bits)) {
            return damaged();
        }
        newest[at] = from_zigzag(bits);
        other_half_life |= length != static_cast<std::uint64_t>(lengths[at].count());
    }
    if (bytes.empty() || static_cast<unsigned char>(bytes.front()) > 1) {
        return damaged();
    }
    if (bytes.front() == 1) {
        read.fast_.from_newest(newest[0]);
        read.slow_.from_newest(newest[1]);
    }
    bytes.remove_prefix(1);
    if (!read.take_state(bytes)) {
        return damaged();
    }
    if (other_half_life) {
        return fail(ErrorKind::conflict, "candidates of trending had other half-lives");
    }
    return read;
}

bool TrendCandidates::take_state(std::string_view bytes) {
    return take_varint(bytes, total_fast_) && take_varint(bytes, total_slow_) &&
           take_varint(bytes, floor_) && take_counters(bytes);
}

/// Hostile bytes take at most ten times their own size.
bool TrendCandidates::take_counters(std::string_view bytes) {
    std::uint64_t left = 0;
    if (!take_varint(bytes, left) || left > bytes.size() / counter_bytes_least ||
        left > SlotIndex::slots_most) {
        return false;
    }
    std::pair<std::uint64_t, std::string_view> before;
    for (bool first = true; left > 0; --left, first = false) {
        std::pair<std::uint64_t, std::string_view> key;
        Units fast = 0;
        Units slow = 0;
        Units error = 0;
        if (!take_fixed(bytes, key.first) || !take_varint(bytes, fast) ||
            !take_varint(bytes, slow) || !take_varint(bytes, error) ||
            !take_text(bytes, longest_name_bytes, key.second) || error > slow ||
            (!first && key <= before)) {
            return false;
        }
        before = key;
        insert(key.first, key.second, fast, slow, error);
    }
    if (size() > most() || names_bytes_ > names_bytes_most_) {
        evict_least();  // settings are smaller than they were
    }
    return bytes.empty();
}

}  // namespace footfall::rankings
