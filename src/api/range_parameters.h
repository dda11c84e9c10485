#pragma once

#include "api/parameters.h"
#include "foundation/time_zone.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace footfall::api {

using OptionalDay = std::optional<std::int32_t>;

/// A day, by days since 1970-01-01; absent: the parameter was not given.
Asked<OptionalDay> day_parameter(const http_server::Request& request, std::string_view name);

/// ?tz=, an IANA zone; absent: it was not given.
Asked<std::optional<TimeZone>> zone_parameter(const http_server::Request& request);

/// Both days are in the range.
struct AskedRange {
    std::int32_t from = 0;
    std::int32_t to = 0;
};

/// ?from= and ?to=; without `to` it ends today, in `zone`; absent: neither was given.
Asked<std::optional<AskedRange>> range_parameters(
    const http_server::Request& request, const TimeZone& zone, Instant now
);

}  // namespace footfall::api
