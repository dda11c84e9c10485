#include "foundation/address.h"

#include "foundation/parse_number.h"

#include <limits>

namespace footfall {

std::optional<SplitAddress> split_address(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || colon == 0) {
        return std::nullopt;
    }
    const auto port = parse_unsigned(text.substr(colon + 1));
    if (!port || *port > std::numeric_limits<std::uint16_t>::max()) {
        return std::nullopt;
    }
    return SplitAddress{
        .address = text.substr(0, colon), .port = static_cast<std::uint16_t>(*port)
    };
}

std::optional<AddressAndPort> parse_address(std::string_view text) {
    const auto split = split_address(text);
    if (!split) {
        return std::nullopt;
    }
    std::string_view address = split->address;
    if (address.starts_with('[') && address.ends_with(']')) {
        address = address.substr(1, address.size() - 2);
    }
    return AddressAndPort{.address = std::string{address}, .port = split->port};
}

}  // namespace footfall
