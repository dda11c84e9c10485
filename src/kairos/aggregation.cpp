#include "kairos/aggregation.h"

#include "foundation/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <span>

namespace footfall::kairos {
namespace {

using series::Point;
using Range = std::span<const Point>;

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

bool has_value(const Point& point) {
    return !std::isnan(point.value);
}

double sum_of(Range range) {
    return std::transform_reduce(
        range.begin(), range.end(), 0.0, std::plus{}, [](const Point& point) { return point.value; }
    );
}

/// Of a sample; of one value 0.
double deviation(Range range) {
    const auto count = static_cast<double>(range.size());
    const double mean = sum_of(range) / count;
    const double squares = std::transform_reduce(
        range.begin(),
        range.end(),
        0.0,
        std::plus{},
        [mean](const Point& point) { return (point.value - mean) * (point.value - mean); }
    );
    return count > 1 ? std::sqrt(squares / (count - 1)) : 0;
}

/// As Apache Commons estimates it by default: between the two values beside position p (n + 1).
double percentile(Range range, double part) {
    std::vector<double> values;
    values.reserve(range.size());
    for (const Point& point : range) {
        values.push_back(point.value);
    }
    std::ranges::sort(values);
    const double position = part * static_cast<double>(values.size() + 1);
    if (position < 1) {
        return values.front();
    }
    if (position >= static_cast<double>(values.size())) {
        return values.back();
    }
    const auto below = static_cast<std::size_t>(position);
    const double share = position - std::floor(position);
    return values[below - 1] + share * (values[below] - values[below - 1]);
}

/// The two ends of the line that fits best; of one or two points these themselves.
void add_line(Range range, Points& into) {
    if (range.size() < 3) {
        into.insert(into.end(), range.begin(), range.end());
        return;
    }
    const auto count = static_cast<double>(range.size());
    const double mean = sum_of(range) / count;
    // From the first on, as times since 1970 leave no digits for what differs.
    const auto since = [&](const Point& point) {
        return static_cast<double>(point.time - range.front().time);
    };
    double time_mean = 0;
    for (const Point& point : range) {
        time_mean += since(point) / count;
    }
    double both = 0;
    double times = 0;
    for (const Point& point : range) {
        both += (since(point) - time_mean) * (point.value - mean);
        times += (since(point) - time_mean) * (since(point) - time_mean);
    }
    const double slope = times > 0 ? both / times : 0;
    for (const Point& point : {range.front(), range.back()}) {
        into.push_back({.time = point.time, .value = mean + slope * (since(point) - time_mean)});
    }
}

/// What comes of the points of a range, of which there is one at least.
void add_range(const Aggregator& aggregator, Range range, Time time, Points& into) {
    const bool is_said = aggregator.ranges.at_start || aggregator.ranges.at_end;
    const auto add = [&](double value) { into.push_back({.time = time, .value = value}); };
    switch (aggregator.doing) {
        case Doing::avg:
            return add(sum_of(range) / static_cast<double>(range.size()));
        case Doing::count:
            return add(static_cast<double>(range.size()));
        case Doing::dev:
            return add(deviation(range));
        case Doing::first:
            return add(range.front().value);
        case Doing::last:
            // It has its own time, unless that of the range is wanted.
            into.push_back({.time = is_said ? time : range.back().time, .value = range.back().value}
            );
            return;
        case Doing::least_squares:
            return add_line(range, into);
        case Doing::max:
            return add(std::ranges::max(range, {}, &Point::value).value);
        case Doing::min:
            return add(std::ranges::min(range, {}, &Point::value).value);
        case Doing::percentile:
            return add(percentile(range, aggregator.number));
        case Doing::sum:
            return add(sum_of(range));
        default:
            CHECK(false, "no aggregator of ranges", static_cast<int>(aggregator.doing));
    }
}

/// Goes from range to range: which there are follows from where the first begins.
class RangeWalk {
public:
    RangeWalk(const Ranges& ranges, Time start, const TimeZone& zone)
        : ranges_{&ranges},
          zone_{&zone},
          begin_{ranges.aligned ? aligned(start, ranges.sampling.unit, zone) : start} {}

    /// The range in which `time` lies.
    void go_to(Time time) {
        at_ = spans_between(begin_, time, ranges_->sampling, *zone_);
        set();
    }

    void go_on() {
        ++at_;
        set();
    }

    Time start() const { return start_; }

    Time end() const { return end_; }

    /// What the range is given as its time in the answer, if its first point is of `first`.
    Time time(Time first) const {
        return ranges_->at_start ? start_ : ranges_->at_end ? end_ : first;
    }

private:
    void set() {
        start_ = moved(begin_, ranges_->sampling, at_, *zone_);
        end_ = moved(begin_, ranges_->sampling, at_ + 1, *zone_);
    }

    const Ranges* ranges_;
    const TimeZone* zone_;
    Time begin_;
    std::int64_t at_ = 0;
    Time start_ = 0;
    Time end_ = 0;
};

/// How many of the first points lie before `end`; one does at least.
std::size_t before(Range points, Time end) {
    const auto first_behind =
        std::ranges::find_if(points, [end](const Point& point) { return point.time >= end; });
    return static_cast<std::size_t>(first_behind - points.begin());
}

Points by_ranges(const Aggregator& aggregator, Range points, RangeWalk walk) {
    Points made;
    while (!points.empty()) {
        walk.go_to(points.front().time);
        const Range range = points.first(std::max<std::size_t>(1, before(points, walk.end())));
        add_range(aggregator, range, walk.time(range.front().time), made);
        points = points.subspan(range.size());
    }
    return made;
}

/// All points, and between the first and the last one without a value in each range that has none.
Result<Points> with_gaps(Range points, RangeWalk walk) {
    Points made;
    if (points.empty()) {
        return made;
    }
    walk.go_to(points.front().time);
    while (!points.empty()) {
        const Range range = points.first(before(points, walk.end()));
        made.insert(made.end(), range.begin(), range.end());
        if (range.empty()) {
            made.push_back({.time = walk.time(walk.start()), .value = no_value});
        }
        if (made.size() > points_max) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format(
                    "gaps would be more than {} points: ask for a longer sampling", points_max
                )
            );
        }
        points = points.subspan(range.size());
        walk.go_on();
    }
    return made;
}

/// What each pair of neighbours comes to, at the time of the second: a difference, or one by time.
Result<Points> of_pairs(const Aggregator& aggregator, Range points, const TimeZone& zone) {
    Points made;
    for (std::size_t at = 1; at < points.size(); ++at) {
        const Point& one = points[at - 1];
        const Point& other = points[at];
        double value = aggregator.doing == Doing::sampler ? other.value : other.value - one.value;
        if (aggregator.doing != Doing::diff) {
            if (one.time == other.time) {
                return fail(
                    ErrorKind::invalid_input,
                    "rate and sampler cannot divide by the time between two points of the same "
                    "time: group them by tags, or put another aggregator before"
                );
            }
            const Time span = moved(one.time, aggregator.ranges.sampling, 1, zone) - one.time;
            value = value / static_cast<double>(other.time - one.time) * static_cast<double>(span);
        }
        made.push_back({.time = other.time, .value = value});
    }
    return made;
}

bool holds(Comparison comparison, double value, double threshold) {
    switch (comparison) {
        case Comparison::equal:
            return value == threshold;
        case Comparison::gt:
            return value > threshold;
        case Comparison::gte:
            return value >= threshold;
        case Comparison::lt:
            return value < threshold;
        case Comparison::lte:
            return value <= threshold;
        case Comparison::ne:
            return value != threshold;
    }
    return false;
}

Points trimmed(Trimmed which, Points points) {
    if (which != Trimmed::last && !points.empty()) {
        points.erase(points.begin());
    }
    if (which != Trimmed::first && !points.empty()) {
        points.pop_back();
    }
    return points;
}

}  // namespace

Result<Points> aggregate(
    const Aggregator& aggregator, const Points& points, Time start, const TimeZone& zone
) {
    Points made = points;
    switch (aggregator.doing) {
        case Doing::div:
        case Doing::scale: {
            const bool divides = aggregator.doing == Doing::div;
            for (Point& point : made) {
                point.value =
                    divides ? point.value / aggregator.number : point.value * aggregator.number;
            }
            return made;
        }
        case Doing::filter:
            std::erase_if(made, [&](const Point& point) {
                return has_value(point) &&
                       holds(aggregator.comparison, point.value, aggregator.number);
            });
            return made;
        case Doing::trim:
            return trimmed(aggregator.trimmed, std::move(made));
        case Doing::gaps:
            return with_gaps(made, RangeWalk{aggregator.ranges, start, zone});
        default:
            break;
    }
    // A gap is no value that could be looked at.
    std::erase_if(made, [](const Point& point) { return !has_value(point); });
    if (aggregator.doing == Doing::diff || aggregator.doing == Doing::rate ||
        aggregator.doing == Doing::sampler) {
        return of_pairs(aggregator, made, zone);
    }
    return by_ranges(aggregator, made, RangeWalk{aggregator.ranges, start, zone});
}

}  // namespace footfall::kairos
