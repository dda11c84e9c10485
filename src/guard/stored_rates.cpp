// What rules on rates remember, as bytes (docs/formats/rules_memory.md).

#include "guard/rate.h"
#include "guard/time_bytes.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace footfall::guard {
namespace {

/// The bytes that an entry, and a key without any, take at least.
constexpr std::size_t least_bytes = 2;

/// False: there is none, or it is larger than that.
template <class Number>
bool take_number(std::string_view& bytes, Number& number) {
    std::uint64_t taken = 0;
    if (!take_varint(bytes, taken) || taken > std::numeric_limits<Number>::max()) {
        return false;
    }
    number = static_cast<Number>(taken);
    return true;
}

}  // namespace

void RateState::append_keys(const Keys& keys, std::string& bytes) {
    append_varint(keys.size(), bytes);
    for (const auto& [key, entries] : keys) {
        append_varint(key, bytes);
        append_varint(entries.size(), bytes);
        for (const Entry& entry : entries) {
            append_time(entry.time, bytes);
            append_varint(entry.place.lane, bytes);
            append_varint(entry.place.log, bytes);
            append_varint(entry.place.offset, bytes);
        }
    }
}

bool RateState::take_entries(std::string_view& bytes, Entries& entries) {
    std::uint64_t count = 0;
    if (!take_varint(bytes, count) || count > bytes.size() / least_bytes) {
        return false;
    }
    entries.resize(count);
    return std::ranges::all_of(entries, [&](Entry& entry) {
        return take_time(bytes, entry.time) && take_number(bytes, entry.place.lane) &&
               take_number(bytes, entry.place.log) && take_number(bytes, entry.place.offset);
    });
}

bool RateState::take_keys(std::string_view& bytes, Keys& keys) {
    std::uint64_t count = 0;
    if (!take_varint(bytes, count) || count > bytes.size() / least_bytes) {
        return false;
    }
    keys.reserve(count);
    for (; count > 0; --count) {
        std::uint64_t key = 0;
        Entries entries;
        if (!take_varint(bytes, key) || !take_entries(bytes, entries)) {
            return false;
        }
        keys.emplace(key, std::move(entries));
    }
    return true;
}

void RateState::append_part(std::size_t part, std::string& bytes) const {
    const Part& of = parts_[part];
    const std::scoped_lock lock{of.mutex};
    append_keys(of.old, bytes);
    append_keys(of.young, bytes);
}

bool RateState::take_part(std::size_t part, std::string_view& bytes) {
    Part& of = parts_[part];
    const std::scoped_lock lock{of.mutex};
    if (!take_keys(bytes, of.old) || !take_keys(bytes, of.young)) {
        return false;
    }
    of.old_bytes = Part::bytes_of(of.old);
    of.young_bytes = Part::bytes_of(of.young);
    // With less memory than there was. What note() put aside may be a little over half of it.
    if (of.young_bytes > young_bytes_max_) {
        of.old = std::exchange(of.young, {});
        of.old_bytes = std::exchange(of.young_bytes, 0);
    }
    if (of.old_bytes > 2 * young_bytes_max_) {
        of.old = {};
        of.old_bytes = 0;
    }
    return true;
}

}  // namespace footfall::guard
