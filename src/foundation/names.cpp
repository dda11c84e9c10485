#include "foundation/names.h"

#include "foundation/utf8.h"

#include <fmt/format.h>

namespace footfall {

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

}  // namespace footfall
