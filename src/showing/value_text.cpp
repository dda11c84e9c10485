#include "showing/value_text.h"

#include "events/rfc3339.h"
#include "foundation/calendar_day.h"
#include "foundation/json_string.h"
#include "foundation/utf8.h"
#include "storage/decimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <system_error>

namespace footfall::showing {
namespace {

using storage::Column;
using storage::ColumnType;
using storage::Value;

constexpr std::string_view hex_mark = "0x";
constexpr std::string_view no_time = "null";

/// The days and times that have a text.
constexpr std::int64_t first_day = -719'528;  // 0000-01-01
constexpr std::int64_t last_day = 2'932'896;  // 9999-12-31
constexpr std::int64_t day_microseconds = 86'400'000'000;

std::optional<std::int64_t> parse_integer(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    return whole && !text.empty() ? std::optional{number} : std::nullopt;
}

std::optional<unsigned> hex_digit(char letter) {
    constexpr std::string_view digits = "0123456789abcdef";
    const char small = letter >= 'A' && letter <= 'F' ? static_cast<char>(letter + 32) : letter;
    const std::size_t at = digits.find(small);
    return at == std::string_view::npos ? std::nullopt : std::optional{static_cast<unsigned>(at)};
}

/// Bytes of which each is two digits.
std::optional<std::string> parse_hex(std::string_view digits) {
    if (digits.size() % 2 != 0) {
        return std::nullopt;
    }
    std::string bytes;
    for (std::size_t at = 0; at < digits.size(); at += 2) {
        const auto high = hex_digit(digits[at]);
        const auto low = hex_digit(digits[at + 1]);
        if (!high || !low) {
            return std::nullopt;
        }
        bytes.push_back(static_cast<char>(*high << 4U | *low));
    }
    return bytes;
}

bool is_plain_text(std::string_view bytes) {
    const auto is_control = [](char letter) {
        return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f;
    };
    return is_utf8(bytes) && std::ranges::none_of(bytes, is_control) &&
           !bytes.starts_with(hex_mark);
}

std::string timestamp_json(std::int64_t microseconds, bool is_value) {
    if (microseconds == 0 && is_value) {
        return std::string{no_time};
    }
    if (microseconds < 0 || microseconds >= (last_day + 1) * day_microseconds) {
        return fmt::to_string(microseconds);
    }
    return json_string(events::format_rfc3339(Instant{std::chrono::microseconds{microseconds}}));
}

/// In quotes, since whoever reads JSON makes a binary fraction of a number.
std::string decimal_json(std::string_view bytes) {
    const Result<storage::Wide> millionths = storage::decimal_of(bytes);
    return json_string(millionths ? storage::decimal_text(*millionths) : hex_text(bytes));
}

std::unexpected<Error> refused(
    const Column& column, std::string_view takes, std::string_view text
) {
    return fail(
        ErrorKind::invalid_input,
        fmt::format("column {} takes {}, not '{}'", column.name, takes, text)
    );
}

Result<Value> parse_day_value(const Column& column, std::string_view text) {
    if (const auto day = parse_day(text)) {
        return Value{std::int64_t{*day}};
    }
    if (const auto number = parse_integer(text)) {
        return Value{*number};
    }
    return refused(column, "a day such as 2026-11-21", text);
}

Result<Value> parse_timestamp(const Column& column, std::string_view text) {
    if (text == no_time) {
        return Value{std::int64_t{0}};
    }
    if (const auto instant = events::parse_rfc3339(text)) {
        return Value{std::int64_t{instant->time_since_epoch().count()}};
    }
    if (const auto number = parse_integer(text)) {
        return Value{*number};
    }
    return refused(column, "a time such as 2026-11-21T10:00:00Z, or null", text);
}

Result<Value> parse_decimal_value(const Column& column, std::string_view text) {
    if (const auto millionths = storage::parse_decimal(text)) {
        return Value{storage::decimal_bytes(*millionths)};
    }
    return refused(column, "a decimal with at most six decimals, such as 0.005", text);
}

Result<Value> parse_bytes(const Column& column, std::string_view text) {
    if (!text.starts_with(hex_mark)) {
        return Value{std::string{text}};
    }
    auto bytes = parse_hex(text.substr(hex_mark.size()));
    if (!bytes) {
        return refused(column, "a text, or 0x and two hexadecimal digits a byte", text);
    }
    return Value{*std::move(bytes)};
}

}  // namespace

std::string hex_text(std::string_view bytes) {
    std::string text{hex_mark};
    for (const char byte : bytes) {
        text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    }
    return text;
}

std::string value_json(
    const storage::Table& table, std::size_t column, const storage::ValueView& value
) {
    switch (table.column(column).type) {
        case ColumnType::text:
            return json_string(value.text());
        case ColumnType::bytes:
            return json_string(
                is_plain_text(value.text()) ? std::string{value.text()} : hex_text(value.text())
            );
        case ColumnType::day:
            if (value.number() >= first_day && value.number() <= last_day) {
                return json_string(format_day(static_cast<std::int32_t>(value.number())));
            }
            return fmt::to_string(value.number());
        case ColumnType::timestamp:
            return timestamp_json(value.number(), column >= table.key_width());
        case ColumnType::decimal:
            return decimal_json(value.text());
        case ColumnType::integer:
            break;
    }
    return fmt::to_string(value.number());
}

Result<Value> parse_value(const Column& column, std::string_view text) {
    switch (column.type) {
        case ColumnType::text:
            if (!is_utf8(text)) {
                return refused(column, "a text in UTF-8", hex_text(text));
            }
            return Value{std::string{text}};
        case ColumnType::bytes:
            return parse_bytes(column, text);
        case ColumnType::day:
            return parse_day_value(column, text);
        case ColumnType::timestamp:
            return parse_timestamp(column, text);
        case ColumnType::decimal:
            return parse_decimal_value(column, text);
        case ColumnType::integer:
            break;
    }
    if (const auto number = parse_integer(text)) {
        return Value{*number};
    }
    return refused(column, "a whole number", text);
}

}  // namespace footfall::showing
