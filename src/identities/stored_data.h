#pragma once

#include "foundation/result.h"
#include "identities/resolution.h"

#include <boost/json/value.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Data as rows have them. Pure. What is read is `corrupt` if it is none of ours.
namespace footfall::identities {

/// ["city","Bergen","Oslo","Bergen"]: the name, the first value, the latest, the longest; "": none.
std::string stored_text(const std::optional<Datum>& datum);

Result<std::optional<Datum>> read_stored_datum(std::string_view text);

/// Appends [["city","crm",1795255200000000,1795255200000000,"Bergen","Oslo","Bergen"]]: the name,
/// the source, when it was said of first and last in microseconds, and the three values.
void append_stored_data(std::span<const SaidDatum> data, std::string& json);

Result<std::vector<SaidDatum>> read_stored_data(const boost::json::value& value);

}  // namespace footfall::identities
