#pragma once

#include "foundation/clock.h"
#include "people/person.h"

#include <boost/json/object.hpp>

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// People as JSON, and back. Pure.
namespace footfall::reading::routes {

/// Why something cannot be taken: `field` is at fault.
struct Fault {
    std::string field;
    std::string detail;
};

template <class Value>
using Read = std::expected<Value, Fault>;

/// Consent from its fields, of which each may be absent. Other fields are not looked at.
Read<people::Consent> read_consent(const boost::json::object& object, Instant now);

/// A host as articles have it; `field` is at fault.
Read<std::string> checked_site(std::string_view site, std::string_view field);

/// A list of names of actors, at most so many; absent: none.
Read<std::vector<std::string>> read_names(
    const boost::json::object& object, std::string_view field, std::size_t most
);

/// The field "actor"; absent: nobody.
Read<std::optional<std::string>> read_actor(const boost::json::object& object);

/// What a line of people says: an actor with consent, friends, or both. No other fields.
Read<people::Said> read_person(const boost::json::object& fields, Instant now);
Read<people::Said> read_person_line(std::string_view line, Instant now);

/// The line, without its newline, that says the same: read_person_line(), and back. Without what
/// is taken back, which no line says.
void append_person_line(const people::Said& said, std::string& json);

/// {"actor":..,"reading":..}: how a person stands.
std::string person_json(const people::Person& person);

}  // namespace footfall::reading::routes
