#pragma once

#include <chrono>
#include <cstddef>

namespace footfall::net {

/// How long a server waits for a client, in full seconds: what is counted are its ticks.
struct Patience {
    std::chrono::seconds idle{75};  ///< For the first byte of a request.
    /// For a request, from its first byte, or for the client to take an answer; and again so long
    /// each time `progress_bytes` more have passed, so a trickle holds nothing for ever.
    std::chrono::seconds progress{30};
    std::size_t progress_bytes = 32 << 10;
    /// And no longer in all than `progress` and a second for so many bytes of the request or of
    /// what is to be sent: who keeps up the pace above with a large one would hold it for hours.
    std::size_t bytes_a_second = 32 << 10;
};

}  // namespace footfall::net
