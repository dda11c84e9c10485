#include "timeseries_routes/rendered.h"

#include "foundation/json_string.h"
#include "series/name.h"
#include "timeseries_routes/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
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
    const Rendered& rendered, std::int64_t values_max, graphite::Aggregation aggregation
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
    const auto bands_of = [&] {
        const std::int64_t end = rendered.start + count * rendered.step;
        return (end - bands_begin() + each * rendered.step - 1) / (each * rendered.step);
    };
    while (bands_of() > values_max) {
        ++each;
        if (each > count) {
            break;
        }
    }
    const std::int64_t bands = bands_of();
    Rendered coarse{.start = bands_begin(), .step = each * rendered.step, .values = {}};
    coarse.values.reserve(static_cast<std::size_t>(bands));
    const std::int64_t missing = (rendered.start - coarse.start) / rendered.step;
    const std::span all{rendered.values};
    for (std::int64_t band = 0; band < bands; ++band) {
        const std::int64_t first = std::max<std::int64_t>(0, band * each - missing);
        const std::int64_t end = std::min(count, (band + 1) * each - missing);
        coarse.values.push_back(aggregation(all.subspan(
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
