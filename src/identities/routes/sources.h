#pragma once

#include "api/front_door.h"
#include "api/parameters.h"
#include "http_server/router.h"
#include "identities/identities.h"
#include "intake/collector.h"
#include "runtime/blocking_pool.h"

#include <functional>
#include <string>

namespace footfall::identities::routes {

/// What routes of identities are answered with. All of it outlives the router. A plain value.
struct Sources {
    Identities* identities = nullptr;
    intake::Collector* collector = nullptr;
    runtime::BlockingPool* lookups = nullptr;  ///< Threads that may wait.
    api::Doorkeeper keeper;
};

/// What answers a request on a thread that may wait.
using Answer = std::function<
    http_server::Response(const Sources& sources, const http_server::Request& request)>;

/// A handler that has `answer` called on a thread of the lookups.
http_server::Handler on_lookups(const Sources& sources, Answer answer);

/// Has a fact said by `say()`, durably, and waits until it is in rows, said of at least this time;
/// then settles its ids. Failures: what `say` answers, the store's; `outcome_unknown`: it was said
/// and nobody has taken it in within ten seconds.
Result<Settling::Known> say_and_settle(
    const Sources& sources, const Fact& fact, const std::function<Result<void>()>& say
);

/// Of these ids, the sid of the profile that has each; ids that are in none are left out.
std::vector<std::string> sids_of(
    const Settling& settling, const Resolution& resolution, std::span<const Id> ids
);

}  // namespace footfall::identities::routes
