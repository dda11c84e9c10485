#include "events/event_keys.h"

#include "events/event_code.h"
#include "foundation/varint.h"
#include "runtime/lanes.h"

#include <initializer_list>
#include <string>

namespace footfall::events {
namespace {

/// What is hashed, so that no two kinds of it are ever alike.
enum class Kind : char {
    actor = 'a',
    source = 's',
    object = 'o',
    id = 'i',
    event = 'e',
    repeat = 'r'
};

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

std::string_view bytes_of(const std::uint64_t& number) {
    return {reinterpret_cast<const char*>(&number), sizeof(number)};
}

}  // namespace

std::optional<std::uint64_t> person_of(const Event& event, SipKey secret) {
    if (!event.actor.empty()) {
        return hash_of(Kind::actor, {event.actor}, secret);
    }
    if (!event.address.empty()) {
        return hash_of(Kind::source, {event.address, event.agent}, secret);
    }
    return std::nullopt;
}

EventKeys keys_of(const Event& event, SipKey secret) {
    EventKeys keys{.lane = lane_of(event.object, secret), .person = person_of(event, secret)};
    if (!event.id.empty()) {
        keys.identity = hash_of(Kind::event, {event.object, event.id}, secret);
        keys.identity += keys.identity == 0 ? 1 : 0;
        keys.id = id_hash(event.id, secret);
        keys.content = content_hash(event, secret);
    }
    if (keys.person) {
        keys.repeat =
            hash_of(Kind::repeat, {event.action, event.object, bytes_of(*keys.person)}, secret);
    }
    return keys;
}

std::uint32_t lane_of(std::string_view object, SipKey secret) {
    using Lanes = runtime::Lanes<int>;
    return static_cast<std::uint32_t>(Lanes::lane_of(hash_of(Kind::object, {object}, secret)));
}

std::uint64_t id_hash(std::string_view id, SipKey secret) {
    return hash_of(Kind::id, {id}, secret);
}

}  // namespace footfall::events
