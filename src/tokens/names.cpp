#include "tokens/names.h"

#include "foundation/names.h"

#include <fmt/format.h>

namespace footfall::tokens {

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
