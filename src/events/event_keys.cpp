#include "events/event_keys.h"

#include "events/erased.h"
#include "events/event_code.h"
#include "foundation/varint.h"
#include "runtime/lanes.h"

#include <initializer_list>
#include <string>

namespace footfall::events {
namespace {

/// What is hashed, so that no two kinds of it are ever alike.
enum class Kind : char { actor = 'a', source = 's', object = 'o', id = 'i', repeat = 'r' };

std::uint64_t hash_of(Kind kind, std::initializer_list<std::string_view> parts, SipKey secret) {
    thread_local std::string bytes;
    bytes.clear();
    bytes.push_back(static_cast<char>(kind));
    for (const std::string_view part : parts) {
        append_varint(part.size(), bytes);  // so that "ab", "c" is not "a", "bc"
        bytes.append(part);
    }
    return siphash13(secret, bytes);
}

std::uint64_t object_hash(std::string_view object, SipKey secret) {
    return hash_of(Kind::object, {object}, secret);
}

std::uint32_t lane_of_hash(std::uint64_t object) {
    return static_cast<std::uint32_t>(runtime::Lanes<int>::lane_of(object));
}

/// Of two keyed hashes one more, as well mixed, never 0: both halves of their product (as wyhash
/// and others mix; who does not know the secret knows neither factor), and the finalizer of
/// MurmurHash3.
std::uint64_t combined(std::uint64_t left, std::uint64_t right) {
    const unsigned __int128 product = static_cast<unsigned __int128>(left | 1) * right;
    std::uint64_t mixed =
        static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64) ^ left;
    mixed = (mixed ^ (mixed >> 33)) * 0xff51afd7ed558ccd;
    mixed = (mixed ^ (mixed >> 33)) * 0xc4ceb9fe1a85ec53;
    mixed ^= mixed >> 33;
    return mixed == 0 ? 1 : mixed;
}

std::string_view bytes_of(const std::uint64_t& number) {
    return {reinterpret_cast<const char*>(&number), sizeof(number)};
}

}  // namespace

std::optional<std::uint64_t> person_of(const Event& event, SipKey secret) {
    if (!event.actor.empty()) {
        if (const auto erased = hash_in_place(event.actor)) {
            return erased;
        }
        return hash_of(Kind::actor, {event.actor}, secret);
    }
    if (!event.address.empty()) {
        return hash_of(Kind::source, {event.address, event.agent}, secret);
    }
    return std::nullopt;
}

EventKeys keys_of(const Event& event, SipKey secret, std::uint64_t id_hash) {
    const std::uint64_t object = object_hash(event.object, secret);
    EventKeys keys{.lane = lane_of_hash(object), .person = person_of(event, secret)};
    keys.id = event.id.empty() ? id_hash : events::id_hash(event.id, secret);
    if (keys.id != 0) {
        keys.identity = combined(object, keys.id);
        keys.content = content_hash(event, secret);
    }
    if (keys.person) {
        keys.repeat =
            hash_of(Kind::repeat, {event.action, event.object, bytes_of(*keys.person)}, secret);
    }
    return keys;
}

EventKeys keys_of(const JudgedEvent& judged, SipKey secret) {
    EventKeys keys = keys_of(judged.event, secret, judged.read ? judged.read->id_hash : 0);
    if (judged.read && keys.person) {
        keys.repeat = combined(keys.repeat, judged.read->salt);
    }
    return keys;
}

IdKeys conflict_keys(const EventKeys& keys, std::string_view object, SipKey secret) {
    const std::uint64_t id = combined(keys.id, keys.content);
    return {.identity = identity_of(id, object, secret), .id = id};
}

std::uint32_t lane_of(std::string_view object, SipKey secret) {
    return lane_of_hash(object_hash(object, secret));
}

std::uint64_t identity_of(std::uint64_t id_hash, std::string_view object, SipKey secret) {
    return combined(object_hash(object, secret), id_hash);
}

std::uint64_t id_hash(std::string_view id, SipKey secret) {
    if (const auto erased = hash_in_place(id)) {
        return *erased;
    }
    return hash_of(Kind::id, {id}, secret);
}

}  // namespace footfall::events
