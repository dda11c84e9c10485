#include "segments_routes/estimate_json.h"

#include <fmt/format.h>

namespace footfall::segments::routes {

std::string bounds_members(const Estimate& estimate) {
    return fmt::format(
        R"("error":{},"low":{},"high":{})",
        estimate.exact ? "0" : fmt::format("{:.4f}", estimate.error),
        estimate.low,
        estimate.high
    );
}

std::string people_members(const Estimate& estimate) {
    return estimate.exact
               ? fmt::format(R"("people":{},"exact":true,"error":0)", estimate.people)
               : fmt::format(
                     R"("people":{},"exact":false,{})", estimate.people, bounds_members(estimate)
                 );
}

std::string pair_members(const Estimate& estimate) {
    return fmt::format(
        R"("count":{},"exact":{},{})", estimate.people, estimate.exact, bounds_members(estimate)
    );
}

}  // namespace footfall::segments::routes
