#include "timeseries/retention.h"

#include "foundation/check.h"
#include "series/name.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace footfall::timeseries {
namespace {

using std::chrono::seconds;

/// An hour is sealed, and its cells written, within so long after it has begun.
constexpr std::chrono::hours points_least{3};
constexpr std::chrono::days points_most{3'650};
constexpr series::Resolution fine{.step = std::chrono::minutes{5}, .kept = std::chrono::days{180}};
constexpr series::Resolution coarse{.step = std::chrono::hours{1}, .kept = std::chrono::days{730}};

}  // namespace

Retention::Retention(
    std::vector<series::RetentionRule> rules, std::vector<series::Resolution> otherwise
)
    : rules_{std::move(rules)}, otherwise_{std::move(otherwise)} {
    CHECK(!otherwise_.empty(), "points are kept for some time");
    points_shortest_ = points_longest_ = otherwise_.front().kept;
    shortest_ = otherwise_.back().kept;
    for (const series::RetentionRule& rule : rules_) {
        points_shortest_ = std::min(points_shortest_, rule.resolutions.front().kept);
        points_longest_ = std::max(points_longest_, rule.resolutions.front().kept);
        shortest_ = std::min(shortest_, rule.resolutions.back().kept);
    }
}

std::vector<series::Resolution> Retention::standard(seconds step, seconds points_kept) {
    std::vector<series::Resolution> all{{.step = step, .kept = points_kept}};
    for (const series::Resolution& each : {fine, coarse}) {
        if (each.step > all.back().step && each.kept > all.back().kept) {
            all.push_back(each);
        }
    }
    return all;
}

std::span<const series::Resolution> Retention::of(std::string_view name) const {
    const std::string_view path = series::split_name(name).name;
    const auto rule = std::ranges::find_if(rules_, [path](const series::RetentionRule& each) {
        return each.pattern.is_above(path);
    });
    return rule == rules_.end() ? otherwise_ : rule->resolutions;
}

Result<void> check_resolutions(std::span<const series::Resolution> resolutions) {
    if (resolutions.front().kept < points_least) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "retention: the first is how long points are kept, of which cells are made within "
                "{} hours: keep them that long",
                points_least.count()
            )
        );
    }
    if (resolutions.front().kept > points_most) {
        return fail(
            ErrorKind::invalid_input,
            "retention: the first is how long points are kept: 10 years at most"
        );
    }
    for (const series::Resolution& each : resolutions.subspan(1)) {
        if (std::chrono::hours{1} % each.step != seconds{0}) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format(
                    "retention: cells are made hour by hour, into which a step of {} s does not "
                    "fit whole: take one such as 60s, 5m, 15m or 1h",
                    each.step.count()
                )
            );
        }
    }
    return {};
}

std::size_t finest_covering(std::span<const series::Resolution> resolutions, seconds age) {
    std::size_t at = 0;
    while (at + 1 < resolutions.size() && resolutions[at].kept < age) {
        ++at;
    }
    return at;
}

}  // namespace footfall::timeseries
