#pragma once

#include "foundation/clock.h"
#include "foundation/varint.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace footfall::guard {

/// Times as what rules remember is stored with them: microseconds since 1970, with their sign.
inline void append_time(Instant time, std::string& bytes) {
    append_varint(zigzag(time.time_since_epoch().count()), bytes);
}

/// Takes a time off the front of `bytes`. False: there is none.
inline bool take_time(std::string_view& bytes, Instant& time) {
    std::uint64_t number = 0;
    if (!take_varint(bytes, number)) {
        return false;
    }
    time = Instant{std::chrono::microseconds{from_zigzag(number)}};
    return true;
}

}  // namespace footfall::guard
