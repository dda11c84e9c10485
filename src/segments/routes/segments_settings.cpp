#include "segments_routes/segments_settings.h"

#include "foundation/check.h"
#include "foundation/parse_number.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

namespace footfall::segments::routes {
namespace {

constexpr std::string_view webhooks_name = "segments_webhooks";
constexpr std::string_view topic_name = "segments_topic";

constexpr std::string_view least_name = "segments_least";
constexpr std::string_view numbers_name = "segments_numbers";
constexpr std::uint64_t least_most = 1'000'000;
constexpr std::uint64_t numbers_most = 10'000;

constexpr std::array<jobs::ValueSetting, 4> segments_values{
    {{.name = webhooks_name,
      .takes = "WHERE",
      .without = {.text = "internet", .is_value = true},
      .help = "Where changes of segments may be sent: internet, over https to public addresses, or "
              "anywhere, to this machine and private networks, too"},
     {.name = topic_name,
      .takes = "on|off",
      .without = {.text = "off", .is_value = true},
      .help = "Whether changes of segments are written to a topic of Kafka, for other programs"},
     {.name = least_name,
      .takes = "N",
      .without = {.text = "50", .is_value = true},
      .help = "Who may see numbers of people only (scope audience) sees none of fewer people"},
     {.name = numbers_name,
      .takes = "N",
      .without = {.text = "100", .is_value = true},
      .help =
          "So many different numbers a day a key of that scope may ask for: more make each less "
          "exact"}}
};

Result<std::uint64_t> read_count(
    const jobs::GivenValue& given, std::uint64_t least, std::uint64_t most
) {
    const auto number = parse_unsigned(given.text);
    if (!number || *number < least || *number > most) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("{}: this is a number from {} to {}", given.origin, least, most)
        );
    }
    return *number;
}

Result<std::shared_ptr<const jobs::Options>> read_segments_settings(const jobs::Written& written) {
    auto options = std::make_shared<SegmentsOptions>();
    for (const jobs::GivenValue& each : written.values) {
        if (each.name == least_name) {
            TRY(options->audience.least, read_count(each, 1, least_most));
        } else if (each.name == numbers_name) {
            TRY(const std::uint64_t numbers, read_count(each, 1, numbers_most));
            options->audience.numbers = static_cast<std::uint32_t>(numbers);
        } else if (each.name == topic_name) {
            if (each.text != "on" && each.text != "off") {
                return fail(
                    ErrorKind::invalid_input, fmt::format("{}: this is on or off", each.origin)
                );
            }
            options->topic = each.text == "on";
        } else if (each.text == "anywhere") {
            options->webhooks = webhooks::Reach::anywhere;
        } else if (each.text != "internet") {
            return fail(
                ErrorKind::invalid_input,
                fmt::format("{}: this is internet or anywhere", each.origin)
            );
        }
    }
    return std::shared_ptr<const jobs::Options>{std::move(options)};
}

const SegmentsOptions& own_segments_options(const jobs::Options& options) {
    const auto* const own = dynamic_cast<const SegmentsOptions*>(&options);
    CHECK(own != nullptr, "a job is opened with what it read itself");
    return *own;
}

}  // namespace

webhooks::Reach webhooks_in(const jobs::Options* options) {
    return options == nullptr ? SegmentsOptions{}.webhooks
                              : own_segments_options(*options).webhooks;
}

audience::Terms audience_in(const jobs::Options* options) {
    return options == nullptr ? audience::Terms{} : own_segments_options(*options).audience;
}

bool topic_in(const jobs::Options* options) {
    return options != nullptr && own_segments_options(*options).topic;
}

const jobs::JobSettings segments_settings{
    .values = segments_values, .read = read_segments_settings
};

}  // namespace footfall::segments::routes
