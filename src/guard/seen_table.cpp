#include "guard/seen_table.h"

#include "foundation/check.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace footfall::guard {
namespace {

constexpr std::size_t least_places = 64;
/// For the run of keys at the very end; a longer one makes the table grow.
constexpr std::size_t spare_places = 32;
/// So many keys are looked at to make room for one.
constexpr int looks = 16;
/// For each note so many places are looked at for what is dispensable: all of them before an eighth
/// is filled anew.
constexpr std::uint64_t places_a_note = 8;
constexpr std::uint64_t notes_a_look = 8;

/// Four fifths of the places are used. A key comes, or goes, by moving what stands up to the next
/// free place: in the mean (1 + 1 / (1 - used)^2) / 2 places, here 13. Were seven eighths used, it
/// would be 33, which took a sixth of the core where every event was of another person.
std::size_t keys_max(std::size_t named) {
    return named - named / 5;
}

/// By as little as keeps a key within 24 bytes.
std::size_t larger_than(std::size_t named) {
    return named + std::max<std::size_t>(named / 6, 1);
}

}  // namespace

SeenTable::SeenTable(std::size_t bytes_max, std::size_t filter_bytes)
    : places_max_{std::max(bytes_max / sizeof(Place), least_places)}, forgotten_{filter_bytes} {
    CHECK(resize(least_places - spare_places), "it is empty");
}

void SeenTable::set_bytes_max(
    std::size_t bytes_max, std::size_t filter_bytes, Instant dispensable
) {
    forgotten_.set_bytes_max(filter_bytes);
    places_max_ = std::max(bytes_max / sizeof(Place), least_places);
    if (places_ <= places_max_) {
        return;
    }
    // By some more than now: memory that is given away goes in small steps, each a pass here.
    const std::size_t named = places_max_ - spare_places - (places_max_ - spare_places) / 16;
    forget_dispensable(dispensable, places_);
    while (size_ > keys_max(named)) {
        make_room(Instant::min());
    }
    // Seldom the last run does not fit: then it stays as it is until the next time.
    std::ignore = resize(named);
}

std::optional<Instant> SeenTable::highest(std::uint64_t key) const {
    const std::size_t at = find(key);
    if (is_free(at) || table_[at].key != key) {
        return std::nullopt;
    }
    return Instant{std::chrono::microseconds{table_[at].time}};
}

void SeenTable::note(std::uint64_t key, Instant time, Instant dispensable, Instant remote) {
    const Place place{.key = key, .time = time.time_since_epoch().count()};
    CHECK(place.time != empty, "no event is as old as that");
    if (++notes_ % notes_a_look == 0) {
        forget_dispensable(dispensable, places_a_note * notes_a_look);
    }
    std::size_t at = find(key);
    if (!is_free(at) && table_[at].key == key) {
        table_[at].time = std::max(table_[at].time, place.time);
        return;
    }
    while (size_ >= keys_max(named_) || !insert(at, place)) {
        const std::size_t larger = std::min(larger_than(named_), places_max_ - spare_places);
        if (larger < named_ + named_ / 16 || !resize(larger)) {
            make_room(remote);
        }
        at = find(key);
    }
    ++size_;
}

std::size_t SeenTable::count_keys() const {
    std::size_t keys = 0;
    for (std::size_t at = 0; at < places_; ++at) {
        keys += is_free(at) ? 0 : 1;
    }
    return keys;
}

/// Grows with the key: the upper half of their product.
std::size_t SeenTable::place_named_by(std::uint64_t key) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::size_t>(Wide{key} * named_ >> 64);
}

/// Where the key stands, or would.
std::size_t SeenTable::find(std::uint64_t key) const {
    std::size_t at = place_named_by(key);
    while (!is_free(at) && table_[at].key < key) {
        ++at;
    }
    return at;
}

/// False: there is no place left behind it.
bool SeenTable::insert(std::size_t at, Place place) {
    std::size_t end = at;
    while (!is_free(end)) {
        ++end;
    }
    if (end + 1 >= places_) {
        return false;
    }
    std::move_backward(&table_[at], &table_[end], &table_[end + 1]);
    table_[at] = place;
    return true;
}

/// Those behind it that are not where they belong move up.
void SeenTable::remove(std::size_t at) {
    while (!is_free(at + 1) && place_named_by(table_[at + 1].key) <= at) {
        table_[at] = table_[at + 1];
        ++at;
    }
    table_[at] = {};
}

/// False: the last run does not fit, and nothing has changed.
bool SeenTable::resize(std::size_t named) {
    const std::size_t places = named + spare_places;
    std::unique_ptr<Place[]> before = std::exchange(table_, std::make_unique<Place[]>(places));
    const std::size_t named_before = std::exchange(named_, named);
    const std::size_t places_before = std::exchange(places_, places);
    std::size_t next = 0;
    for (std::size_t at = 0; at < places_before; ++at) {
        if (before[at].time == empty) {
            continue;
        }
        next = std::max(next, place_named_by(before[at].key));
        if (next + 1 >= places) {
            table_ = std::move(before);
            named_ = named_before;
            places_ = places_before;
            return false;
        }
        table_[next++] = before[at];
    }
    // It goes on where it was: began it anew each time, it would never come round.
    hand_ = named_before > 0 ? hand_ * named / named_before : 0;
    return true;
}

/// Room for so many at once, rather than a pass for each sixth, as far as there is memory.
void SeenTable::reserve(std::size_t keys) {
    const std::size_t wanted = keys + keys / 4 + 1;  // see keys_max()
    std::ignore = resize(std::clamp(wanted, named_, places_max_ - spare_places));
}

/// Forgets what is dispensable in the next places. It is done all the time, not when the table is
/// full: where the hand had been would be empty then, and all that is in its way in one run.
void SeenTable::forget_dispensable(Instant dispensable, std::size_t places) {
    const std::int64_t before = dispensable.time_since_epoch().count();
    for (std::size_t look = 0; look < places; ++look) {
        hand_ = hand_ < places_ ? hand_ : 0;
        while (!is_free(hand_) && table_[hand_].time < before) {
            forgotten_through_ = std::max(forgotten_through_, time_at(hand_));
            forget(hand_);  // the next one may move up to here
        }
        ++hand_;
    }
}

/// Forgets one of the next keys, that with the lowest time. In the order of hashes: by chance.
void SeenTable::make_room(Instant remote) {
    std::size_t oldest = next_key(hand_);
    hand_ = oldest;
    for (int look = 0; look < looks; ++look) {
        hand_ = next_key(hand_);
        if (table_[hand_].time < table_[oldest].time) {
            oldest = hand_;
        }
        ++hand_;
    }
    const Instant time = time_at(oldest);
    if (time < remote) {
        forgotten_through_ = std::max(forgotten_through_, time);
    } else {
        forgotten_.add(table_[oldest].key, time, remote);
    }
    forget(oldest);
}

void SeenTable::forget(std::size_t at) {
    remove(at);
    --size_;
}

Instant SeenTable::time_at(std::size_t at) const {
    return Instant{std::chrono::microseconds{table_[at].time}};
}

/// The first place from `at` on, going round, where a key stands. There must be one.
std::size_t SeenTable::next_key(std::size_t at) const {
    for (;; ++at) {
        if (at >= places_) {
            at = 0;
        }
        if (!is_free(at)) {
            return at;
        }
    }
}

}  // namespace footfall::guard
