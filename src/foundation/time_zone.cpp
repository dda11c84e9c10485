#include "foundation/time_zone.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctz/civil_time.h>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace footfall {
namespace {

constexpr std::size_t longest_name = 64;
constexpr std::array<std::string_view, 8> names_of_utc{
    "UTC", "Etc/UTC", "Etc/UCT", "UCT", "Zulu", "Etc/Zulu", "Universal", "Etc/Universal"
};

bool is_name(std::string_view name) {
    const auto letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
    const auto allowed = [&](char c) {
        return letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '+' || c == '/';
    };
    return !name.empty() && name.size() <= longest_name && name[0] >= 'A' && name[0] <= 'Z' &&
           std::ranges::all_of(name, allowed);
}

/// Whether the library will find it. It remembers for ever whatever it is asked for, so it is only
/// asked for what there is.
bool is_installed(std::string_view name) {
    const char* const chosen = std::getenv("TZDIR");  // NOLINT(concurrency-mt-unsafe): never set
    const std::filesystem::path folder = chosen == nullptr ? "/usr/share/zoneinfo" : chosen;
    std::error_code failed;
    return std::filesystem::is_regular_file(folder / name, failed);
}

cctz::civil_second midnight(std::int64_t day) {
    return cctz::civil_second{cctz::civil_day{1970, 1, 1} + day};
}

Instant instant_of(cctz::time_point<cctz::seconds> time) {
    return Instant{time.time_since_epoch()};
}

}  // namespace

Result<TimeZone> TimeZone::find(std::string_view name) {
    if (std::ranges::find(names_of_utc, name) != names_of_utc.end()) {
        return TimeZone{};
    }
    cctz::time_zone zone;
    if (!is_name(name) || !is_installed(name) || !cctz::load_time_zone(std::string{name}, &zone)) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "there is no time zone \"{}\": give a name of the IANA database, such as "
                "Europe/Berlin (of Debian's package tzdata)",
                name.substr(0, longest_name)
            )
        );
    }
    return TimeZone{zone, false};
}

std::int64_t TimeZone::day_of(Instant time) const {
    if (utc_) {
        return std::chrono::floor<std::chrono::days>(time).time_since_epoch().count();
    }
    const auto second = std::chrono::floor<std::chrono::seconds>(time);
    const cctz::civil_day day{zone_.lookup(second).cs};
    return day - cctz::civil_day{1970, 1, 1};
}

Instant TimeZone::start_of(std::int64_t day) const {
    const auto there = zone_.lookup(midnight(day));
    const bool skipped = there.kind == cctz::time_zone::civil_lookup::SKIPPED;
    return instant_of(skipped ? there.trans : there.pre);
}

Instant TimeZone::end_of(std::int64_t day) const {
    const auto there = zone_.lookup(midnight(day + 1));
    const bool skipped = there.kind == cctz::time_zone::civil_lookup::SKIPPED;
    return instant_of(skipped ? there.trans : there.post);
}

Instant TimeZone::hour_of(Instant time) const {
    const auto second = std::chrono::floor<std::chrono::seconds>(time);
    if (utc_) {
        return std::chrono::floor<std::chrono::hours>(second);
    }
    const auto there = zone_.lookup(second);
    const auto full_hour =
        second - std::chrono::minutes{there.cs.minute()} - std::chrono::seconds{there.cs.second()};
    cctz::time_zone::civil_transition change;
    if (zone_.lookup(full_hour).offset == there.offset ||
        !zone_.prev_transition(second + std::chrono::seconds{1}, &change)) {
        return full_hour;
    }
    return instant_of(zone_.lookup(change.to).trans);
}

std::chrono::seconds TimeZone::offset_at(Instant time) const {
    return std::chrono::seconds{zone_.lookup(std::chrono::floor<std::chrono::seconds>(time)).offset
    };
}

}  // namespace footfall
