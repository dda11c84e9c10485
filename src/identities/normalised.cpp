#include "identities/normalised.h"

#include "events/ascii.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace footfall::identities {
namespace {

bool is_digit(char each) {
    return each >= '0' && each <= '9';
}

std::string lower(std::string_view value) {
    std::string small{value};
    std::ranges::transform(small, small.begin(), events::to_lower);
    return small;
}

/// All white space: "".
std::string_view trimmed(std::string_view value) {
    constexpr std::string_view space = " \t";
    const auto begin = value.find_first_not_of(space);
    return begin == std::string_view::npos
               ? std::string_view{}
               : value.substr(begin, value.find_last_not_of(space) - begin + 1);
}

/// Empty: it is no number.
std::string phone(std::string_view value) {
    std::string digits;
    const std::string_view text = trimmed(value);
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool is_sign = text[at] == '+' && at == 0;
        if (is_digit(text[at]) || is_sign) {
            digits += text[at];
        } else if (std::string_view{" -./()"}.find(text[at]) == std::string_view::npos) {
            return {};
        }
    }
    if (digits.starts_with("00")) {
        digits.replace(0, 2, "+");
    }
    return digits == "+" ? std::string{} : digits;
}

}  // namespace

std::string normalised(Normalise rule, std::string_view value) {
    std::string text;
    switch (rule) {
        case Normalise::none:
            break;
        case Normalise::lower:
            return lower(value);
        case Normalise::email:
            text = lower(trimmed(value));
            break;
        case Normalise::phone:
            text = phone(value);
            break;
    }
    return text.empty() ? std::string{value} : text;
}

Id normalised(const Guards& guards, Id id) {
    const auto own = guards.identifiers.find(id.identifier);
    if (own != guards.identifiers.end()) {
        id.id_value = normalised(own->second.normalise, id.id_value);
    }
    return id;
}

std::vector<Id> normalised(const Guards& guards, std::vector<Id> ids) {
    for (Id& each : ids) {
        each = normalised(guards, std::move(each));
    }
    arrange(ids);
    return ids;
}

}  // namespace footfall::identities
