#pragma once

#include "guard/rules.h"
#include "http_server/router.h"

namespace footfall::api {

/// GET /api/v1/rules: the rules that events are judged by, in their order. GET /how-we-count: the
/// same as a page for those who are counted. `rules` is constant and must outlive the router.
void add_rule_routes(http_server::Router& router, const guard::RuleSet& rules);

}  // namespace footfall::api
