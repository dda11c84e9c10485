#pragma once

#include "foundation/result.h"

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace footfall::records {

/// The two log formats that Apache and nginx write by default.
enum class AccessLogFormat {
    common,    ///< ip ident user [time] "request" status bytes
    combined,  ///< the same, then "referrer" "agent"
};

/// The fields of an access log line, in the order of the line. `common` has the first seven.
enum class AccessField { address, user, time, method, url, status, bytes, referrer, agent };

inline constexpr std::size_t access_field_count = 9;

/// Their names, in order: address, user, time, method, url, status, bytes[, referrer, agent].
std::span<const std::string_view> access_field_names(AccessLogFormat format);

/// The fields of one line, as views of it, exactly as written: nothing is decoded, a backslash and
/// what follows stay in the field, an absent value is "-". Indexed by AccessField.
using AccessFields = std::array<std::string_view, access_field_count>;

/// Takes one line apart. A line that does not have the format is `invalid_input` with what is wrong
/// ("the agent's closing quote is missing").
///
/// The url is what stands between the method and the protocol; it may hold spaces, and the protocol
/// may be absent (HTTP/0.9). A request without a url, such as the "-" of a connection that sent
/// none, is wrong. Further fields that a log has behind the agent are ignored.
Result<AccessFields> parse_access_line(std::string_view line, AccessLogFormat format);

}  // namespace footfall::records
