#include "foundation/parse_number.h"

#include <algorithm>
#include <charconv>

namespace footfall {

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

std::optional<std::chrono::seconds> parse_duration(std::string_view text) {
    std::int64_t unit = 1;
    if (!text.empty()) {
        switch (text.back()) {
            case 's':
                unit = 1;
                break;
            case 'm':
                unit = 60;
                break;
            case 'h':
                unit = 3600;
                break;
            case 'd':
                unit = 86'400;
                break;
            default:
                unit = 0;
                break;
        }
        text.remove_suffix(unit == 0 ? 0 : 1);
    }
    const auto number = parse_unsigned(text);
    if (!number || *number > 1'000'000'000) {
        return std::nullopt;
    }
    return std::chrono::seconds{
        static_cast<std::int64_t>(*number) * std::max<std::int64_t>(unit, 1)
    };
}

}  // namespace footfall
