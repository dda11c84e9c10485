#include "reading/posting.h"

#include "foundation/check.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <memory>
#include <new>
#include <utility>

namespace footfall::reading {
namespace {

/// Beside a list that has more than a 32nd of all ids there is a bitset: it takes less than the
/// list itself, and no longer to walk than it.
constexpr std::size_t ids_a_reader = 32;
/// Lists of fewer are walked as fast.
constexpr std::size_t least_for_bits = 64;

/// A list grows by a third: memory that is not used is worth more than copying seldom.
constexpr std::size_t grown(std::size_t entries) {
    return (entries + entries / 3 + 4) / 4 * 4;
}

/// What it takes to look at a reader of a list, in words of friends that a bitset is met with.
constexpr std::size_t readers_a_word = 2;

bool has(const std::vector<std::uint64_t>& bits, ReaderId id) {
    return id / 64 < bits.size() && (bits[id / 64] >> id % 64 & 1) != 0;
}

void set(std::vector<std::uint64_t>& bits, ReaderId id) {
    if (id / 64 >= bits.size()) {
        bits.resize(id / 64 + 1);
    }
    bits[id / 64] |= std::uint64_t{1} << id % 64;
}

/// Of the same reader the latest is first.
bool is_before(const LatestRead& one, const LatestRead& other) {
    return one.reader != other.reader ? one.reader < other.reader : one.latest > other.latest;
}

/// Appends whose bits both have. Written to a place of the thread's own first, which has room for
/// all friends, so that no append asks whether there is room.
void meet(
    const FriendSet& friends, const std::vector<std::uint64_t>& bits, std::vector<ReaderId>& matched
) {
    thread_local std::vector<ReaderId> room;
    room.resize(std::max(room.size(), friends.size()));
    ReaderId* end = room.data();
    for (const FriendSet::Word& word : friends.words()) {
        if (word.at >= bits.size()) {
            break;
        }
        for (std::uint64_t both = word.bits & bits[word.at]; both != 0; both &= both - 1) {
            *end++ = word.at * 64 + static_cast<ReaderId>(std::countr_zero(both));
        }
    }
    matched.insert(matched.end(), room.data(), end);
}

}  // namespace

/// One block of memory: this, ids, quarters, and, where there is room for many, a pointer to bits.
/// Ids stand together, so that a walk reads nothing else.
struct Posting::List {
    using Bits = std::vector<std::uint64_t>;

    std::uint32_t count = 0;        ///< Entries.
    std::uint32_t sorted : 31 = 0;  ///< So many of them are in order, no reader twice.
    std::uint32_t repeats : 1 = 0;  ///< Whether a reader may be in it twice.
    std::uint32_t room = 0;

    static std::size_t bytes_for(std::size_t room) {
        return sizeof(List) + room * (sizeof(ReaderId) + sizeof(Quarter)) +
               (room >= least_for_bits ? sizeof(Bits*) : 0);
    }

    static List* make(std::size_t room) {
        List* const list = ::new (::operator new(bytes_for(room))) List;
        list->room = static_cast<std::uint32_t>(room);
        list->set_bits(nullptr);
        return list;
    }

    static void destroy(List* list) {
        const std::unique_ptr<Bits> gone{list->bits()};
        ::operator delete(list);
    }

    ReaderId* ids() { return reinterpret_cast<ReaderId*>(this + 1); }

    Quarter* quarters() { return reinterpret_cast<Quarter*>(ids() + room); }

    /// Of all readers; null: there are none.
    Bits* bits() {
        Bits* bits = nullptr;
        if (room >= least_for_bits) {
            std::memcpy(static_cast<void*>(&bits), quarters() + room, sizeof(Bits*));
        }
        return bits;
    }

    void set_bits(Bits* bits) {
        if (room >= least_for_bits) {
            std::memcpy(quarters() + room, static_cast<const void*>(&bits), sizeof(Bits*));
        }
    }

    void append(LatestRead reading) {
        ids()[count] = reading.reader;
        quarters()[count] = reading.latest;
        ++count;
    }

    /// In order, each reader once with the latest.
    std::vector<LatestRead> tidied() {
        const auto part = [&](std::size_t begin, std::size_t end) {
            std::vector<LatestRead> entries;
            entries.reserve(end - begin);
            for (std::size_t at = begin; at < end; ++at) {
                entries.push_back({.reader = ids()[at], .latest = quarters()[at]});
            }
            return entries;
        };
        std::vector<LatestRead> tail = part(sorted, count);
        std::ranges::sort(tail, is_before);
        std::vector<LatestRead> all;
        all.reserve(count);
        std::ranges::merge(part(0, sorted), tail, std::back_inserter(all), is_before);
        const auto repeated = std::ranges::unique(all, {}, &LatestRead::reader);
        all.erase(repeated.begin(), repeated.end());
        return all;
    }
};

Posting::Posting(Posting&& other) noexcept
    : place_{other.place_}, in_place_{std::exchange(other.in_place_, std::uint8_t{0})} {}

Posting& Posting::operator=(Posting&& other) noexcept {
    if (this != &other) {
        clear();
        place_ = other.place_;
        in_place_ = std::exchange(other.in_place_, std::uint8_t{0});
    }
    return *this;
}

Posting::List& Posting::list() const {
    List* list = nullptr;
    std::memcpy(static_cast<void*>(&list), place_.data(), sizeof(List*));
    return *list;
}

void Posting::set_list(List* list) {
    clear();
    std::memcpy(place_.data(), static_cast<const void*>(&list), sizeof(List*));
    in_place_ = on_heap;
}

void Posting::clear() {
    if (in_place_ == on_heap) {
        List::destroy(&list());
    }
    in_place_ = 0;
}

LatestRead Posting::at_place(std::size_t at) const {
    LatestRead reading;
    std::memcpy(&reading.reader, &place_[at * sizeof(ReaderId)], sizeof(ReaderId));
    const std::size_t quarters = in_place_max * sizeof(ReaderId);
    std::memcpy(&reading.latest, &place_[quarters + at * sizeof(Quarter)], sizeof(Quarter));
    return reading;
}

void Posting::put_in_place(std::size_t at, LatestRead reading) {
    std::memcpy(&place_[at * sizeof(ReaderId)], &reading.reader, sizeof(ReaderId));
    const std::size_t quarters = in_place_max * sizeof(ReaderId);
    std::memcpy(&place_[quarters + at * sizeof(Quarter)], &reading.latest, sizeof(Quarter));
}

void Posting::add(LatestRead reading, ReaderId ids_end) {
    if (in_place_ != on_heap) {
        for (std::size_t at = 0; at < in_place_; ++at) {
            if (const LatestRead known = at_place(at); known.reader == reading.reader) {
                put_in_place(at, {known.reader, std::max(known.latest, reading.latest)});
                return;
            }
        }
        if (in_place_ < in_place_max) {
            put_in_place(in_place_++, reading);
            return;
        }
        assign(readings(), ids_end);
    }
    List* to = &list();
    if (to->count == to->room) {
        assign(to->tidied(), ids_end);
        if (in_place_ != on_heap) {
            add(reading, ids_end);
            return;
        }
        to = &list();
    }
    to->append(reading);
    List::Bits* const bits = to->bits();
    if (bits == nullptr || has(*bits, reading.reader)) {
        to->repeats = 1;  // or nobody knows
    } else {
        set(*bits, reading.reader);
    }
}

/// `readings` are in order, each reader once; there is room for more behind them.
void Posting::assign(std::span<const LatestRead> readings, ReaderId ids_end) {
    const std::vector<LatestRead> kept{readings.begin(), readings.end()};
    if (kept.size() < in_place_max) {
        clear();
        for (const LatestRead& each : kept) {
            put_in_place(in_place_++, each);
        }
        return;
    }
    List* const made = List::make(grown(kept.size()));
    for (const LatestRead& each : kept) {
        made->append(each);
    }
    made->sorted = made->count & 0x7fff'ffff;
    if (kept.size() >= least_for_bits && kept.size() > ids_end / ids_a_reader) {
        auto bits = std::make_unique<List::Bits>(ids_end / 64 + 1);
        for (const LatestRead& each : kept) {
            set(*bits, each.reader);
        }
        made->set_bits(bits.release());
    }
    set_list(made);
}

std::vector<LatestRead> Posting::readings() const {
    if (in_place_ == on_heap) {
        return list().tidied();
    }
    std::vector<LatestRead> all;
    all.reserve(in_place_max);
    for (std::size_t at = 0; at < in_place_; ++at) {
        all.push_back(at_place(at));
    }
    std::ranges::sort(all, is_before);
    return all;
}

std::size_t Posting::readers() const {
    if (in_place_ != on_heap) {
        return in_place_;
    }
    return list().repeats == 1 ? list().tidied().size() : list().count;
}

void Posting::match(FriendSet& friends, std::vector<ReaderId>& matched) const {
    if (in_place_ != on_heap) {
        for (std::size_t at = 0; at < in_place_; ++at) {
            if (const ReaderId id = at_place(at).reader; friends.has(id)) {
                matched.push_back(id);
            }
        }
        return;
    }
    List& from = list();
    const List::Bits* const bits = from.bits();
    if (bits != nullptr && friends.words().size() < from.count / readers_a_word) {
        meet(friends, *bits, matched);
        return;
    }
    const std::size_t first = matched.size();
    const ReaderId* const ids = from.ids();
    for (std::size_t at = 0; at < from.count; ++at) {
        if (friends.has(ids[at])) {
            matched.push_back(ids[at]);
            friends.take_out(ids[at]);
        }
    }
    for (std::size_t at = first; at < matched.size(); ++at) {
        friends.put_back(matched[at]);
    }
}

std::size_t Posting::heap_bytes() const {
    if (in_place_ != on_heap) {
        return 0;
    }
    List& of = list();
    const List::Bits* const bits = of.bits();
    return List::bytes_for(of.room) +
           (bits == nullptr ? 0 : sizeof(List::Bits) + bits->capacity() * sizeof(std::uint64_t));
}

}  // namespace footfall::reading
