#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace footfall::storage {

/// One value of a row, owned: a number (integer, day, timestamp) or a string (text, bytes,
/// decimal).
using Value = std::variant<std::int64_t, std::string>;

/// One value of a row, borrowed from whoever made it.
class ValueView {
public:
    // Implicit, so that a row can be written as a list of its values.
    // NOLINTBEGIN(google-explicit-constructor)
    ValueView(std::int64_t number) : number_{number} {}

    ValueView(std::string_view text) : text_{text}, is_text_{true} {}

    ValueView(const std::string& text) : ValueView{std::string_view{text}} {}

    ValueView(const char* text) : ValueView{std::string_view{text}} {}

    ValueView(const Value& value)
        : ValueView{
              std::holds_alternative<std::int64_t>(value)
                  ? ValueView{std::get<std::int64_t>(value)}
                  : ValueView{std::string_view{std::get<std::string>(value)}}
          } {}

    // NOLINTEND(google-explicit-constructor)

    bool is_text() const { return is_text_; }

    std::int64_t number() const { return number_; }

    std::string_view text() const { return text_; }

    Value owned() const { return is_text_ ? Value{std::string{text_}} : Value{number_}; }

    friend bool operator==(const ValueView&, const ValueView&) = default;

private:
    std::string_view text_;
    std::int64_t number_ = 0;
    bool is_text_ = false;
};

/// Borrows each of `values`, which must outlive the result.
std::vector<ValueView> views_of(std::span<const Value> values);

/// Copies each of `views`.
std::vector<Value> owned_values(std::span<const ValueView> views);

}  // namespace footfall::storage
