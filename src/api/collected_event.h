#pragma once

#include "api/parameters.h"
#include "events/event.h"
#include "foundation/clock.h"
#include "guard/networks.h"
#include "http_server/request.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace footfall::api {

/// An event as it comes in by the public door.
struct CollectedEvent {
    events::Event event;
    /// What says that no person asked: "HEAD", "prefetch", "preview". Empty: nothing.
    std::string machine_sign;
};

inline constexpr std::size_t collected_bytes_max = 8 << 10;

/// What a request of the public door shows, whatever it tells of: the time is `now`, the agent that
/// of the request, the address its sender's (client_address), and what says that no person asked. A
/// request with `Sec-GPC: 1` is counted without being followed: its event has no address, so nobody
/// did it. Pure.
CollectedEvent seen_in(
    const http_server::Request& request, const guard::NetworkSet& trusted_proxies, Instant now
);

/// Reads "object=..&action=..&referrer=..", percent-encoded, the object needed, the action a view
/// unless said. All else that an event may have is ignored, or what seen_in() shows. Refused with
/// the field at fault: what is no event (events::tidy_event), more than collected_bytes_max, and
/// sales, which no rule looks at for repetition and which are the trusted door's to tell. Pure.
Asked<CollectedEvent> read_collected(
    const http_server::Request& request,
    std::string_view fields,
    const guard::NetworkSet& trusted_proxies,
    Instant now
);

/// Who sent the request: its peer; or, if that is a trusted proxy, the last address in
/// X-Forwarded-For that is none. An entry that is no address ends the search at the proxy that
/// wrote it. Empty when the peer has no address.
std::string client_address(
    const http_server::Request& request, const guard::NetworkSet& trusted_proxies
);

}  // namespace footfall::api
