#include "timeseries_routes/rendered.h"

#include "foundation/json_string.h"
#include "series/name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace footfall::timeseries::routes {
namespace {

constexpr std::int64_t milliseconds_a_second = 1000;

void append_value(const std::optional<double>& value, std::string& json) {
    if (!value || std::isnan(*value)) {
        json += "null";
    } else if (std::isinf(*value)) {
        json += *value > 0 ? "1e9999" : "-1e9999";
    } else {
        fmt::format_to(std::back_inserter(json), "{}", *value);
    }
}

void append_tags(const std::map<std::string, std::string>& tags, std::string& json) {
    json += '{';
    for (const auto& [name, value] : tags) {
        json += json.back() == '{' ? "" : ",";
        append_json_string(json, name);
        json += ':';
        append_json_string(json, value);
    }
    json += '}';
}

}  // namespace

Steps steps_between(std::int64_t from, std::int64_t until, std::int64_t step) {
    const std::int64_t start = from - from % step + step;
    const std::int64_t end = until - until % step + step;
    return {.start = start, .count = std::max<std::int64_t>(0, (end - start) / step)};
}

Rendered render(std::span<const series::Point> points, const Steps& steps, std::int64_t step) {
    Rendered rendered{.start = steps.start, .step = step, .values = {}};
    rendered.values.resize(static_cast<std::size_t>(steps.count));
    const std::int64_t width = step * milliseconds_a_second;
    std::int64_t at = 0;
    std::int64_t ends = width;  // the step, after the start
    for (const series::Point& point : points) {
        const std::int64_t after = point.time - steps.start * milliseconds_a_second;
        if (after >= ends) {
            // Most are of the step behind the one before, which takes no division.
            at = after < ends + width ? at + 1 : after / width;
            ends = (at + 1) * width;
        }
        if (at >= steps.count) {
            break;
        }
        if (after >= 0 && !std::isnan(point.value)) {
            rendered.values[static_cast<std::size_t>(at)] = point.value;
        }
    }
    return rendered;
}

Rendered consolidated(
    Rendered rendered, std::int64_t values_max, graphite::Aggregation aggregation
) {
    const auto count = static_cast<std::int64_t>(rendered.values.size());
    if (count <= values_max) {
        return rendered;
    }
    // One more than fits would begin a band before the first.
    std::int64_t each = (count + values_max - 1) / values_max;
    const auto bands_begin = [&] {
        const std::int64_t span = each * rendered.step;
        return rendered.start - rendered.start % span;
    };
    const auto bands = [&] {
        const std::int64_t end = rendered.start + count * rendered.step;
        return (end - bands_begin() + each * rendered.step - 1) / (each * rendered.step);
    };
    while (bands() > values_max) {
        ++each;
        if (each > count) {
            break;
        }
    }
    Rendered coarse{.start = bands_begin(), .step = each * rendered.step, .values = {}};
    const std::int64_t missing = (rendered.start - coarse.start) / rendered.step;
    for (std::int64_t band = 0; band < bands(); ++band) {
        const std::int64_t first = std::max<std::int64_t>(0, band * each - missing);
        const std::int64_t end = std::min(count, (band + 1) * each - missing);
        coarse.values.push_back(aggregation(std::span{rendered.values}.subspan(
            static_cast<std::size_t>(first), static_cast<std::size_t>(std::max(first, end) - first)
        )));
    }
    return coarse;
}

std::map<std::string, std::string> tags_of(std::string_view name) {
    std::map<std::string, std::string> tags;
    series::each_tag(name, [&](std::string_view tag, std::string_view value) {
        tags.emplace(tag, value);
    });
    return tags;
}

void append_json(
    std::string_view name,
    const std::map<std::string, std::string>& tags,
    const Rendered& rendered,
    std::string& json
) {
    json += R"({"target":)";
    append_json_string(json, name);
    json += R"(,"tags":)";
    append_tags(tags, json);
    json += R"(,"datapoints":[)";
    std::int64_t time = rendered.start;
    for (const std::optional<double>& value : rendered.values) {
        json += json.back() == '[' ? "[" : ",[";
        append_value(value, json);
        fmt::format_to(std::back_inserter(json), ",{}]", time);
        time += rendered.step;
    }
    json += "]}";
}

}  // namespace footfall::timeseries::routes
