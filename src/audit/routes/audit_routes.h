#pragma once

#include "api/front_door.h"
#include "audit/log.h"
#include "foundation/clock.h"
#include "metrics/figures.h"
#include "runtime/blocking_pool.h"

namespace footfall::audit::routes {

/// Adds what shows the log and proves it, for the scope `admin`: /api/v1/audit, and below it head,
/// key, inclusion, consistency, and, for tools that read c2sp.org/tlog-tiles, checkpoint and tile.
/// `log` and `pool` outlive the router.
void add_audit_routes(api::FrontDoor& door, Log& log, runtime::BlockingPool& pool);

/// Tells its metrics. Asks no store.
void tell(const Log& log, Instant now, metrics::Figures& figures);

}  // namespace footfall::audit::routes
