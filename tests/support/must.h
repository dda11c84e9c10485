#pragma once

#include "foundation/result.h"

#include <source_location>
#include <stdexcept>
#include <string>
#include <utility>

namespace footfall::test_support {

/// What a test cannot go on without: gtest reports it as the failure of the test that called, after
/// servers were stopped and directories removed. The project's own code never throws.
[[noreturn]] inline void give_up(
    const std::string& why, std::source_location place = std::source_location::current()
) {
    throw std::runtime_error(
        std::string{place.file_name()} + ":" + std::to_string(place.line()) + ": " + why
    );
}

/// The value, or the end of the test.
template <class T>
T must(Result<T> result, std::source_location place = std::source_location::current()) {
    if (!result) {
        give_up(result.error().message, place);
    }
    if constexpr (!std::is_void_v<T>) {
        return *std::move(result);
    }
}

}  // namespace footfall::test_support
