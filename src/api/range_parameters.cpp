#include "api/range_parameters.h"

#include "api/answers.h"
#include "foundation/calendar_day.h"
#include "http_server/problem.h"

#include <fmt/format.h>

#include <string>

namespace footfall::api {

Asked<OptionalDay> day_parameter(const http_server::Request& request, std::string_view name) {
    std::string_view given;
    if (!http_server::query_value(request.query, name, given)) {
        return OptionalDay{};
    }
    const Asked<std::string> text = text_parameter(request, name, "");
    if (!text) {
        return std::unexpected(text.error());
    }
    OptionalDay day = parse_day(*text);
    if (!day) {
        return std::unexpected(http_server::problem(
            400, "invalid-input", fmt::format("{} must be a day such as 2026-11-21", name), name
        ));
    }
    return day;
}

Asked<std::optional<TimeZone>> zone_parameter(const http_server::Request& request) {
    std::string_view given;
    if (!http_server::query_value(request.query, "tz", given)) {
        return std::optional<TimeZone>{};
    }
    const Asked<std::string> name = text_parameter(request, "tz", "");
    if (!name) {
        return std::unexpected(name.error());
    }
    const Result<TimeZone> zone = TimeZone::find(*name);
    if (!zone) {
        return std::unexpected(answer_error(zone.error(), "tz"));
    }
    return std::optional{*zone};
}

Asked<std::optional<AskedRange>> range_parameters(
    const http_server::Request& request, const TimeZone& zone, Instant now
) {
    const Asked<OptionalDay> from = day_parameter(request, "from");
    const Asked<OptionalDay> to = day_parameter(request, "to");
    if (!from) {
        return std::unexpected(from.error());
    }
    if (!to) {
        return std::unexpected(to.error());
    }
    if (!*from && !*to) {
        return std::optional<AskedRange>{};
    }
    if (!*from) {
        return std::unexpected(http_server::problem(
            400, "invalid-input", "to needs a from: the first day of the range", "from"
        ));
    }
    return std::optional{
        AskedRange{.from = **from, .to = *to ? **to : static_cast<std::int32_t>(zone.day_of(now))}
    };
}

}  // namespace footfall::api
