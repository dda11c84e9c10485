#include "guard/words.h"

#include "events/money.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace footfall::guard {

std::string count_of(std::size_t number, std::string_view thing) {
    return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

std::string words_of(std::chrono::microseconds time) {
    using namespace std::chrono_literals;
    if (time < 1min) {
        const std::string seconds = events::format_money(time.count());
        return fmt::format("{} second{}", seconds, seconds == "1" ? "" : "s");
    }
    constexpr std::array<std::pair<std::chrono::seconds, std::string_view>, 4> units{{
        {24h, "day"},
        {1h, "hour"},
        {1min, "minute"},
        {1s, "second"},
    }};
    std::vector<std::string> parts;
    for (const auto& [unit, name] : units) {
        if (time >= unit && parts.size() < 2) {
            parts.push_back(count_of(static_cast<std::size_t>(time / unit), name));
            time %= unit;
        }
    }
    return parts.size() == 2 ? fmt::format("{} and {}", parts[0], parts[1]) : parts[0];
}

std::string alternatives(std::span<const std::string> words) {
    std::string text;
    for (std::size_t at = 0; at < words.size(); ++at) {
        const std::string_view before = at == 0 ? "" : at + 1 == words.size() ? " or " : ", ";
        text.append(before).append(words[at]);
    }
    return text;
}

}  // namespace footfall::guard
