#pragma once

#include "api/parameters.h"
#include "identities/profile_data.h"
#include "identities/resolution.h"
#include "identities/settling.h"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Identities as JSON, and back. Pure.
namespace footfall::identities::routes {

/// Most bytes of a reason or a source.
inline constexpr std::size_t longest_reason = 1000;

/// The id of a value that stands at this place. Refused with what is wrong, and where.
api::Asked<Id> read_id(const boost::json::value& value, std::string_view place);

/// The ids of a field, arranged; at most so many. Absent: none. Refused with what is wrong, and
/// where.
api::Asked<std::vector<Id>> read_ids(
    const boost::json::object& body, std::string_view field, std::size_t most
);

/// The id that stands first in a field that read_ids() has read.
Id first_id(const boost::json::object& body, std::string_view field);

/// A text of at most so many bytes; absent: "".
api::Asked<std::string> read_text(
    const boost::json::object& body, std::string_view field, std::size_t most
);

/// {"identifier":..,"id_name":..,"id_value":..}
void append_id(const Id& id, std::string& json);

/// [{"identifier":..,"id_name":..,"id_value":..}]
void append_ids(const std::vector<Id>& ids, std::string& json);

/// "ids":[..] of a profile, with since and source but for shared ids.
void append_members(const std::vector<Member>& members, std::string& json);

/// [{"fact":..,"ids":[..],"guard":..}] of those that are about `fact`.
void append_contested(std::span<const Contested> contested, const FactId& fact, std::string& json);

/// {"fact":..,"ids":[..],"guard":..}
void append_contested(const Contested& contested, std::string& json);

/// "data":{"city":"Oslo"} of a profile, and of each "data_why": who said so, and by which rule it
/// wins.
void append_data(std::span<const Winner> winners, std::string& json);

/// A sentence for people: "crm said that www/id/w111 and shop/customer/7 are one person".
std::string sentence_of(const Fact& fact);

/// One fact of why.
struct ShownFact {
    const Fact* fact = nullptr;
    std::string contested = {};       ///< Who objects to it; empty: nobody.
    bool is_void = false;             ///< A decision took it back.
    std::optional<Instant> end = {};  ///< When it ends unless it is said again.
    bool has_ended = false;
};

void append_fact(const ShownFact& shown, std::string& json);

}  // namespace footfall::identities::routes
