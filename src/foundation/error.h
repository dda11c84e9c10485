#pragma once

#include <string>
#include <string_view>

namespace footfall {

/// What a caller should do about a failure; the list is closed (docs/decisions/0002-errors.md).
enum class ErrorKind {
    invalid_input,    ///< The request is wrong; repeating it unchanged will fail again.
    not_found,        ///< Something the caller had reason to expect is not there.
    conflict,         ///< The request contradicts what is stored.
    overloaded,       ///< A bound is reached; nothing was done; try again later.
    timed_out,        ///< No answer within the deadline; a read may be repeated.
    unavailable,      ///< The part needed is not serving; nothing was done.
    outcome_unknown,  ///< A write may or may not have happened; repeating it is safe (every write
                      ///< is idempotent).
    corrupt,          ///< Stored bytes are not what was written; page somebody.
    cancelled,        ///< The asker went away or the program is stopping.
};

/// A failure that can happen in normal operation. `message` says what was tried and with which key,
/// for a person. A layer adds context once, in front: "load counter a: store read: timed out after
/// 50 ms".
struct Error {
    ErrorKind kind;
    std::string message;
};

/// The stable name used in logs and problem types, such as "outcome-unknown".
std::string_view name_of(ErrorKind kind);

/// `error` with "context: " put before its message.
Error with_context(Error error, std::string_view context);

}  // namespace footfall
