#include "graphite/naming.h"

#include "graphite/expression.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace footfall::graphite {
namespace {

const Expression* first_pattern(const Expression& expression) {
    if (expression.kind == Expression::Kind::pattern) {
        return &expression;
    }
    for (const Expression& each : expression.arguments) {
        if (const Expression* const found = first_pattern(each)) {
            return found;
        }
    }
    return nullptr;
}

std::vector<std::string_view> parts_of(std::string_view name) {
    name = name.substr(0, name.find(';'));
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t dot = name.find('.');
        parts.push_back(name.substr(0, dot));
        if (dot == std::string_view::npos) {
            return parts;
        }
        name.remove_prefix(dot + 1);
    }
}

/// By its number, from behind if that is below 0. Empty: there is none.
std::string part_of(std::string_view name, double number) {
    const std::vector<std::string_view> parts = parts_of(name);
    const double at = number < 0 ? number + static_cast<double>(parts.size()) : number;
    return at >= 0 && at < static_cast<double>(parts.size())
               ? std::string{parts[static_cast<std::size_t>(at)]}
               : std::string{};
}

std::string tag_of(const Drawn& line, const std::string& name) {
    const auto tag = line.tags.find(name);
    return tag == line.tags.end() ? std::string{} : tag->second;
}

}  // namespace

void name_after(Drawn& line, std::string_view function, std::string_view rest) {
    line.name = fmt::format("{}({}{})", function, line.name, rest);
    line.path = line.name;
}

std::string text_of(const Number& number) {
    return number.text.find_first_of(".eE") == std::string::npos ? number.text
                                                                 : decimal_text_of(number);
}

std::string decimal_text_of(const Number& number) {
    const std::string text = fmt::format("{}", number.value);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string key_of(const Drawn& line, std::span<const Value> nodes) {
    std::string name = line.name;
    if (name.ends_with(')')) {
        const auto expression = parse_target(name);
        const Expression* const pattern = expression ? first_pattern(*expression) : nullptr;
        name = pattern != nullptr ? pattern->text : name;
    }
    std::string key;
    for (const Value& each : nodes) {
        key += key.empty() && &each == nodes.data() ? "" : ".";
        if (const auto* const number = std::get_if<Number>(&each)) {
            const std::string part = part_of(name, number->value);
            key += part.empty() ? tag_of(line, number->text) : part;
        } else if (const auto* const tag = std::get_if<std::string>(&each)) {
            key += tag_of(line, *tag);
        }
    }
    return key;
}

}  // namespace footfall::graphite
