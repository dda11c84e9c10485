#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace footfall::load {

/// A number in decimal digits, without an allocation.
class Digits {
public:
    explicit Digits(std::uint64_t number) {
        const auto end = std::to_chars(text_.data(), text_.data() + text_.size(), number).ptr;
        size_ = static_cast<std::size_t>(end - text_.data());
    }

    std::string_view text() const { return {text_.data(), size_}; }

private:
    std::array<char, 20> text_;
    std::size_t size_;
};

/// The number that `text` begins with; false if it begins with none.
inline bool read_number(std::string_view text, std::uint64_t& number) {
    return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc{};
}

}  // namespace footfall::load
