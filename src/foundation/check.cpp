#include "foundation/check.h"

#include <cstdio>
#include <cstdlib>

namespace footfall {

void check_failed(
    std::string_view condition,
    std::string_view reason,
    const std::string& values,
    const char* file,
    int line
) {
    std::string text = fmt::format("CHECK failed: {} ({})", reason, condition);
    if (!values.empty()) {
        text += " with " + values;
    }
    text += fmt::format(" at {}:{}\n", file, line);
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
    std::abort();
}

}  // namespace footfall
