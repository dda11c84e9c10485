#include "timeseries_routes/timeseries_settings.h"

#include "foundation/parse_number.h"
#include "series/name.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::timeseries::routes {
namespace {

using std::chrono::seconds;

constexpr std::string_view carbon_name = "carbon";
constexpr std::string_view keep_name = "metrics_keep";
constexpr std::string_view step_name = "metrics_step";
constexpr std::string_view retention_name = "metrics_retention";
constexpr std::string_view metrics_series_name = "metrics_series";
constexpr std::string_view own_name = "metrics_own";

constexpr std::array<jobs::ValueSetting, 6> timeseries_values{
    {{.name = carbon_name,
      .takes = "ADDRESS:PORT",
      .without = {.text = "nothing is listened for", .is_value = false},
      .help = "Where metrics are taken as Carbon takes them, as lines over TCP and UDP, such as "
              "127.0.0.1:2003; whoever reaches it can write"},
     {.name = keep_name,
      .takes = "AGE",
      .without = {.text = "90d", .is_value = true},
      .help = "How long points of metrics without a rule of their own are kept; older ones are "
              "refused"},
     {.name = step_name,
      .takes = "SPAN",
      .without = {.text = "10s", .is_value = true},
      .help = "Steps of graphs: of points within one the last is shown"},
     {.name = retention_name,
      .takes = "RULES",
      .without =
          {.text = "points for metrics_keep, beside them cells of 5 minutes for 180 days and of an "
                   "hour for 2 years",
           .is_value = false},
      .help =
          "How finely metrics are kept for how long, by their names: PATTERN -> 10s:6h, 60s:7d, "
          "1h:5y, of which the first is points and the others are cells; semicolons between "
          "rules, of which the first that fits holds"},
     {.name = metrics_series_name,
      .takes = "N",
      .without = {.text = "1000000", .is_value = true},
      .help = "So many series there may be: points of one more are refused"},
     {.name = own_name,
      .takes = "NAME|off",
      .without = {.text = "local, on a cluster off", .is_value = false},
      .help = "What the server says of itself (/metrics) is kept every 10 s as series that begin "
              "with footfall.NAME, for the page System"}}
};

Result<seconds> read_span(const jobs::GivenValue& given, seconds least, seconds most) {
    const auto span = parse_duration(given.text);
    if (!span || *span < least || *span > most) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "{}: this is a span of time from {} to {} seconds, such as 60s, 15m, 6h or 90d",
                given.origin,
                least.count(),
                most.count()
            )
        );
    }
    return *span;
}

/// Rules behind one another.
Result<std::vector<series::RetentionRule>> read_rules(const jobs::GivenValue& given) {
    constexpr std::size_t most = 100;
    std::vector<series::RetentionRule> rules;
    std::string_view left = given.text;
    for (bool more = true; more;) {
        const std::size_t end = left.find(';');
        auto rule = series::parse_retention(left.substr(0, end));
        const auto checked = rule ? check_resolutions(rule->resolutions) : Result<void>{};
        if (!rule || !checked) {
            return std::unexpected(with_context(rule ? checked.error() : rule.error(), given.origin)
            );
        }
        if (rules.size() == most) {
            return fail(
                ErrorKind::invalid_input, fmt::format("{}: more than {} rules", given.origin, most)
            );
        }
        rules.push_back(*std::move(rule));
        more = end != std::string_view::npos;
        left.remove_prefix(more ? end + 1 : 0);
    }
    return rules;
}

/// One part of a name, or nothing.
Result<std::string> read_own_name(const jobs::GivenValue& given) {
    constexpr std::size_t most = 64;
    if (given.text.empty() || given.text == "off") {
        return std::string{};
    }
    if (given.text.size() > most || given.text.contains('.') || given.text.contains(';') ||
        !series::parse_name(given.text)) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "{}: this is off, or a name of 1 to {} bytes, such as shop-1, without dots, spaces "
                "and *?[]{{}};",
                given.origin,
                most
            )
        );
    }
    return std::string{given.text};
}

Result<std::shared_ptr<const jobs::Options>> read_timeseries_settings(const jobs::Written& written
) {
    auto settings = std::make_shared<TimeSeriesSettings>();
    for (const jobs::GivenValue& each : written.values) {
        if (each.name == keep_name) {
            TRY(settings->keep, read_span(each, std::chrono::days{1}, std::chrono::days{3'650}));
        } else if (each.name == step_name) {
            TRY(settings->step, read_span(each, seconds{1}, std::chrono::days{1}));
        } else if (each.name == retention_name) {
            TRY(settings->rules, read_rules(each));
        } else if (each.name == metrics_series_name) {
            constexpr std::uint64_t series_most = 100'000'000;
            const auto number = parse_unsigned(each.text);
            if (!number || *number < 1 || *number > series_most) {
                return fail(
                    ErrorKind::invalid_input,
                    fmt::format("{}: this is a number from 1 to {}", each.origin, series_most)
                );
            }
            settings->series_max = *number;
        } else if (each.name == own_name) {
            TRY(settings->own, read_own_name(each));
        } else {
            settings->carbon = parse_address(each.text);
            if (!settings->carbon) {
                return fail(
                    ErrorKind::invalid_input,
                    fmt::format(
                        "{}: carbon takes ADDRESS:PORT, for example 127.0.0.1:2003", each.origin
                    )
                );
            }
        }
    }
    return settings;
}

}  // namespace

const jobs::JobSettings timeseries_settings{
    .values = timeseries_values, .read = read_timeseries_settings
};

}  // namespace footfall::timeseries::routes
