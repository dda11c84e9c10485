#pragma once

#include "events/control.h"
#include "events/event.h"
#include "events/verdict.h"
#include "foundation/clock.h"
#include "foundation/siphash.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

/// What is left in the log of whom was erased: what was counted, by the same keyed hashes, and no
/// word of theirs. Pure.
namespace footfall::events {

/// The network by which actors are ids.
inline constexpr std::string_view actor_network = "footfall";
inline constexpr std::string_view actor_id_name = "actor";

/// An actor as an id.
Identifier id_of_actor(std::string actor);

/// Whether what was recorded then of an id is to be dropped.
using IsErased = std::function<bool(const Identifier& id, Instant recorded)>;

/// What stands in place of an actor or an id that was erased: its keyed hash, so that it is counted
/// as before, and known when it is sent again. No event of outside has such a text, since it begins
/// with a control character.
std::string text_in_place_of(std::uint64_t hash);

/// The hash in it; absent: it is a text like any other.
std::optional<std::uint64_t> hash_in_place(std::string_view text);

/// The text for people: of what was erased nothing.
inline std::string_view shown_text(std::string_view text) {
    return hash_in_place(text) ? std::string_view{} : text;
}

/// Takes out of an event who did it, if that is one of those: actor, address, agent, referrer, its
/// id, what it names besides, and the evidence of its verdict. What was counted, verdict and reason
/// stay, and so do ids of others. False: it names none of them, and is as it was.
bool erase_from(JudgedEvent& judged, const IsErased& is_erased, SipKey secret);

/// The same of a decision about ids: it becomes a mark that says nothing, since its row has been
/// seen to.
bool erase_from(Control& control, const IsErased& is_erased);

}  // namespace footfall::events
