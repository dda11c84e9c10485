#pragma once

#include "foundation/result.h"
#include "foundation/time_zone.h"
#include "kairos/sampling.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace footfall::kairos {

/// Of the aggregators that look at ranges of time: how long those are, and what time a range has in
/// the answer: that of its first point, unless it is said to be its start or its end.
struct Ranges {
    Sampling sampling;
    bool aligned = false;  ///< They begin where days, weeks, months do, not where the query does.
    bool at_start = false;
    bool at_end = false;
};

/// What an aggregator does; in the order of their names.
enum class Doing : std::uint8_t {
    avg,
    count,
    dev,
    diff,
    div,
    filter,
    first,
    gaps,
    last,
    least_squares,
    max,
    min,
    percentile,
    rate,
    sampler,
    scale,
    sum,
    trim
};

enum class Comparison : std::uint8_t { equal, gt, gte, lt, lte, ne };
enum class Trimmed : std::uint8_t { both, first, last };

struct Aggregator {
    Doing doing = Doing::sum;
    Ranges ranges;      ///< The sampling also of rate and sampler.
    double number = 0;  ///< The percentile, divisor, factor or threshold.
    Comparison comparison = Comparison::equal;
    Trimmed trimmed = Trimmed::both;
};

struct ByTag {
    std::vector<std::string> tags;
};

struct ByTime {
    Sampling range_size;
    std::int64_t group_count = 1;
};

struct ByValue {
    std::int64_t range_size = 1;
};

struct ByBin {
    std::vector<double> bins;  ///< Ascending.
};

using GroupBy = std::variant<ByTag, ByTime, ByValue, ByBin>;

/// What is asked of a metric.
struct MetricQuery {
    std::string name;
    /// Only series with one of these values of each of these tags.
    std::map<std::string, std::vector<std::string>, std::less<>> tags = {};
    std::vector<Aggregator> aggregators = {};
    std::vector<GroupBy> group_by = {};
    std::size_t limit = 0;  ///< At most so many points before they are grouped; 0: all.
    bool descending = false;
    bool exclude_tags = false;
};

struct Query {
    Time from = 0;
    Time until = 0;  ///< The first that is not asked for.
    TimeZone zone = {};
    std::vector<MetricQuery> metrics = {};
};

inline constexpr std::size_t query_bytes_max = 64 << 10;
inline constexpr std::size_t metrics_max = 100;
inline constexpr std::size_t aggregators_max = 20;
inline constexpr std::size_t group_bys_max = 10;
inline constexpr std::size_t values_of_field_max = 1000;

/// Reads a query as KairosDB takes it. `now` is for relative times. `invalid_input` says where, as
/// "query.metric[0].aggregators[1].sampling: ...": a field that there is not, one that is missing,
/// or is of another kind, an aggregator that is not known, whose neighbours are named. Pure.
Result<Query> parse_query(std::string_view json, Time now);

}  // namespace footfall::kairos
