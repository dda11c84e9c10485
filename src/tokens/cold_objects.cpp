#include "tokens/cold_objects.h"

#include "foundation/check.h"
#include "foundation/memory_cost.h"
#include "foundation/names.h"
#include "tokens/stored_expiry.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace footfall::tokens {
namespace {

constexpr std::size_t chunk_bytes = ChunkPool::chunk_bytes;
constexpr unsigned place_bits = 11;
static_assert(std::size_t{1} << place_bits == chunk_bytes);
constexpr std::uint32_t number_mask = ~std::uint32_t{0} >> place_bits;
/// While more than a fifth are gaps, it is they that make room.
constexpr std::size_t gaps_share = 5;
constexpr std::size_t short_bytes = sizeof(std::uint16_t);

/// What a record begins with; then come the name, the directory's expiry if it fades (8 bytes), the
/// short hashes (2 each), and the expiries if any expires (5 each).
struct Header {
    std::uint16_t counter;
    std::uint16_t name_bytes : 12;
    std::uint16_t gap : 1;
    std::uint16_t confirmed : 1;
    std::uint16_t fades : 1;
    std::uint16_t expiring : 1;
    std::uint8_t tokens;
    std::uint8_t size_class;

    std::size_t bytes() const {
        return sizeof(Header) + name_bytes + (fades != 0 ? sizeof(std::int64_t) : 0) +
               tokens * (short_bytes + (expiring != 0 ? stored_expiry_bytes : 0));
    }
};

static_assert(sizeof(Header) == 6);
static_assert(
    sizeof(Header) + longest_name_bytes + sizeof(std::int64_t) +
        short_hashes_max * (short_bytes + stored_expiry_bytes) <=
    chunk_bytes
);

Header header_of(const unsigned char* record) {
    Header header;  // NOLINT: read in the next line
    std::memcpy(&header, record, sizeof(header));
    return header;
}

std::string_view name_of(const unsigned char* record) {
    return {reinterpret_cast<const char*>(record) + sizeof(Header), header_of(record).name_bytes};
}

/// The lane has the highest six bits of the hash.
std::uint32_t key_of(std::uint64_t hash) {
    return static_cast<std::uint32_t>(hash << 6 >> 32);
}

bool look_alike(const TokenTable& table) {
    std::array<std::uint64_t, short_hashes_max> hashes{};
    auto end = hashes.begin();
    table.for_each([&](std::uint64_t hash, std::int64_t /*expiry*/) {
        *end++ = CountedObject::short_hash(hash);
    });
    std::sort(hashes.begin(), end);
    return std::adjacent_find(hashes.begin(), end) != end;
}

bool can_be_packed(const CountedObject& state) {
    const TokenTable* const table = state.set.table();
    return !state.rare && table != nullptr && table->live() <= short_hashes_max &&
           state.directory.size_class >= 0 && !look_alike(*table);
}

void write(
    const Header& header, std::string_view name, const CountedObject& state, unsigned char* to
) {
    std::memcpy(to, &header, sizeof(header));
    to += sizeof(header);
    std::memcpy(to, name.data(), name.size());
    to += name.size();
    if (header.fades != 0) {
        std::memcpy(to, &state.directory.expiry, sizeof(std::int64_t));
        to += sizeof(std::int64_t);
    }
    unsigned char* expiries = to + header.tokens * short_bytes;
    state.set.table()->for_each([&](std::uint64_t hash, std::int64_t expiry) {
        const auto kept = static_cast<std::uint16_t>(hash >> 48);
        std::memcpy(to, &kept, sizeof(kept));
        to += sizeof(kept);
        if (header.expiring != 0) {
            store_expiry(expiry, expiries);
            expiries += stored_expiry_bytes;
        }
    });
}

CountedObject read(const unsigned char* record) {
    const Header header = header_of(record);
    CountedObject state;
    state.short_hashes = true;
    state.directory = {
        .expiry = never,
        .size_class = static_cast<std::int8_t>(header.size_class),
        .confirmed = header.confirmed != 0
    };
    const unsigned char* from = record + sizeof(header) + header.name_bytes;
    if (header.fades != 0) {
        std::memcpy(&state.directory.expiry, from, sizeof(std::int64_t));
        from += sizeof(std::int64_t);
    }
    const unsigned char* const expiries = from + header.tokens * short_bytes;
    // With room for one more, which is what most come for.
    TokenTable table{std::size_t{header.tokens} + 1, header.expiring != 0};
    for (std::size_t token = 0; token < header.tokens; ++token) {
        std::uint16_t kept = 0;
        std::memcpy(&kept, from + token * short_bytes, sizeof(kept));
        table.set(
            CountedObject::short_hash(std::uint64_t{kept} << 48),
            header.expiring != 0 ? stored_expiry(expiries + token * stored_expiry_bytes) : never
        );
    }
    state.set = TokenSet{std::move(table)};
    return state;
}

}  // namespace

bool ColdObjects::put(
    std::uint64_t hash, std::uint16_t counter, std::string_view name, const CountedObject& state
) {
    if (!can_be_packed(state) || chunks_.size() >= number_mask) {
        return false;
    }
    const TokenTable& table = *state.set.table();
    const Header header{
        .counter = counter,
        .name_bytes = static_cast<std::uint16_t>(name.size() & 0xfff),
        .gap = 0,
        .confirmed = state.directory.confirmed,
        .fades = state.directory.expiry != never,
        .expiring = table.expiring(),
        .tokens = static_cast<std::uint8_t>(table.live()),
        .size_class = static_cast<std::uint8_t>(state.directory.size_class)
    };
    Place place = 0;
    write(header, name, state, room_for(header.bytes(), place).data());
    const auto [found, is_new] = places_.try_emplace(key_of(hash), place);
    if (!is_new) {
        bury(at(std::exchange(found->second, place)));
    }
    return true;
}

std::optional<CountedObject> ColdObjects::take(
    std::uint64_t hash, std::uint16_t counter, std::string_view name
) {
    const auto found = places_.find(key_of(hash));
    if (found == places_.end()) {
        return std::nullopt;
    }
    unsigned char* const record = at(found->second);
    if (header_of(record).counter != counter || name_of(record) != name) {
        return std::nullopt;
    }
    places_.erase(found);
    CountedObject state = read(record);
    bury(record);
    return state;
}

/// The oldest object; absent when it was a gap that the hand came by, or the end of a chunk.
std::optional<ColdObjects::Name> ColdObjects::oldest() {
    const Chunk& chunk = chunks_.front();
    if (hand_ == chunk.used) {
        pool_->give_back(chunk.bytes);
        chunks_.pop_front();
        ++first_;
        hand_ = 0;
        return std::nullopt;
    }
    const unsigned char* const record = chunk.bytes + hand_;
    const Header header = header_of(record);
    if (header.gap != 0) {
        gaps_ -= header.bytes();
        hand_ += static_cast<std::uint32_t>(header.bytes());
        return std::nullopt;
    }
    return Name{.counter = header.counter, .text = name_of(record)};
}

/// Moves the oldest object to the end, or lets it go.
void ColdObjects::settle_oldest(std::uint64_t hash) {
    const unsigned char* const record = chunks_.front().bytes + hand_;
    const std::size_t bytes = header_of(record).bytes();
    const auto found = places_.find(key_of(hash));
    CHECK(
        found != places_.end() && at(found->second) == record,
        "what is no gap can be found",
        name_of(record)
    );
    hand_ += static_cast<std::uint32_t>(bytes);
    if (chunks_.size() > 1 && gaps_ * gaps_share > chunks_.size() * chunk_bytes) {
        std::memcpy(room_for(bytes, found->second).data(), record, bytes);
    } else {
        places_.erase(found);
    }
}

void ColdObjects::clear() {
    places_.clear();
    for (const Chunk& chunk : chunks_) {
        pool_->give_back(chunk.bytes);
    }
    chunks_.clear();
    hand_ = 0;
    gaps_ = 0;
}

std::size_t ColdObjects::bytes() const {
    // Groups of 15 slots with 16 bytes of their own.
    const std::size_t index = places_.bucket_count() * sizeof(std::pair<std::uint32_t, Place>) +
                              places_.bucket_count() / 15 * 16;
    return chunks_.size() * (chunk_bytes + sizeof(Chunk)) + allocated_bytes(index);
}

runtime::AccountAudit ColdObjects::audit_gaps() const {
    std::size_t counted = 0;
    std::size_t at = hand_;
    for (const Chunk& chunk : chunks_) {
        while (at < chunk.used) {
            const Header header = header_of(chunk.bytes + at);
            counted += header.gap != 0 ? header.bytes() : 0;
            at += header.bytes();
        }
        at = 0;
    }
    return {.booked = gaps_, .counted = counted};
}

/// Room behind the last record, and where that is.
std::span<unsigned char> ColdObjects::room_for(std::size_t bytes, Place& place) {
    if (chunks_.empty() || chunks_.back().used + bytes > chunk_bytes) {
        chunks_.push_back({.bytes = pool_->take()});
    }
    Chunk& last = chunks_.back();
    const auto number = static_cast<Place>(first_ + chunks_.size() - 1) & number_mask;
    place = number << place_bits | last.used;
    const std::span<unsigned char> room{last.bytes + last.used, bytes};
    last.used += static_cast<std::uint32_t>(bytes);
    return room;
}

unsigned char* ColdObjects::at(Place place) {
    const Place index = ((place >> place_bits) - first_) & number_mask;
    return chunks_[index].bytes + (place & ((Place{1} << place_bits) - 1));
}

void ColdObjects::bury(unsigned char* record) {
    Header header = header_of(record);
    header.gap = 1;
    std::memcpy(record, &header, sizeof(header));
    gaps_ += header.bytes();
}

}  // namespace footfall::tokens
