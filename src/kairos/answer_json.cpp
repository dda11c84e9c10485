#include "foundation/json_string.h"
#include "kairos/evaluate.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <iterator>

namespace footfall::kairos {
namespace {

void separate(std::string& json) {
    if (json.back() != '[' && json.back() != '{') {
        json += ',';
    }
}

void append_key(std::string_view key, std::string& json) {
    separate(json);
    append_json_string(json, key);
    json += ':';
}

void append_tags(const TagValues& tags, std::string& json) {
    json += '{';
    for (const auto& [tag, values] : tags) {
        append_key(tag, json);
        json += '[';
        for (const std::string& value : values) {
            separate(json);
            append_json_string(json, value);
        }
        json += ']';
    }
    json += '}';
}

void append_sampling(const Sampling& sampling, std::string& json) {
    fmt::format_to(
        std::back_inserter(json),
        R"({{"value":{},"unit":"{}"}})",
        sampling.value,
        name_of(sampling.unit)
    );
}

/// The group_by of a query once more, and behind it which group of it this is.
struct GroupWriter {
    const GroupId& id;
    std::string& json;

    void operator()(const ByTag& by) const {
        json += R"({"name":"tag","tags":[)";
        for (const std::string& tag : by.tags) {
            separate(json);
            append_json_string(json, tag);
        }
        json += R"(],"group":{)";
        const auto& values = std::get<std::vector<std::string>>(id);
        for (std::size_t at = 0; at < by.tags.size(); ++at) {
            append_key(by.tags[at], json);
            append_json_string(json, values[at]);
        }
        json += "}}";
    }

    void operator()(const ByTime& by) const {
        json += R"({"name":"time","range_size":)";
        append_sampling(by.range_size, json);
        fmt::format_to(
            std::back_inserter(json),
            R"(,"group_count":{},"group":{{"group_number":)",
            by.group_count
        );
        append_number();
    }

    void operator()(const ByValue& by) const {
        fmt::format_to(
            std::back_inserter(json),
            R"({{"name":"value","range_size":{},"group":{{"group_number":)",
            by.range_size
        );
        append_number();
    }

    void operator()(const ByBin& by) const {
        json += R"({"name":"bin","bins":[)";
        for (const double each : by.bins) {
            separate(json);
            fmt::format_to(std::back_inserter(json), "{}", each);
        }
        json += R"(],"group":{"bin_number":)";
        append_number();
    }

    void append_number() const {
        fmt::format_to(std::back_inserter(json), "{}}}}}", std::get<std::int64_t>(id));
    }
};

void append_points(const Points& points, std::string& json) {
    json += '[';
    for (const series::Point& point : points) {
        separate(json);
        if (std::isfinite(point.value)) {
            fmt::format_to(std::back_inserter(json), "[{},{}]", point.time, point.value);
        } else {
            fmt::format_to(std::back_inserter(json), "[{},null]", point.time);
        }
    }
    json += ']';
}

void append_group(const MetricQuery& metric, const Group& group, std::string& json) {
    separate(json);
    json += R"({"name":)";
    append_json_string(json, metric.name);
    // Before all others KairosDB tells the kind of values; here all are numbers.
    json += R"(,"group_by":[{"name":"type","type":"number"})";
    for (std::size_t at = 0; at < metric.group_by.size(); ++at) {
        json += ',';
        std::visit(GroupWriter{.id = group.ids[at], .json = json}, metric.group_by[at]);
    }
    json += ']';
    if (!metric.exclude_tags) {
        append_key("tags", json);
        append_tags(group.tags, json);
    }
    append_key("values", json);
    append_points(group.points, json);
    json += '}';
}

}  // namespace

void append_json(const MetricQuery& metric, const Answer& answer, std::string& json) {
    fmt::format_to(
        std::back_inserter(json), R"({{"sample_size":{},"results":[)", answer.sample_size
    );
    for (const Group& group : answer.groups) {
        append_group(metric, group, json);
    }
    if (answer.groups.empty()) {
        json += R"({"name":)";
        append_json_string(json, metric.name);
        json += R"(,"tags":{},"values":[]})";
    }
    json += "]}";
}

void append_tags_json(const MetricQuery& metric, const TagValues& tags, std::string& json) {
    json += R"({"results":[{"name":)";
    append_json_string(json, metric.name);
    append_key("tags", json);
    append_tags(tags, json);
    json += "}]}";
}

}  // namespace footfall::kairos
