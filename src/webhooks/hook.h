#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace footfall::webhooks {

/// Who is told of what: a receiver with a URL, of the changes of a subject (a segment).
struct Hook {
    std::string name;     ///< 1 to 64 letters, digits, '.', '_' and '-'; it stands in ids.
    std::string subject;  ///< Whose changes.
    std::string filter;   ///< Which of them, as its Source understands it; empty: all.
    std::string url;
    std::string secret;  ///< Under which it is signed (signature.h).
    Instant created{};

    friend bool operator==(const Hook&, const Hook&) = default;
};

/// How far a receiver has come.
struct Progress {
    std::uint64_t after = 0;     ///< It has answered that it has all changes up to this number.
    std::uint64_t through = 0;   ///< Above `after`: the last one of what is sent again and again.
    std::uint32_t failures = 0;  ///< In a row.
    Instant due{};               ///< Not sent to before.
    Instant failing_since{};     ///< Of the first of these failures.
    Instant answered{};          ///< When it last answered that it has something.
    bool dead = false;           ///< Given up, until somebody resumes it.
    std::string trouble = {};    ///< Why it failed last.

    friend bool operator==(const Progress&, const Progress&) = default;
};

/// Whether a name is one as Hook::name says; `invalid_input` if not.
Result<void> check_name(std::string_view name);

/// How long to wait after so many failures in a row, 1 or more: a second, then twice as long each
/// time, at most an hour; a fifth more or less, by the hook's name, so that many hooks that failed
/// together are not tried together. Pure.
std::chrono::milliseconds wait_after(std::uint32_t failures, std::string_view name);

}  // namespace footfall::webhooks
