#include "views_routes/views_settings.h"

#include "foundation/parse_number.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

namespace footfall::views::routes {
namespace {

using rankings::TrendSettings;

constexpr std::string_view fast_name = "trending_fast";
constexpr std::string_view slow_name = "trending_slow";
constexpr std::string_view floor_name = "trending_floor";
constexpr std::string_view people_name = "trending_people";
constexpr std::string_view score_name = "trending_score";
constexpr std::string_view per_site_name = "trending_per_site";

constexpr std::array<jobs::ValueSetting, 6> values{
    {{.name = fast_name,
      .takes = "TIME",
      .without = {.text = "1h", .is_value = true},
      .help = "The half-life of the people who make an object trend"},
     {.name = slow_name,
      .takes = "TIME",
      .without = {.text = "24h", .is_value = true},
      .help = "The half-life of those by whom it is known what is usual of an object"},
     {.name = floor_name,
      .takes = "NUMBER",
      .without = {.text = "3", .is_value = true},
      .help = "Below so many people of late, by the fast half-life, nothing trends"},
     {.name = people_name,
      .takes = "NUMBER",
      .without = {.text = "5", .is_value = true},
      .help = "What trends has so many people of today and yesterday at least"},
     {.name = score_name,
      .takes = "NUMBER",
      .without = {.text = "2", .is_value = true},
      .help = "What trends is so many standard deviations above what is usual"},
     {.name = per_site_name,
      .takes = "NUMBER",
      .without = {.text = "3", .is_value = true},
      .help = "So many objects of one site trend at most, unless who asks says otherwise; 0: any"}}
};

std::unexpected<Error> refused_setting(const jobs::GivenValue& given, std::string_view takes) {
    return fail(
        ErrorKind::invalid_input, fmt::format("{}: {} takes {}", given.origin, given.name, takes)
    );
}

Result<void> read_half_life(const jobs::GivenValue& given, std::chrono::microseconds& half_life) {
    const auto read = parse_duration(given.text);
    if (!read) {
        return refused_setting(given, "a time, for example 90m");
    }
    half_life = *read;
    return {};
}

Result<void> read_decimal(const jobs::GivenValue& given, double& number) {
    const std::string text{given.text};
    const char* const end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || read != end || !std::isfinite(number) || number < 0) {
        return refused_setting(given, "a number from 0 on, for example 2.5");
    }
    return {};
}

template <class Number>
Result<void> read_whole(const jobs::GivenValue& given, Number& number) {
    constexpr std::uint64_t most = 1'000'000'000;
    const auto read = parse_unsigned(given.text);
    if (!read || *read > most) {
        return refused_setting(given, "a whole number from 0 on");
    }
    number = static_cast<Number>(*read);
    return {};
}

Result<void> read_value(const jobs::GivenValue& given, TrendSettings& settings) {
    if (given.name == fast_name) {
        return read_half_life(given, settings.fast_half_life);
    }
    if (given.name == slow_name) {
        return read_half_life(given, settings.slow_half_life);
    }
    if (given.name == floor_name) {
        return read_decimal(given, settings.least_fast);
    }
    if (given.name == score_name) {
        return read_decimal(given, settings.least_score);
    }
    return given.name == people_name ? read_whole(given, settings.least_people)
                                     : read_whole(given, settings.per_site);
}

Result<std::shared_ptr<const jobs::Options>> read(const jobs::Written& written) {
    auto options = std::make_shared<ViewsOptions>();
    for (const jobs::GivenValue& each : written.values) {
        TRY_VOID(read_value(each, options->trending));
    }
    if (Result<void> sound = check_trend_settings(options->trending); !sound) {
        const std::string_view origin = written.values.back().origin;
        return fail(ErrorKind::invalid_input, fmt::format("{}: {}", origin, sound.error().message));
    }
    return std::shared_ptr<const jobs::Options>{std::move(options)};
}

}  // namespace

const jobs::JobSettings views_settings{.values = values, .read = read};

}  // namespace footfall::views::routes
