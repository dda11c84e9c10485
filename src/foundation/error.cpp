#include "foundation/error.h"

#include "foundation/check.h"

namespace footfall {

std::string_view name_of(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::invalid_input:
            return "invalid-input";
        case ErrorKind::not_found:
            return "not-found";
        case ErrorKind::conflict:
            return "conflict";
        case ErrorKind::overloaded:
            return "overloaded";
        case ErrorKind::timed_out:
            return "timed-out";
        case ErrorKind::unavailable:
            return "unavailable";
        case ErrorKind::outcome_unknown:
            return "outcome-unknown";
        case ErrorKind::corrupt:
            return "corrupt";
        case ErrorKind::cancelled:
            return "cancelled";
    }
    CHECK(false, "an error kind without a name", static_cast<int>(kind));
}

Error with_context(Error error, std::string_view context) {
    error.message.insert(0, ": ");
    error.message.insert(0, context);
    return error;
}

}  // namespace footfall
