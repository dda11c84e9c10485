#pragma once

#include "api/collected_event.h"
#include "api/front_door.h"
#include "foundation/clock.h"
#include "guard/networks.h"

#include <functional>
#include <optional>

namespace footfall::api {

/// Takes an event of the public door. The exchange's response is the one for a success already,
/// but may leave only once the event is durable: the taker sets its `hold_until`, or puts another
/// one, that of a failure, in its place. It may wait, as a handler may.
using TakeCollected =
    std::function<std::optional<runtime::Task<>>(http_server::Exchange&, CollectedEvent)>;

struct CollectOptions {
    TakeCollected take;
    /// Who may come in; absent: come in. See refuse_stranger().
    std::function<std::optional<http_server::Response>(const http_server::Request&)> refuse;
    guard::NetworkSet trusted_proxies = {};  ///< Whose X-Forwarded-For is believed.
};

/// What sites collect with: GET /footfall.js, the script; POST /footfall, to which it sends; GET
/// /pixel.gif?object=&action=&referrer=, for pages without scripts. docs/collect.md. `clock` must
/// outlive the routes.
void add_collect_routes(FrontDoor& door, CollectOptions options, const Clock& clock);

}  // namespace footfall::api
