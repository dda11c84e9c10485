#pragma once

#include "events/control.h"
#include "events/erased.h"
#include "events/verdict.h"
#include "identities/fact.h"
#include "identities/resolution.h"

#include <boost/json/value.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What records of the log say of identities. Pure.
namespace footfall::identities {

/// The network of actors as events name them.
inline constexpr std::string_view own_network = events::actor_network;
inline constexpr std::string_view own_id_name = events::actor_id_name;

/// The object of an event that says this, by which its lane is: "www/id/w111".
std::string object_of(const Id& id);

/// How far ahead of ours the clock of who says something may be.
inline constexpr std::chrono::minutes said_ahead_max{5};

/// Why a text can be no part of an id, whatever the others are; absent: it can. `name`: of the
/// part, such as "id_name".
std::optional<std::string> fault_of_part(std::string_view name, std::string_view text);

/// Why an id cannot be taken, in words; absent: it can. Ids that many programs write where they
/// know none ("null", "undefined", "unknown", "0", and the like) are nobody.
std::optional<std::string> fault_of(const Id& id);

/// What a match tells of one of its ids.
struct MatchData {
    std::size_t of = 0;     ///< Which of its ids.
    std::string json = {};  ///< Its data by name: {"city":"Oslo"}; empty: none.
};

/// The event that says it: an `identify` of these ids, which are arranged. `source`: who says it,
/// in its own words; may be empty.
events::Event identify_event(
    std::vector<Id> ids, std::string_view source, const MatchData& data = {}
);

/// Most data that a match tells.
inline constexpr std::size_t match_data_max = 32;

/// Why something can be no value of a datum; absent: it can.
std::optional<std::string> fault_of_value(const boost::json::value& value);

/// The facts that an event states: the data of a match, and then the link of it (link_of()), so
/// that where the link is in rows the data are, too.
std::vector<Fact> facts_of(const events::JudgedEvent& judged, const Guards* guards = nullptr);

/// The link that an event states: its identifiers, and with them the given actor. Absent: it states
/// none, as it is a read, came by the public door, was refused for more than being a repeat, or
/// names fewer than two ids without being an `identify`. Ids are as `guards` normalise them (null:
/// as they were sent), and those that are nobody are left out.
std::optional<Fact> link_of(const events::JudgedEvent& judged, const Guards* guards = nullptr);

/// What an operator decided. Absent: the record names no fact, or no ids.
std::optional<Fact> decision_of(const events::IdentityDecided& decided);

}  // namespace footfall::identities
