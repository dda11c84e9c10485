#include "tokens_routes/counter_sections.h"

#include "foundation/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace footfall::tokens::routes {
namespace {

Result<void> read_field(const jobs::SectionField& field, CounterConfig& config) {
    const auto* const text = std::get_if<std::string>(&field.value);
    const auto* const number = std::get_if<std::int64_t>(&field.value);
    const auto fault = [&](std::string_view what) {
        return fail(
            ErrorKind::invalid_input, fmt::format("{}: {}: {}", field.origin, field.name, what)
        );
    };
    if (field.name == "name" && text != nullptr) {
        config.name = *text;
    } else if (field.name == "ttl") {
        const std::string written = text != nullptr     ? *text
                                    : number != nullptr ? std::to_string(*number)
                                                        : "";
        const auto ttl = parse_duration(written);
        if (!ttl) {
            return fault("a ttl is a number of seconds or a text such as \"30m\", \"12h\" or \"7d\""
            );
        }
        config.ttl = ttl;
    } else if (field.name == "limit" && number != nullptr && *number > 0 &&
               *number <= std::int64_t{largest_limit}) {
        config.limit = static_cast<std::uint32_t>(*number);
    } else {
        return fault(fmt::format(
            "a [[counter]] has name (text), ttl (duration) and limit (1 to {})", largest_limit
        ));
    }
    return {};
}

Result<CounterConfig> read_counter(const jobs::Section& section) {
    CounterConfig config{.name = {}};
    for (const jobs::SectionField& field : section.fields) {
        TRY_VOID(read_field(field, config));
    }
    if (const Result<void> sound = check_config(config); !sound) {
        return std::unexpected(with_context(sound.error(), section.origin));
    }
    return config;
}

}  // namespace

Result<std::vector<CounterConfig>> read_counters(std::span<const jobs::Section> sections) {
    std::vector<CounterConfig> counters;
    for (const jobs::Section& section : sections) {
        TRY(CounterConfig config, read_counter(section));
        if (std::ranges::find(counters, config.name, &CounterConfig::name) != counters.end()) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format("{}: there are two counters \"{}\"", section.origin, config.name)
            );
        }
        counters.push_back(std::move(config));
    }
    return counters;
}

}  // namespace footfall::tokens::routes
