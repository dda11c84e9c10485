#include "foundation/names.h"

#include "foundation/utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace footfall {
namespace {

constexpr std::size_t longest_plain_name = 64;

bool is_plain(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '.' || letter == '_' || letter == '-';
}

}  // namespace

Result<void> check_name(std::string_view what, std::string_view name) {
    if (name.empty()) {
        return fail(ErrorKind::invalid_input, fmt::format("the {} is empty", what));
    }
    if (name.size() > longest_name_bytes) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "the {} has {} bytes, the most is {}", what, name.size(), longest_name_bytes
            )
        );
    }
    if (!is_utf8(name)) {
        return fail(ErrorKind::invalid_input, fmt::format("the {} is not UTF-8", what));
    }
    return {};
}

Result<void> check_plain_name(std::string_view what, std::string_view name) {
    if (name.empty() || name.size() > longest_plain_name || !std::ranges::all_of(name, is_plain)) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "the {} has 1 to {} letters, digits, '.', '_' and '-'", what, longest_plain_name
            )
        );
    }
    return {};
}

}  // namespace footfall
