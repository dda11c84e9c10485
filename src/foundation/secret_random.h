#pragma once

#include "foundation/result.h"

#include <cstddef>
#include <span>

namespace footfall {

/// Fills `bytes` with bytes that nobody can foretell, of the operating system: for keys, secrets,
/// and names that must not say whose they are. For everything that is to be repeatable there is
/// Random. Thread-safe; about half a microsecond. `unavailable`: the system gives none.
Result<void> draw_secret(std::span<std::byte> bytes);

/// The same for a plain value, such as a number.
template <class Value>
Result<Value> draw_secret() {
    Value value{};
    TRY_VOID(draw_secret(std::as_writable_bytes(std::span{&value, 1})));
    return value;
}

}  // namespace footfall
