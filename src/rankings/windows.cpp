#include "rankings/windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace footfall::rankings {
namespace {

std::int64_t utc_day_of(Instant time) {
    return std::chrono::floor<std::chrono::days>(time).time_since_epoch().count();
}

}  // namespace

Result<Window> parse_window(std::string_view name) {
    const auto* const found = std::ranges::find(windows, name, &Window::name);
    if (found != windows.end()) {
        return *found;
    }
    std::string known;
    for (const Window& each : windows) {
        known += known.empty() ? "" : ", ";
        known += each.name;
    }
    return fail(ErrorKind::invalid_input, fmt::format("no window '{}': there are {}", name, known));
}

Instant begin_of(const Window& window, Instant now) {
    using Quarters = std::chrono::duration<std::int64_t, std::ratio<15 * 60>>;
    return std::chrono::floor<Quarters>(now - window.length);
}

Days days_of(const Window& window, Instant now) {
    return {.first = utc_day_of(begin_of(window, now)), .last = utc_day_of(now)};
}

}  // namespace footfall::rankings
