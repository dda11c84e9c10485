#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace footfall::events {

// Of a name in DNS, as text.
inline constexpr std::size_t longest_host = 253;
inline constexpr std::size_t longest_label = 63;

/// Appends the one spelling of a URL's host: in lower case and ASCII (UTS #46, not transitional),
/// without percent-encoding and a dot at its end; an IPv6 address, in its brackets, as it is
/// usually written. False where it is no host; `to` may then have a part of it. Of one spelling is
/// one spelling.
bool append_host(std::string_view host, std::string& to);

}  // namespace footfall::events
