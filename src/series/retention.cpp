#include "series/retention.h"

#include "foundation/parse_number.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <utility>

namespace footfall::series {
namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string_view::npos
               ? std::string_view{}
               : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// "10s", "5y"; absent: no such, or nothing, or more than can be meant.
std::optional<std::chrono::seconds> parse_span(std::string_view text) {
    constexpr std::array<std::pair<char, std::int64_t>, 6> units{
        {{'s', 1}, {'m', 60}, {'h', 3'600}, {'d', 86'400}, {'w', 604'800}, {'y', 31'536'000}}
    };
    for (const auto& [letter, seconds] : units) {
        if (text.ends_with(letter)) {
            const auto number = parse_unsigned(text.substr(0, text.size() - 1));
            if (!number || *number == 0 ||
                *number > 10'000'000'000 / static_cast<std::uint64_t>(seconds)) {
                return std::nullopt;
            }
            return std::chrono::seconds{static_cast<std::int64_t>(*number) * seconds};
        }
    }
    return std::nullopt;
}

Result<Resolution> parse_resolution(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("retention {}: write step:how long, as in 10s:6h", text)
        );
    }
    const auto step = parse_span(trimmed(text.substr(0, colon)));
    const auto kept = parse_span(trimmed(text.substr(colon + 1)));
    if (!step || !kept) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "retention {}: {} is no span of time: write a number above 0 and s, m, h, d, w or "
                "y, as in 10s:6h",
                text,
                trimmed(step ? text.substr(colon + 1) : text.substr(0, colon))
            )
        );
    }
    if (*step > step_longest || *kept > kept_longest || *kept < *step) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "retention {}: a step is a day at most, and is kept for a step at least and for "
                "100 years at most",
                text
            )
        );
    }
    return Resolution{.step = *step, .kept = *kept};
}

}  // namespace

Result<std::vector<Resolution>> parse_resolutions(std::string_view text) {
    std::vector<Resolution> all;
    for (bool more = true; more;) {
        const std::size_t comma = text.find(',');
        TRY(const Resolution next, parse_resolution(trimmed(text.substr(0, comma))));
        if (!all.empty() &&
            (next.step <= all.back().step || next.step % all.back().step != next.step.zero() ||
             next.kept <= all.back().kept)) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format(
                    "retention {}: its step must be a multiple of the one before, which is {} s, "
                    "and it must be kept longer",
                    trimmed(text.substr(0, comma)),
                    all.back().step.count()
                )
            );
        }
        if (all.size() == resolutions_max) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format("retention: more than {} resolutions", resolutions_max)
            );
        }
        all.push_back(next);
        more = comma != std::string_view::npos;
        text.remove_prefix(more ? comma + 1 : 0);
    }
    return all;
}

Result<RetentionRule> parse_retention(std::string_view text) {
    constexpr std::string_view arrow = "->";
    const std::size_t at = text.find(arrow);
    if (at == std::string_view::npos) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "retention {}: write PATTERN -> step:how long, as in servers.* -> 10s:6h, 60s:7d",
                trimmed(text)
            )
        );
    }
    TRY(Glob pattern, Glob::parse(trimmed(text.substr(0, at))));
    TRY(std::vector<Resolution> resolutions, parse_resolutions(text.substr(at + arrow.size())));
    return RetentionRule{.pattern = std::move(pattern), .resolutions = std::move(resolutions)};
}

}  // namespace footfall::series
