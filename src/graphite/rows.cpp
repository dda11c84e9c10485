#include "graphite/rows.h"

#include "foundation/check.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace footfall::graphite {
namespace {

Values means_of(const Values& values, std::size_t each) {
    const Aggregation average = aggregation_named("average").value();
    Values means;
    means.reserve(values.size() / each + 1);
    const std::span<const std::optional<double>> all{values};
    for (std::size_t at = 0; at < all.size(); at += each) {
        means.push_back(average(all.subspan(at, std::min(each, all.size() - at))));
    }
    return means;
}

}  // namespace

void bring_to_one_step(Lines& lines) {
    std::int64_t step = 1;
    for (const Drawn& each : lines) {
        step = std::lcm(step, each.step);
    }
    for (Drawn& each : lines) {
        if (each.step != step) {
            each.values = means_of(each.values, static_cast<std::size_t>(step / each.step));
            each.step = step;
        }
    }
}

Drawn aggregated(
    Lines lines, Aggregation aggregation, const std::string& name, const std::string& by
) {
    CHECK(!lines.empty(), "nothing is to be aggregated");
    bring_to_one_step(lines);
    Drawn all{.name = name, .path = name, .tags = lines.front().tags, .values = {}};
    all.start = lines.front().start;
    all.end = lines.front().end;
    all.step = lines.front().step;
    std::size_t count = 0;
    for (const Drawn& each : lines) {
        all.start = std::min(all.start, each.start);
        all.end = std::max(all.end, each.end);
        count = std::max(count, each.values.size());
        std::erase_if(all.tags, [&](const auto& tag) {
            const auto same = each.tags.find(tag.first);
            return same == each.tags.end() || same->second != tag.second;
        });
    }
    all.end -= (all.end - all.start) % all.step;
    all.tags.try_emplace("name", name);
    all.tags["aggregatedBy"] = by;
    all.values.reserve(count);
    Values row(lines.size());
    for (std::size_t at = 0; at < count; ++at) {
        std::ranges::transform(lines, row.begin(), [&](const Drawn& each) {
            return at < each.values.size() ? each.values[at] : std::nullopt;
        });
        const bool has_one =
            std::ranges::any_of(row, [](const auto& value) { return value.has_value(); });
        all.values.push_back(has_one ? aggregation(row) : std::nullopt);
    }
    return all;
}

std::string paths_of(const Lines& lines) {
    std::vector<std::string_view> paths;
    std::string all;
    for (const Drawn& each : lines) {
        if (std::ranges::find(paths, each.path) == paths.end()) {
            all += paths.empty() ? "" : ",";
            all += each.path;
            paths.push_back(each.path);
        }
    }
    return all;
}

}  // namespace footfall::graphite
