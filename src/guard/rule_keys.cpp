#include "guard/rule_keys.h"

#include "foundation/parse_number.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace footfall::guard {
namespace {

constexpr std::chrono::seconds longest_duration{std::chrono::days{30}};
constexpr std::size_t longest_word = 64;
constexpr std::size_t longest_text = 1 << 10;
constexpr std::size_t texts_max = 10'000;

}  // namespace

bool is_word(std::string_view text) {
    return !text.empty() && text.size() <= longest_word &&
           std::ranges::all_of(text, [](char letter) {
               return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') ||
                      letter == '_' || letter == '-' || letter == '.';
           });
}

const toml::node* RuleKeys::take(std::string_view key) {
    taken_.emplace(key);
    return table_.get(key);
}

std::unexpected<Error> RuleKeys::wrong(std::string_view key, std::string_view what) const {
    const toml::node* const node = table_.get(key);
    return fail(
        ErrorKind::invalid_input,
        fmt::format(
            "line {}: rule \"{}\": {}: {}",
            (node != nullptr ? node->source() : table_.source()).begin.line,
            name_,
            key,
            what
        )
    );
}

std::unexpected<Error> RuleKeys::missing(std::string_view key, std::string_view takes) const {
    return wrong(key, fmt::format("is missing; it takes {}", takes));
}

Result<std::optional<std::string>> RuleKeys::text(std::string_view key, std::size_t longest) {
    const toml::node* const node = take(key);
    if (node == nullptr) {
        return std::nullopt;
    }
    auto text = node->value<std::string>();
    if (!node->is_string() || !text || text->empty() || text->size() > longest) {
        return wrong(key, fmt::format("takes a text of 1 to {} bytes", longest));
    }
    return text;
}

Result<std::optional<std::string>> RuleKeys::one_of(
    std::string_view key, const std::vector<std::string_view>& words
) {
    TRY(std::optional<std::string> word, text(key, longest_text));
    if (word && std::ranges::find(words, *word) == words.end()) {
        return wrong(key, fmt::format("takes one of {}", fmt::join(words, ", ")));
    }
    return word;
}

Result<std::optional<std::string>> RuleKeys::word(std::string_view key) {
    TRY(std::optional<std::string> word, text(key, longest_text));
    if (word && !is_word(*word)) {
        return wrong(
            key,
            fmt::format(
                "takes a word of a-z, 0-9, \"_\", \"-\" and \".\", of at most {} letters",
                longest_word
            )
        );
    }
    return word;
}

Result<std::optional<std::chrono::microseconds>> RuleKeys::duration(std::string_view key) {
    const toml::node* const node = take(key);
    if (node == nullptr) {
        return std::nullopt;
    }
    const auto text = node->is_string() ? node->value<std::string>() : std::nullopt;
    const auto seconds = node->is_integer() ? node->value<std::int64_t>() : std::nullopt;
    const auto duration = parse_duration(text ? *text : seconds ? fmt::to_string(*seconds) : "");
    if (!duration || *duration > longest_duration) {
        return wrong(
            key, "takes a text such as \"30s\", \"5m\", \"1h\" or \"7d\", of at most 30 days"
        );
    }
    return *duration;
}

Result<std::optional<std::uint32_t>> RuleKeys::number(std::string_view key, std::uint32_t largest) {
    const toml::node* const node = take(key);
    if (node == nullptr) {
        return std::nullopt;
    }
    const auto number = node->is_integer() ? node->value<std::int64_t>() : std::nullopt;
    if (!number || *number < 1 || *number > largest) {
        return wrong(key, fmt::format("takes a number from 1 to {}", largest));
    }
    return static_cast<std::uint32_t>(*number);
}

Result<std::vector<std::string>> RuleKeys::texts(std::string_view key) {
    const toml::node* const node = take(key);
    std::vector<std::string> texts;
    if (node == nullptr) {
        return texts;
    }
    const toml::array* const array = node->as_array();
    const auto fault = [&] { return wrong(key, R"(takes one or more texts, such as ["a", "b"])"); };
    if (array == nullptr || array->empty() || array->size() > texts_max) {
        return fault();
    }
    for (const toml::node& each : *array) {
        auto text = each.is_string() ? each.value<std::string>() : std::nullopt;
        if (!text || text->empty() || text->size() > longest_text) {
            return fault();
        }
        texts.push_back(*std::move(text));
    }
    return texts;
}

Result<void> RuleKeys::all_taken() const {
    for (const auto& [key, node] : table_) {
        if (!taken_.contains(key.str())) {
            return wrong(
                key.str(),
                fmt::format("there is no such key; there are {}", fmt::join(taken_, ", "))
            );
        }
    }
    return {};
}

}  // namespace footfall::guard
