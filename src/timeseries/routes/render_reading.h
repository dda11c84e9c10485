#pragma once

#include "foundation/result.h"
#include "graphite/drawn.h"
#include "graphite/functions.h"
#include "series/point.h"
#include "series/retention.h"
#include "timeseries_routes/graphite_sources.h"
#include "timeseries_routes/rendered.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::timeseries::routes {

/// Values of all series of an answer, before neighbours are put together.
inline constexpr std::int64_t render_values_max = 1'000'000;

/// Reads what the targets of one question name, of whatever time: no more than is allowed in all.
/// Each series is read in the finest resolution that still has the first of the time that is asked
/// for; if these are more values than are allowed, all in the next coarser one, as far as there
/// are such.
class RenderReading {
public:
    /// `sources` outlives it. `shown_max`: of each line so many values are shown at most. Lines
    /// that are shown as they are read are consolidated at once, so that of a long time no more
    /// than one is in memory as it was.
    RenderReading(const GraphiteSources& sources, std::int64_t shown_max, std::stop_token left);

    /// `invalid_input`: it is too much; `cancelled`.
    Result<graphite::Lines> read(std::string_view pattern, const graphite::Asked& asked);

    /// Of the series whose tags meet these conditions.
    Result<graphite::Lines> read_tagged(
        const std::vector<std::string>& conditions, const graphite::Asked& asked
    );

private:
    /// In which steps a series is read.
    struct Plan {
        series::Resolution resolution;
        bool as_points = false;
        Steps steps;
    };

    Result<const std::vector<std::string>*> tagged(const std::vector<std::string>& conditions);
    Result<graphite::Lines> read_all(
        const std::vector<std::string>& names, std::string_view path, const graphite::Asked& asked
    );
    std::optional<std::vector<Plan>> plan(
        const std::vector<std::string>& names, std::int64_t from, std::int64_t until
    );
    Result<std::optional<Rendered>> rendered(
        const std::string& name, const Plan& plan, const graphite::Asked& asked
    );

    const GraphiteSources& sources_;
    const std::int64_t shown_max_;
    std::stop_token left_;
    std::int64_t now_;
    std::size_t series_ = 0;
    std::int64_t values_ = 0;
    std::map<std::vector<std::string>, std::vector<std::string>> tagged_;
    std::vector<series::Point> points_;  ///< Of the series that is being read.
    Rendered room_;                      ///< For the next one.
};

}  // namespace footfall::timeseries::routes
