#include "timeseries_routes/render_reading.h"

#include "graphite/aggregation.h"
#include "series/glob.h"
#include "series/name.h"
#include "series/tag_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace footfall::timeseries::routes {
namespace {

constexpr std::size_t render_series_max = 1000;
constexpr std::size_t tag_queries_max = 32;

/// The names that a pattern stands for, in order.
Result<std::vector<std::string>> names_of(const TimeSeries& series, std::string_view text) {
    if (text.contains(';')) {
        TRY(std::string name, series::parse_name(text));
        return std::vector{std::move(name)};
    }
    TRY(const series::Glob pattern, series::Glob::parse(text));
    if (pattern.is_name()) {
        // Also if it is not known: another process may have it.
        return std::vector{std::string{text}};
    }
    TRY(const std::vector<Node> nodes, series.find(pattern, names_max));
    std::vector<std::string> names;
    for (const Node& node : nodes) {
        if (node.leaf) {
            names.push_back(node.name);
        }
    }
    return names;
}

/// What of a cell is nearest to the aggregation of its points.
series::Figure figure_of(std::string_view consolidation) {
    using series::Figure;
    constexpr std::array<std::pair<std::string_view, Figure>, 7> figures{
        {{"min", Figure::min},
         {"max", Figure::max},
         {"sum", Figure::sum},
         {"total", Figure::sum},
         {"count", Figure::count},
         {"last", Figure::last},
         {"current", Figure::last}}
    };
    const auto* const found =
        std::ranges::find(figures, consolidation, &std::pair<std::string_view, Figure>::first);
    return found == figures.end() ? Figure::average : found->second;
}

graphite::Drawn line_of(const std::string& name, std::string_view pattern, Rendered rendered) {
    const auto count = static_cast<std::int64_t>(rendered.values.size());
    return {
        .name = name,
        .path = std::string{pattern},
        .tags = tags_of(name),
        .start = rendered.start,
        .end = rendered.start + count * rendered.step,
        .step = rendered.step,
        .values = std::move(rendered.values)
    };
}

}  // namespace

RenderReading::RenderReading(
    const GraphiteSources& sources, std::int64_t shown_max, std::stop_token left
)
    : sources_{sources},
      shown_max_{shown_max},
      left_{std::move(left)},
      now_{sources.clock->now().time_since_epoch() / std::chrono::seconds{1}} {}

Result<graphite::Lines> RenderReading::read(
    std::string_view pattern, const graphite::Asked& asked
) {
    TRY(const std::vector<std::string> names, names_of(*sources_.series, pattern));
    return read_all(names, pattern, asked);
}

Result<graphite::Lines> RenderReading::read_tagged(
    const std::vector<std::string>& conditions, const graphite::Asked& asked
) {
    TRY(const std::vector<std::string>* const names, tagged(conditions));
    return read_all(*names, "", asked);
}

/// Each is a look at all names with tags, so those of one question are looked for once.
Result<const std::vector<std::string>*> RenderReading::tagged(
    const std::vector<std::string>& conditions
) {
    if (const auto found = tagged_.find(conditions); found != tagged_.end()) {
        return &found->second;
    }
    if (tagged_.size() == tag_queries_max) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("that asks for tags in more than {} ways", tag_queries_max)
        );
    }
    TRY(const series::TagQuery query, series::TagQuery::parse(conditions));
    std::vector<std::string> names;
    TRY_VOID(sources_.series->each_tagged(query, left_, [&](std::string_view name) {
        names.emplace_back(name);
        return names.size() <= render_series_max;
    }));
    return &tagged_.emplace(conditions, std::move(names)).first->second;
}

Result<graphite::Lines> RenderReading::read_all(
    const std::vector<std::string>& names, std::string_view path, const graphite::Asked& asked
) {
    series_ += names.size();
    const auto plans = series_ > render_series_max
                           ? std::nullopt
                           : plan(names, std::max<std::int64_t>(asked.from, 0), asked.until);
    if (!plans) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "that is more than {} series or {} values: ask for fewer, or a shorter time",
                render_series_max,
                render_values_max
            )
        );
    }
    graphite::Lines lines;
    for (std::size_t at = 0; at < names.size(); ++at) {
        if (left_.stop_requested()) {
            return fail(ErrorKind::cancelled, "render: nobody waits");
        }
        TRY(std::optional<Rendered> read, rendered(names[at], (*plans)[at], asked));
        if (read) {
            lines.push_back(line_of(names[at], path, *std::move(read)));
        }
    }
    return lines;
}

/// Absent: it is more than is allowed in the coarsest that there are.
std::optional<std::vector<RenderReading::Plan>> RenderReading::plan(
    const std::vector<std::string>& names, std::int64_t from, std::int64_t until
) {
    const std::chrono::seconds age{now_ - from};
    for (std::size_t coarser = 0; coarser < series::resolutions_max; ++coarser) {
        std::vector<Plan> plans;
        plans.reserve(names.size());
        std::int64_t values = values_;
        for (const std::string& name : names) {
            const auto resolutions = sources_.series->resolutions(name);
            const std::size_t at =
                std::min(finest_covering(resolutions, age) + coarser, resolutions.size() - 1);
            const std::int64_t step = resolutions[at].step.count();
            const Steps steps = steps_between(from, until, step);
            // Each is bounded first, so that the sum is, too.
            values += std::min(steps.count, render_values_max + 1);
            plans.push_back({.resolution = resolutions[at], .as_points = at == 0, .steps = steps});
        }
        if (values <= render_values_max) {
            values_ = values;
            return plans;
        }
    }
    return std::nullopt;
}

/// Absent: there is nothing.
Result<std::optional<Rendered>> RenderReading::rendered(
    const std::string& name, const Plan& plan, const graphite::Asked& asked
) {
    const std::int64_t step = plan.resolution.step.count();
    const std::int64_t from = plan.steps.start * 1000;
    const std::int64_t until = (plan.steps.start + plan.steps.count * step) * 1000;
    if (plan.as_points) {
        TRY_VOID(sources_.series->read(name, from, until, points_));
    } else {
        TRY_VOID(sources_.series->read_figure(
            name, plan.resolution, from, until, figure_of(asked.consolidation), points_
        ));
    }
    if (points_.empty()) {
        return std::nullopt;
    }
    // Where one value is shown there may be two bands, which are put together once more.
    if (!asked.is_shown || shown_max_ < 2 || plan.steps.count <= shown_max_) {
        return render(points_, plan.steps, step);
    }
    TRY(const graphite::Aggregation aggregation, graphite::aggregation_named(asked.consolidation));
    if (aggregation == graphite::aggregation_named("average").value()) {
        return render_means(points_, plan.steps, step, shown_max_);
    }
    Rendered all = render(points_, plan.steps, step, std::move(room_));
    Rendered shown = consolidated(all, shown_max_, aggregation);
    room_ = std::move(all);
    return shown;
}

}  // namespace footfall::timeseries::routes
