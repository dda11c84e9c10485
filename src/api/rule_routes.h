#pragma once

#include "api/front_door.h"
#include "guard/rules.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace footfall::api {

/// GET /api/v1/rules: the rules that events are judged by, in their order. GET /how-we-count: the
/// same as a page for those who are counted, at the public door of `sites`, with how long events
/// are kept (absent: for ever). `rules` is constant and must outlive the routes.
void add_rule_routes(
    FrontDoor& door,
    const guard::RuleSet& rules,
    std::optional<std::chrono::seconds> keep,
    std::vector<std::string> sites
);

}  // namespace footfall::api
