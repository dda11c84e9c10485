#pragma once

#include "kairos/aggregation.h"
#include "kairos/query.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

namespace footfall::kairos {

using Tags = std::map<std::string, std::string, std::less<>>;

/// The points of a series that the query is about.
struct Read {
    Tags tags;
    Points points;
};

/// Tags that several series have, and all their values.
using TagValues = std::map<std::string, std::set<std::string>>;

void add_tags(const Tags& tags, TagValues& into);

/// Whether the tags are what the query asks for.
bool fits(const MetricQuery& metric, const Tags& tags);

/// In which group of one group_by: by tag the values of its tags ("" of one that a series has not),
/// else a number.
using GroupId = std::variant<std::vector<std::string>, std::int64_t>;

/// A line of the answer.
struct Group {
    std::vector<GroupId> ids = {};  ///< One for each group_by of the query.
    TagValues tags = {};
    Points points = {};
};

/// What there is of a metric.
struct Answer {
    std::size_t sample_size = 0;  ///< Points before aggregators.
    std::vector<Group> groups;    ///< By their ids; a query without group_by has one, if any.
};

/// More are refused, as no graph shows them.
inline constexpr std::size_t groups_max = 10'000;

/// Puts the points of all series in order of time, takes as many as the limit allows, deals them
/// into groups, and has each aggregator work on each of these. Where the order is descending the
/// limit keeps the newest, and the answer is turned round at last: aggregators see time go on.
/// `invalid_input`: more than groups_max, or points_max by gaps. `cancelled`. Pure.
Result<Answer> evaluate(
    const MetricQuery& metric,
    Time start,
    const TimeZone& zone,
    std::vector<Read> series,
    const std::stop_token& left
);

/// {"sample_size":..,"results":[..]}, as KairosDB writes what one metric came to. What JSON has no
/// number for is null. Pure.
void append_json(const MetricQuery& metric, const Answer& answer, std::string& json);

/// {"results":[{"name":..,"tags":{..}}]}
void append_tags_json(const MetricQuery& metric, const TagValues& tags, std::string& json);

}  // namespace footfall::kairos
