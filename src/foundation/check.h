#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace footfall {

/// Prints "CHECK failed: ..." with the place and aborts. Called by CHECK only.
[[noreturn]] void check_failed(
    std::string_view condition,
    std::string_view reason,
    const std::string& values,
    const char* file,
    int line
);

/// The operands of a failed CHECK as text: "3, abc".
template <class... Values>
std::string describe_values(const Values&... values) {
    std::string text;
    ((text += text.empty() ? "" : ", ", text += fmt::format("{}", values)), ...);
    return text;
}

}  // namespace footfall

/// CHECK(size <= capacity, "queue overrun", size, capacity): always on, also in release. A failed
/// CHECK is a bug of ours: the program stops at once rather than count on with a state nobody
/// understands. Input never reaches a CHECK.
#define CHECK(condition, reason, ...)                                                            \
    do {                                                                                         \
        if (!(condition)) [[unlikely]] {                                                         \
            ::footfall::check_failed(                                                            \
                #condition, reason, ::footfall::describe_values(__VA_ARGS__), __FILE__, __LINE__ \
            );                                                                                   \
        }                                                                                        \
    } while (false)
