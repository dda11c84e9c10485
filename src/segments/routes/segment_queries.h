#pragma once

#include "api/parameters.h"
#include "segments/segments.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What is asked of several segments, as JSON. Pure.
namespace footfall::segments::routes {

/// As many names of 1 KiB that are all escaped, and the braces around them.
inline constexpr std::size_t segments_asked_bytes_max = asked_max * (6 << 10) + (8 << 10);

/// {"all":[..],"any":[..],"none":[..]}. Refused with the field at fault: what is no list of names,
/// more than asked_max in all, and a segment that stands in a list twice.
api::Asked<Expression> read_count_query(std::string_view text);

struct OverlapQuery {
    std::vector<std::string> segments;
    bool combinations = false;  ///< Also how many people are in exactly which of them.
    bool sketch = false;        ///< Estimated from sketches, though all could be counted.
};

/// {"segments":[..],"combinations":false,"sketch":false}: how many people each two of them share.
/// Refused likewise, and where combinations or sketches of more than so many are asked for.
api::Asked<OverlapQuery> read_overlap_query(std::string_view text);

/// What a report compares, and at what time of the day (UTC).
struct ReportQuery {
    std::vector<std::string> segments;
    std::int64_t minute = 0;
};

/// {"segments":[..],"at":"06:30"}. Refused likewise.
api::Asked<ReportQuery> read_report_query(std::string_view text);

}  // namespace footfall::segments::routes
