#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace footfall {

/// The two parts of ADDRESS:PORT as they are written.
struct SplitAddress {
    std::string_view address;  ///< In the text; not empty. Brackets are still there.
    std::uint16_t port = 0;    ///< 0 too: whoever must reach it has to refuse that.
};

/// Splits ADDRESS:PORT at its last colon. Absent: it is none. Whether the address is one is for the
/// caller to say.
std::optional<SplitAddress> split_address(std::string_view text);

struct AddressAndPort {
    std::string address;  ///< Without brackets.
    std::uint16_t port = 0;
};

/// The same, to be connected to or listened at: [::1]:80 is port 80 of ::1.
std::optional<AddressAndPort> parse_address(std::string_view text);

}  // namespace footfall
