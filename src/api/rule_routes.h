#pragma once

#include "api/front_door.h"
#include "guard/rules.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace footfall::api {

/// How long things are kept, or told; absent: for ever.
struct KeptFor {
    std::optional<std::chrono::seconds> events = {};
    std::optional<std::chrono::seconds> addresses = {};
};

/// GET /api/v1/rules: the rules that events are judged by, in their order. GET /how-we-count: the
/// same as a page for those who are counted, at the public door of `sites`, with how long events
/// are kept. `rules` is constant and must outlive the routes.
void add_rule_routes(
    FrontDoor& door,
    const guard::RuleSet& rules,
    const KeptFor& kept,
    std::vector<std::string> sites
);

}  // namespace footfall::api
