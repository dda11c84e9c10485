#include "ads_routes/ads_settings.h"

#include "foundation/parse_number.h"
#include "foundation/time_zone.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <utility>

namespace footfall::ads::routes {
namespace {

constexpr std::string_view zone_name = "ledger_zone";
constexpr std::string_view currency_name = "ledger_currency";
constexpr std::string_view keep_name = "keep_clicks";
constexpr std::chrono::days kept_if_nobody_says{400};

constexpr std::array<jobs::ValueSetting, 3> values{
    {{.name = zone_name,
      .takes = "ZONE",
      .without = {.text = "UTC", .is_value = true},
      .help = "The IANA zone whose days and months are those of the ledger; fixed with its first "
              "line"},
     {.name = currency_name,
      .takes = "CODE",
      .without = {.text = "XXX", .is_value = true},
      .help = "The currency of amounts that name none; fixed with the ledger's first line"},
     {.name = keep_name,
      .takes = "TIME",
      .without = {.text = "400d", .is_value = true},  // kept_if_nobody_says
      .help =
          "How long each click and sale is kept by itself after its month was sealed; sums stay "
          "for ever, and older events are refused from then on. Or forever"}}
};

bool is_currency(std::string_view text) {
    return text.size() == 3 &&
           std::ranges::all_of(text, [](char each) { return each >= 'A' && each <= 'Z'; });
}

Result<void> read_zone(const jobs::GivenValue& given, AdsOptions& options) {
    const auto zone = TimeZone::find(given.text);
    if (!zone) {
        return fail(
            ErrorKind::invalid_input, fmt::format("{}: {}", given.origin, zone.error().message)
        );
    }
    options.zone = LedgerZone{*zone};
    return {};
}

Result<void> read_currency(const jobs::GivenValue& given, AdsOptions& options) {
    if (!is_currency(given.text)) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "{}: a currency has three capital letters, such as EUR; this is \"{}\"",
                given.origin,
                given.text
            )
        );
    }
    options.currency = given.text;
    return {};
}

Result<void> read_keep(const jobs::GivenValue& given, AdsOptions& options) {
    if (given.text == "forever") {
        options.keep_clicks.reset();
        return {};
    }
    constexpr std::chrono::days longest{36'500};
    const auto keep = parse_duration(given.text);
    if (!keep || *keep < std::chrono::days{1} || *keep > longest) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "{}: keep_clicks takes forever, or 1d to 36500d, for example 400d", given.origin
            )
        );
    }
    options.keep_clicks = keep;
    return {};
}

Result<std::shared_ptr<const jobs::Options>> read(const jobs::Written& written) {
    constexpr std::array<
        std::pair<std::string_view, Result<void> (*)(const jobs::GivenValue&, AdsOptions&)>,
        3>
        readers{{{zone_name, read_zone}, {currency_name, read_currency}, {keep_name, read_keep}}};
    auto options = std::make_shared<AdsOptions>();
    options->keep_clicks = kept_if_nobody_says;
    for (const jobs::GivenValue& each : written.values) {
        for (const auto& [name, reader] : readers) {
            if (each.name == name) {
                TRY_VOID(reader(each, *options));
            }
        }
    }
    return std::shared_ptr<const jobs::Options>{std::move(options)};
}

}  // namespace

const jobs::JobSettings ads_settings{.values = values, .read = read};

}  // namespace footfall::ads::routes
