#pragma once

#include "foundation/error.h"

#include <expected>
#include <utility>

namespace footfall {

/// A value, or why there is none. The only way in which a function of the project reports a failure
/// that can happen in normal operation; bugs are CHECKed. Not finding something is not a failure:
/// that is Result<std::optional<T>>.
template <class T>
struct [[nodiscard]] Result : std::expected<T, Error> {
    using std::expected<T, Error>::expected;
};

/// The failing Result: `return fail(ErrorKind::conflict, "two rows for one key")`.
inline std::unexpected<Error> fail(ErrorKind kind, std::string message) {
    return std::unexpected(Error{.kind = kind, .message = std::move(message)});
}

}  // namespace footfall

#define FOOTFALL_JOIN_INNER(a, b) a##b
#define FOOTFALL_JOIN(a, b) FOOTFALL_JOIN_INNER(a, b)

/// TRY(auto row, decode(bytes)): binds the value, or returns the error to the caller of this
/// function.
#define TRY(declaration, ...)                                                            \
    auto FOOTFALL_JOIN(try_result_, __LINE__) = (__VA_ARGS__);                           \
    if (!FOOTFALL_JOIN(try_result_, __LINE__)) {                                         \
        return std::unexpected(std::move(FOOTFALL_JOIN(try_result_, __LINE__)).error()); \
    }                                                                                    \
    declaration = *std::move(FOOTFALL_JOIN(try_result_, __LINE__))

/// TRY_VOID(store.close()): the same where there is no value.
#define TRY_VOID(...)                                               \
    if (auto try_void_result = (__VA_ARGS__); !try_void_result) {   \
        return std::unexpected(std::move(try_void_result).error()); \
    }

/// CO_TRY and CO_TRY_VOID: the same inside a coroutine.
#define CO_TRY(declaration, ...)                                                            \
    auto FOOTFALL_JOIN(try_result_, __LINE__) = (__VA_ARGS__);                              \
    if (!FOOTFALL_JOIN(try_result_, __LINE__)) {                                            \
        co_return std::unexpected(std::move(FOOTFALL_JOIN(try_result_, __LINE__)).error()); \
    }                                                                                       \
    declaration = *std::move(FOOTFALL_JOIN(try_result_, __LINE__))

#define CO_TRY_VOID(...)                                               \
    if (auto try_void_result = (__VA_ARGS__); !try_void_result) {      \
        co_return std::unexpected(std::move(try_void_result).error()); \
    }
