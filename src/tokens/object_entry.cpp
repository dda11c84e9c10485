#include "tokens/object_entry.h"

#include "foundation/check.h"
#include "foundation/memory_cost.h"
#include "tokens/stored_expiry.h"

#include <cstring>
#include <new>
#include <utility>

namespace footfall::tokens {
namespace {

constexpr std::size_t hash_bytes = sizeof(std::uint64_t);

/// Rare things, and many tokens, are not packed.
bool is_packable(const CountedObject& state) {
    return !state.rare && state.set.table() != nullptr &&
           state.set.table()->live() <= ObjectEntry::packed_tokens_max;
}

std::size_t bytes_packed(const CountedObject& state) {
    const TokenTable& table = *state.set.table();
    const std::size_t each = hash_bytes + (table.expiring() ? stored_expiry_bytes : 0);
    const std::size_t directory = state.directory.expiry != never ? sizeof(std::int64_t) : 0;
    const std::size_t freshness = state.shared() ? sizeof(std::int64_t) : 0;
    return directory + freshness + table.live() * each;
}

}  // namespace

void ObjectEntry::Destroy::operator()(ObjectEntry* entry) const {
    entry->~ObjectEntry();
    ::operator delete(entry);
}

ObjectEntry::Owner ObjectEntry::make(std::uint16_t counter, std::string_view name) {
    return make(counter, name, 0);
}

ObjectEntry::Owner ObjectEntry::make(
    std::uint16_t counter, std::string_view name, std::size_t room
) {
    const std::size_t bytes = usable_bytes(sizeof(ObjectEntry) + name.size() + room);
    void* space = ::operator new(bytes);
    return Owner{new (space) ObjectEntry{counter, name, bytes - sizeof(ObjectEntry) - name.size()}};
}

ObjectEntry::ObjectEntry(std::uint16_t counter, std::string_view name, std::size_t room)
    : counter_{counter},
      name_bytes_{static_cast<std::uint16_t>(name.size())},
      room_{static_cast<std::uint32_t>(room)} {
    std::memcpy(reinterpret_cast<char*>(this + 1), name.data(), name.size());
}

ObjectEntry::~ObjectEntry() {
    delete apart();
}

CountedObject ObjectEntry::take_state() {
    CHECK(loaded(), "an object that is not in memory has no state", name());
    return packed_ ? unpack() : std::move(apart()->object);
}

void ObjectEntry::give_state(Owner& entry, CountedObject state) {
    if (!is_packable(state) || entry->anyone_waits()) {
        if (entry->packed_) {
            resize(entry, 0);
        }
        Apart& apart = entry->set_apart();
        apart.object = std::move(state);
        apart.loaded = true;
        return;
    }
    const std::size_t header = sizeof(ObjectEntry) + entry->name_bytes_;
    const std::size_t needed = bytes_packed(state);
    if (allocated_bytes(header + needed) != allocated_bytes(header + entry->room_)) {
        resize(entry, needed);
    }
    entry->pack(state);
}

/// The entry anew, without a state, with so much room behind the name.
void ObjectEntry::resize(Owner& entry, std::size_t room) {
    Owner resized = make(entry->counter_, entry->name(), room);
    resized->busy = entry->busy;
    resized->used_again = entry->used_again;
    entry = std::move(resized);
}

void ObjectEntry::drop_state() {
    if (packed_) {
        packed_ = false;
        state_.apart = nullptr;
    } else if (Apart* const known = apart()) {
        known->object = {};
        known->loaded = false;
    }
}

storage::CommitPosition ObjectEntry::last_position() const {
    CHECK(loaded(), "an object that is not in memory has no state", name());
    return packed_ ? state_.position : apart()->object.last_position;
}

SpanLevel ObjectEntry::level_of(std::int64_t span) const {
    CHECK(loaded(), "an object that is not in memory has no state", name());
    return packed_ ? SpanLevel{.span = span} : apart()->object.level_of(span);
}

bool ObjectEntry::is_stored() const {
    CHECK(loaded(), "an object that is not in memory has no state", name());
    return (packed_ ? size_class_ : apart()->object.directory.size_class) >= 0;
}

DirectoryEntry ObjectEntry::directory() const {
    CHECK(loaded(), "an object that is not in memory has no state", name());
    return packed_ ? unpack().directory : apart()->object.directory;
}

std::deque<Waiting>& ObjectEntry::waiting() {
    return set_apart().waiting;
}

std::size_t ObjectEntry::bytes() const {
    const std::size_t own = allocated_bytes(sizeof(ObjectEntry) + name_bytes_ + room_);
    return apart() == nullptr ? own
                              : own + allocated_bytes(sizeof(Apart)) + apart()->object.bytes();
}

/// Has a part that stands apart, if need be with the state that was packed.
ObjectEntry::Apart& ObjectEntry::set_apart() {
    if (packed_) {
        auto made = std::make_unique<Apart>(Apart{.object = unpack(), .loaded = true});
        packed_ = false;
        state_.apart = made.release();
    } else if (state_.apart == nullptr) {
        state_.apart = std::make_unique<Apart>().release();
    }
    return *state_.apart;
}

/// Behind the name: the directory's expiry (8 bytes, unless it is `never`), until when the object
/// is fresh (the same), the tokens' hashes (8 each), their expiries (5 each, if any expires). There
/// must be room.
void ObjectEntry::pack(const CountedObject& state) {
    delete apart();
    const TokenTable& table = *state.set.table();
    packed_ = true;
    state_.position = state.last_position;
    size_class_ = state.directory.size_class;
    confirmed_ = state.directory.confirmed;
    fades_ = state.directory.expiry != never;
    shared_ = state.shared();
    expiring_ = table.expiring();
    short_hashes_ = state.short_hashes;
    tokens_ = static_cast<std::uint32_t>(table.live());
    unsigned char* hashes = packed_bytes();
    if (fades_) {
        std::memcpy(hashes, &state.directory.expiry, sizeof(std::int64_t));
        hashes += sizeof(std::int64_t);
    }
    if (shared_) {
        std::memcpy(hashes, &state.fresh_until, sizeof(std::int64_t));
        hashes += sizeof(std::int64_t);
    }
    unsigned char* expiries = hashes + tokens_ * hash_bytes;
    table.for_each([&](std::uint64_t hash, std::int64_t expiry) {
        std::memcpy(hashes, &hash, hash_bytes);
        hashes += hash_bytes;
        if (expiring_) {
            store_expiry(expiry, expiries);
            expiries += stored_expiry_bytes;
        }
    });
}

CountedObject ObjectEntry::unpack() const {
    // With room for one more, which is what most come for.
    TokenTable table{std::size_t{tokens_} + 1, expiring_};
    CountedObject state;
    state.last_position = state_.position;
    state.short_hashes = short_hashes_;
    state.directory = {
        .expiry = never,
        .size_class = static_cast<std::int8_t>(size_class_),
        .confirmed = confirmed_
    };
    const unsigned char* hashes = packed_bytes();
    if (fades_) {
        std::memcpy(&state.directory.expiry, hashes, sizeof(std::int64_t));
        hashes += sizeof(std::int64_t);
    }
    if (shared_) {
        std::memcpy(&state.fresh_until, hashes, sizeof(std::int64_t));
        hashes += sizeof(std::int64_t);
    }
    const unsigned char* const expiries = hashes + tokens_ * hash_bytes;
    for (std::size_t token = 0; token < tokens_; ++token) {
        std::uint64_t hash = 0;
        std::memcpy(&hash, hashes + token * hash_bytes, hash_bytes);
        table.set(hash, expiring_ ? stored_expiry(expiries + token * stored_expiry_bytes) : never);
    }
    state.set = TokenSet{std::move(table)};
    return state;
}

}  // namespace footfall::tokens
