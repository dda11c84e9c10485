#include "kairos/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace footfall::kairos {
namespace {

std::string_view view(const boost::json::string& text) {
    return {text.data(), text.size()};
}

template <class Number>
std::optional<Number> parse(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional{number}
                                                                    : std::nullopt;
}

std::optional<double> number_of(const boost::json::value& value) {
    if (value.is_string()) {
        return parse<double>(view(value.get_string()));
    }
    boost::json::error_code error;
    const double number = value.to_number<double>(error);
    return error ? std::nullopt : std::optional{number};
}

std::optional<std::int64_t> whole_of(const boost::json::value& value) {
    if (value.is_string()) {
        return parse<std::int64_t>(view(value.get_string()));
    }
    boost::json::error_code error;
    const auto number = value.to_number<std::int64_t>(error);
    return error ? std::nullopt : std::optional{number};
}

std::string lower(std::string_view text) {
    std::string lowered{text};
    std::ranges::transform(lowered, lowered.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + ('a' - 'A')) : letter;
    });
    return lowered;
}

}  // namespace

std::unexpected<Error> wrong(std::string_view where, std::string_view what) {
    return fail(ErrorKind::invalid_input, fmt::format("{}: {}", where, what));
}

Result<Fields> Fields::of(
    const boost::json::value& value,
    std::string where,
    std::initializer_list<std::string_view> known
) {
    if (!value.is_object()) {
        return wrong(where, "is a JSON object");
    }
    for (const auto& each : value.get_object()) {
        const std::string_view name{each.key().data(), each.key().size()};
        if (std::ranges::find(known, name) == known.end()) {
            return wrong(
                where,
                fmt::format("there is no field \"{}\"; there are {}", name, fmt::join(known, ", "))
            );
        }
    }
    return Fields{value.get_object(), std::move(where)};
}

std::string Fields::where(std::string_view name) const {
    return fmt::format("{}.{}", where_, name);
}

std::string Fields::where(std::string_view name, std::size_t at) const {
    return fmt::format("{}.{}[{}]", where_, name, at);
}

const boost::json::value* Fields::find(std::string_view name) const {
    const boost::json::value* const found = object_->if_contains({name.data(), name.size()});
    return found == nullptr || found->is_null() ? nullptr : found;
}

Result<std::string> Fields::text(std::string_view name) const {
    const boost::json::value* const value = find(name);
    if (value == nullptr || !value->is_string() || value->get_string().empty()) {
        return wrong(where(name), "is a text, and may not be empty");
    }
    return std::string{view(value->get_string())};
}

Result<bool> Fields::truth(std::string_view name, bool otherwise) const {
    const boost::json::value* const value = find(name);
    if (value == nullptr) {
        return otherwise;
    }
    if (!value->is_bool()) {
        return wrong(where(name), "is true or false");
    }
    return value->get_bool();
}

Result<std::int64_t> Fields::whole(std::string_view name, std::int64_t least, std::int64_t most)
    const {
    const boost::json::value* const value = find(name);
    const auto number = value == nullptr ? std::nullopt : whole_of(*value);
    if (!number || *number < least || *number > most) {
        return wrong(where(name), fmt::format("is a whole number from {} to {}", least, most));
    }
    return *number;
}

Result<double> Fields::number(std::string_view name) const {
    const boost::json::value* const value = find(name);
    const auto number = value == nullptr ? std::nullopt : number_of(*value);
    if (!number || !std::isfinite(*number)) {
        return wrong(where(name), "is a number");
    }
    return *number;
}

Result<std::size_t> Fields::one_of(
    std::string_view name, std::span<const std::string_view> words, std::size_t otherwise
) const {
    if (!has(name)) {
        return otherwise;
    }
    const Result<std::string> said = text(name);
    const auto found = std::ranges::find(words, said ? lower(*said) : std::string{});
    if (found == words.end()) {
        return wrong(where(name), fmt::format("is one of {}", fmt::join(words, ", ")));
    }
    return static_cast<std::size_t>(found - words.begin());
}

Result<std::span<const boost::json::value>> Fields::list(std::string_view name, std::size_t most)
    const {
    const boost::json::value* const value = find(name);
    if (value == nullptr) {
        return std::span<const boost::json::value>{};
    }
    if (!value->is_array() || value->get_array().size() > most) {
        return wrong(where(name), fmt::format("is an array of at most {}", most));
    }
    return std::span<const boost::json::value>{
        value->get_array().data(), value->get_array().size()
    };
}

Result<std::vector<std::string>> Fields::texts(std::string_view name, std::size_t most) const {
    TRY(const std::span<const boost::json::value> values, list(name, most));
    std::vector<std::string> all;
    for (const boost::json::value& each : values) {
        if (!each.is_string() || each.get_string().empty()) {
            return wrong(where(name), "is an array of texts that are not empty");
        }
        all.emplace_back(view(each.get_string()));
    }
    return all;
}

}  // namespace footfall::kairos
