#include "tokens/names.h"

#include "foundation/utf8.h"

#include <fmt/format.h>

namespace footfall::tokens {

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

Result<void> check_token(std::string_view token) {
    if (token.empty()) {
        return fail(ErrorKind::invalid_input, "the token is empty");
    }
    if (token.size() > longest_name_bytes) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("the token has {} bytes, the most is {}", token.size(), longest_name_bytes)
        );
    }
    return {};
}

}  // namespace footfall::tokens
