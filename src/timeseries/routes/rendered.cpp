#include "timeseries_routes/rendered.h"

#include "foundation/json_string.h"
#include "series/name.h"
#include "timeseries_routes/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace footfall::timeseries::routes {
namespace {

constexpr std::int64_t milliseconds_a_second = 1000;

char* put_text(std::string_view text, char* at) {
    return std::ranges::copy(text, at).out;
}

char* put_value(const std::optional<double>& value, NumberText& numbers, char* at) {
    if (!value || std::isnan(*value)) {
        return put_text("null", at);
    }
    if (std::isinf(*value)) {
        return put_text(*value > 0 ? "1e9999" : "-1e9999", at);
    }
    return numbers.put(*value, at);
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

/// Calls `see(at, value)` with the last number of each step that has one.
template <class See>
void each_step(
    std::span<const series::Point> points, const Steps& steps, std::int64_t step, const See& see
) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const std::int64_t start = steps.start * milliseconds_a_second;
    const std::int64_t width = step * milliseconds_a_second;
    std::int64_t at = 0;
    std::int64_t ends = start + width;  // the step
    double last = none;
    for (const series::Point& point : points) {
        if (point.time >= ends) {
            if (!std::isnan(last)) {
                see(at, last);
            }
            last = none;
            // Most are of the step behind the one before, which takes no division.
            at = point.time < ends + width ? at + 1 : (point.time - start) / width;
            ends = start + (at + 1) * width;
        }
        if (at >= steps.count) {
            return;
        }
        if (point.time >= start && !std::isnan(point.value)) {
            last = point.value;
        }
    }
    if (!std::isnan(last)) {
        see(at, last);
    }
}

/// What steps become of which there are too many.
struct Bands {
    std::int64_t start = 0;
    std::int64_t count = 0;
    std::int64_t each = 0;     ///< So many steps.
    std::int64_t missing = 0;  ///< Of the first, before there are any.
};

/// Bands of more steps than `values_max`, which begin at multiples of what they span.
Bands bands_of(const Steps& steps, std::int64_t step, std::int64_t values_max) {
    Bands bands{.each = (steps.count + values_max - 1) / values_max};
    const std::int64_t end = steps.start + steps.count * step;
    for (;; ++bands.each) {
        const std::int64_t span = bands.each * step;
        bands.start = steps.start - steps.start % span;
        bands.count = (end - bands.start + span - 1) / span;
        // One more than fits would begin a band before the first.
        if (bands.count <= values_max || bands.each > steps.count) {
            break;
        }
    }
    bands.missing = (steps.start - bands.start) / step;
    return bands;
}

}  // namespace

Steps steps_between(std::int64_t from, std::int64_t until, std::int64_t step) {
    const std::int64_t start = from - from % step + step;
    const std::int64_t end = until - until % step + step;
    return {.start = start, .count = std::max<std::int64_t>(0, (end - start) / step)};
}

Rendered render(
    std::span<const series::Point> points, const Steps& steps, std::int64_t step, Rendered room
) {
    Rendered rendered{.start = steps.start, .step = step, .values = std::move(room.values)};
    rendered.values.assign(static_cast<std::size_t>(steps.count), std::nullopt);
    each_step(points, steps, step, [&](std::int64_t at, double value) {
        rendered.values[static_cast<std::size_t>(at)] = value;
    });
    return rendered;
}

Rendered consolidated(
    const Rendered& rendered, std::int64_t values_max, graphite::Aggregation aggregation
) {
    const auto count = static_cast<std::int64_t>(rendered.values.size());
    if (count <= values_max) {
        return rendered;
    }
    const Bands bands = bands_of({rendered.start, count}, rendered.step, values_max);
    Rendered coarse{.start = bands.start, .step = bands.each * rendered.step, .values = {}};
    coarse.values.reserve(static_cast<std::size_t>(bands.count));
    const std::span all{rendered.values};
    for (std::int64_t band = 0; band < bands.count; ++band) {
        const std::int64_t first = std::max<std::int64_t>(0, band * bands.each - bands.missing);
        const std::int64_t end = std::min(count, (band + 1) * bands.each - bands.missing);
        coarse.values.push_back(aggregation(all.subspan(
            static_cast<std::size_t>(first), static_cast<std::size_t>(std::max(first, end) - first)
        )));
    }
    return coarse;
}

Rendered render_means(
    std::span<const series::Point> points,
    const Steps& steps,
    std::int64_t step,
    std::int64_t values_max
) {
    const Bands bands = bands_of(steps, step, values_max);
    Rendered coarse{.start = bands.start, .step = bands.each * step, .values = {}};
    coarse.values.resize(static_cast<std::size_t>(bands.count));
    std::int64_t band = 0;
    std::int64_t ends = bands.each - bands.missing;
    double sum = -0.0;  // what is added to it stays as it is
    std::int64_t values = 0;
    const auto end_band = [&] {
        if (values > 0) {
            coarse.values[static_cast<std::size_t>(band)] = sum / static_cast<double>(values);
        }
        sum = -0.0;
        values = 0;
    };
    each_step(points, steps, step, [&](std::int64_t at, double value) {
        if (at >= ends) {
            end_band();
            band = (at + bands.missing) / bands.each;
            ends = (band + 1) * bands.each - bands.missing;
        }
        sum += value;
        ++values;
    });
    end_band();
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
    constexpr std::size_t punctuation = 4;
    constexpr std::size_t each_max = NumberText::bytes_max + TimeText::bytes_max + punctuation;
    const std::size_t before = json.size();
    const auto put_all = [&](char* text, std::size_t) {
        NumberText numbers;
        TimeText times;
        std::int64_t time = rendered.start;
        char* at = text + before;
        for (const std::optional<double>& value : rendered.values) {
            *at++ = '[';
            at = put_value(value, numbers, at);
            *at++ = ',';
            at = times.put(time, at);
            at = put_text("],", at);
            time += rendered.step;
        }
        return static_cast<std::size_t>(at - text);
    };
    json.resize_and_overwrite(before + rendered.values.size() * each_max, put_all);
    if (!rendered.values.empty()) {
        json.pop_back();
    }
    json += "]}";
}

}  // namespace footfall::timeseries::routes
