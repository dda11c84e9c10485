#include "kairos/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

namespace footfall::kairos {
namespace {

using series::Point;

/// A point, and which of the series it is of.
struct Owned {
    Point point;
    std::size_t series;
};

/// In order of time, those of one time in the order of their series, which have one each.
std::vector<Owned> in_order(std::vector<Read>& series) {
    std::vector<Owned> all;
    for (std::size_t at = 0; at < series.size(); ++at) {
        for (const Point& point : series[at].points) {
            all.push_back({.point = point, .series = at});
        }
        series[at].points = {};
    }
    if (series.size() > 1) {
        std::ranges::sort(all, {}, [](const Owned& each) {
            return std::pair{each.point.time, each.series};
        });
    }
    return all;
}

void keep(std::vector<Owned>& points, std::size_t limit, bool newest) {
    if (limit == 0 || points.size() <= limit) {
        return;
    }
    if (newest) {
        points.erase(points.begin(), points.end() - static_cast<std::ptrdiff_t>(limit));
    } else {
        points.resize(limit);
    }
}

/// Without what stands behind the point, as KairosDB's casts of Java do.
std::int64_t whole(double value) {
    constexpr double most = 9e18;  // Of what is beyond all numbers the largest.
    return std::isnan(value) ? 0 : static_cast<std::int64_t>(std::clamp(value, -most, most));
}

/// Which group a point of a series is in, for each group_by.
class Grouping {
public:
    Grouping(
        const MetricQuery& metric, const std::vector<Read>& series, Time start, const TimeZone& zone
    )
        : metric_{&metric}, series_{&series}, start_{start}, zone_{zone} {}

    std::vector<GroupId> ids_of(const Owned& owned) const {
        std::vector<GroupId> ids;
        ids.reserve(metric_->group_by.size());
        for (const GroupBy& by : metric_->group_by) {
            ids.push_back(std::visit([&](const auto& one) { return id_of(one, owned); }, by));
        }
        return ids;
    }

private:
    GroupId id_of(const ByTag& by, const Owned& owned) const {
        const Tags& tags = (*series_)[owned.series].tags;
        std::vector<std::string> values;
        for (const std::string& tag : by.tags) {
            const auto found = tags.find(tag);
            values.push_back(found == tags.end() ? std::string{} : found->second);
        }
        return values;
    }

    GroupId id_of(const ByTime& by, const Owned& owned) const {
        return spans_between(start_, owned.point.time, by.range_size, zone_) % by.group_count;
    }

    GroupId id_of(const ByValue& by, const Owned& owned) const {
        return whole(owned.point.value) / by.range_size;
    }

    GroupId id_of(const ByBin& by, const Owned& owned) const {
        return std::ranges::upper_bound(by.bins, owned.point.value) - by.bins.begin();
    }

    const MetricQuery* metric_;
    const std::vector<Read>* series_;
    Time start_;
    TimeZone zone_;
};

std::unexpected<Error> cancelled() {
    return fail(ErrorKind::cancelled, "query: nobody waits");
}

/// What is asked after so many points: whether somebody waits still.
constexpr std::size_t points_a_look = 10'000;

Result<std::vector<Group>> deal(
    const std::vector<Owned>& points,
    const std::vector<Read>& series,
    const Grouping& grouping,
    const std::stop_token& left
) {
    std::map<std::vector<GroupId>, Group> groups;
    std::set<std::pair<const Group*, std::size_t>> tagged;
    for (std::size_t at = 0; at < points.size(); ++at) {
        if (at % points_a_look == 0 && left.stop_requested()) {
            return cancelled();
        }
        const Owned& owned = points[at];
        Group& group = groups[grouping.ids_of(owned)];
        group.points.push_back(owned.point);
        if (tagged.emplace(&group, owned.series).second) {
            add_tags(series[owned.series].tags, group.tags);
        }
        if (groups.size() > groups_max) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format("that is more than {} groups: ask for fewer", groups_max)
            );
        }
    }
    std::vector<Group> dealt;
    for (auto& [ids, group] : groups) {
        dealt.push_back(std::move(group));
        dealt.back().ids = ids;
    }
    return dealt;
}

}  // namespace

void add_tags(const Tags& tags, TagValues& into) {
    for (const auto& [tag, value] : tags) {
        into[tag].insert(value);
    }
}

bool fits(const MetricQuery& metric, const Tags& tags) {
    return std::ranges::all_of(metric.tags, [&](const auto& wanted) {
        const auto found = tags.find(wanted.first);
        return wanted.second.empty() ||
               (found != tags.end() &&
                std::ranges::find(wanted.second, found->second) != wanted.second.end());
    });
}

Result<Answer> evaluate(
    const MetricQuery& metric,
    Time start,
    const TimeZone& zone,
    std::vector<Read> series,
    const std::stop_token& left
) {
    std::vector<Owned> points = in_order(series);
    keep(points, metric.limit, metric.descending);
    Answer answer{.sample_size = points.size(), .groups = {}};
    TRY(answer.groups, deal(points, series, Grouping{metric, series, start, zone}, left));
    std::size_t made = 0;
    for (Group& group : answer.groups) {
        for (const Aggregator& aggregator : metric.aggregators) {
            if (left.stop_requested()) {
                return cancelled();
            }
            TRY(group.points, aggregate(aggregator, group.points, start, zone));
        }
        if (metric.descending) {
            std::ranges::reverse(group.points);
        }
        made += group.points.size();
        if (made > points_max) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format("that is more than {} points: ask for fewer", points_max)
            );
        }
    }
    return answer;
}

}  // namespace footfall::kairos
