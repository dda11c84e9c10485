#include "events/money.h"

#include "foundation/parse_number.h"

#include <fmt/format.h>

#include <cstddef>

namespace footfall::events {
namespace {

constexpr std::size_t decimals_max = 6;

/// "05" of "3.05" as millionths: 50,000.
std::optional<std::uint64_t> millionths(std::string_view decimals) {
    if (decimals.size() > decimals_max) {
        return std::nullopt;
    }
    std::string padded{decimals};
    padded.resize(decimals_max, '0');
    return parse_unsigned(padded);
}

}  // namespace

std::optional<Micros> parse_money(std::string_view text) {
    const bool negative = text.starts_with('-');
    text.remove_prefix(negative ? 1 : 0);
    const std::size_t point = text.find('.');
    const bool has_decimals = point != std::string_view::npos;
    const auto units = parse_unsigned(text.substr(0, point));
    const auto rest = has_decimals && point + 1 < text.size() ? millionths(text.substr(point + 1))
                      : has_decimals                          ? std::nullopt
                                                              : std::optional<std::uint64_t>{0};
    constexpr auto most = static_cast<std::uint64_t>(largest_amount / micros_a_unit);
    if (!units || !rest || *units > most || (*units == most && *rest > 0)) {
        return std::nullopt;
    }
    const auto amount = static_cast<Micros>(*units) * micros_a_unit + static_cast<Micros>(*rest);
    return negative ? -amount : amount;
}

std::string format_money(Micros amount) {
    const char* const sign = amount < 0 ? "-" : "";
    const auto magnitude =
        amount < 0 ? ~static_cast<std::uint64_t>(amount) + 1 : static_cast<std::uint64_t>(amount);
    constexpr auto unit = static_cast<std::uint64_t>(micros_a_unit);
    std::string text = fmt::format("{}{}.{:06}", sign, magnitude / unit, magnitude % unit);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) {
        text.pop_back();
    }
    return text;
}

}  // namespace footfall::events
