#pragma once

#include "events/verdict.h"
#include "foundation/siphash.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace footfall::events {

/// The keyed hashes by which an event is judged and counted; 64 bits each. All of one deployment:
/// they mean nothing under another secret.
struct EventKeys {
    std::uint32_t lane = 0;      ///< Of its object.
    std::uint64_t identity = 0;  ///< Of object and id; 0: its sender gave no id.
    std::uint64_t id = 0;        ///< Of the id alone.
    std::uint64_t content = 0;   ///< Of all that the sender said; if there is an id.
    /// Who did it: the given actor, else the address with the agent; absent: nobody knows.
    std::optional<std::uint64_t> person;
    std::uint64_t repeat = 0;  ///< Of action, object and person; if there is one.
};

/// Only who did it.
std::optional<std::uint64_t> person_of(const Event& event, SipKey secret);

/// `id_hash`: of an event whose id is not told, what EventKeys::id is; 0: it has none.
EventKeys keys_of(const Event& event, SipKey secret, std::uint64_t id_hash = 0);

/// The same of one that may be a read.
EventKeys keys_of(const JudgedEvent& judged, SipKey secret);

/// Who is counted for an event with these keys. Of a read nobody is: who read it is known to
/// reading alone.
inline std::optional<std::uint64_t> counted_person(const Event& event, const EventKeys& keys) {
    return event.action == read_action ? std::nullopt : keys.person;
}

/// The same for those who ask for nothing else.
inline std::optional<std::uint64_t> counted_person(const Event& event, SipKey secret) {
    return event.action == read_action ? std::nullopt : person_of(event, secret);
}

/// By what an event is known whose sender gave it an id.
struct IdKeys {
    std::uint64_t identity = 0;  ///< As in EventKeys; 0: there is no id.
    std::uint64_t id = 0;        ///< As in EventKeys.

    friend bool operator==(const IdKeys&, const IdKeys&) = default;
};

/// By what the first event of its id is known.
inline IdKeys id_keys(const EventKeys& keys) {
    return {.identity = keys.identity, .id = keys.id};
}

/// By what an event is known whose id another one has that says something else: by its id and what
/// it says, so that the same is known when it is sent again.
IdKeys conflict_keys(const EventKeys& keys, std::string_view object, SipKey secret);

/// The lane of an object.
std::uint32_t lane_of(std::string_view object, SipKey secret);

/// EventKeys::identity of the event of this object whose id has this hash.
std::uint64_t identity_of(std::uint64_t id_hash, std::string_view object, SipKey secret);

/// The hash of an id, for event_by_id.
std::uint64_t id_hash(std::string_view id, SipKey secret);

}  // namespace footfall::events
