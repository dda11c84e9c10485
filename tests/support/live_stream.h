#pragma once

#include "test_support/footfall_process.h"
#include "test_support/raw_connection.h"

#include <boost/json/object.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::test_support {

/// An open stream of server-sent events.
class LiveStream {
public:
    /// `headers`: further ones, each with its line break.
    explicit LiveStream(
        const FootfallProcess& server,
        std::string_view target = "/api/v1/live/counters",
        std::string_view headers = {}
    );

    /// All that came so far without the chunk lines, once `enough` is content with it.
    std::string read_until(const std::function<bool(const std::string&)>& enough);

    /// The data of all events of a name that came so far.
    static std::vector<boost::json::object> events(std::string_view text, std::string_view name);

    RawConnection& connection() { return connection_; }

private:
    RawConnection connection_;
};

/// What a field of these events comes to.
std::uint64_t sum(const std::vector<boost::json::object>& seconds, const char* field);

}  // namespace footfall::test_support
