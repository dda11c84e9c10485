#include "foundation/nearest_word.h"
#include "kairos/fields.h"
#include "kairos/query.h"

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

namespace footfall::kairos {
namespace {

using boost::json::value;

/// In the order of Doing.
constexpr std::array<std::string_view, 18> aggregator_names{
    "avg",
    "count",
    "dev",
    "diff",
    "div",
    "filter",
    "first",
    "gaps",
    "last",
    "least_squares",
    "max",
    "min",
    "percentile",
    "rate",
    "sampler",
    "scale",
    "sum",
    "trim"
};
constexpr std::array<std::string_view, 6> comparison_names{"equal", "gt", "gte", "lt", "lte", "ne"};
constexpr std::array<std::string_view, 3> trim_names{"both", "first", "last"};
constexpr std::array<std::string_view, 2> order_names{"asc", "desc"};
constexpr std::array<std::string_view, 4> group_by_names{"tag", "time", "value", "bin"};

constexpr std::int64_t points_asked_max = 1'000'000'000;

/// "there is no aggregator "averge": avg is meant?; there are avg, count, .."
std::unexpected<Error> unknown(
    std::string_view where,
    std::string_view what,
    const std::string& name,
    std::span<const std::string_view> there_are
) {
    const std::vector<std::string> words{there_are.begin(), there_are.end()};
    const std::string_view nearest = nearest_word(name, words);
    return wrong(
        where,
        fmt::format(
            "there is no {} \"{}\"{}; there are {}",
            what,
            name,
            nearest.empty() ? std::string{} : fmt::format(", but {}", nearest),
            fmt::join(there_are, ", ")
        )
    );
}

Result<Sampling> parse_sampling(const Fields& of, std::string_view name) {
    const value* const found = of.find(name);
    if (found == nullptr) {
        return wrong(of.where(name), "is {\"value\": 1, \"unit\": \"minutes\"}");
    }
    TRY(const Fields fields, Fields::of(*found, of.where(name), {"value", "unit"}));
    Sampling sampling;
    TRY(sampling.value, fields.whole("value", 1, time_max));
    TRY_VOID(fields.text("unit"));  // There is none that is meant otherwise.
    TRY(const std::size_t unit, fields.one_of("unit", unit_names, 0));
    sampling.unit = static_cast<Unit>(unit);
    if (!is_bounded(sampling)) {
        return wrong(fields.where(), "is at most 100 years");
    }
    return sampling;
}

Result<Ranges> parse_ranges(const Fields& fields) {
    Ranges ranges;
    if (fields.has("sampling")) {
        TRY(ranges.sampling, parse_sampling(fields, "sampling"));
    }
    TRY(ranges.aligned, fields.truth("align_sampling", false));
    TRY(ranges.at_start, fields.truth("align_start_time", false));
    TRY(ranges.at_end, fields.truth("align_end_time", false));
    if (ranges.at_start && ranges.at_end) {
        return wrong(
            fields.where("align_end_time"), "excludes align_start_time: a range has one time"
        );
    }
    return ranges;
}

Result<Aggregator> parse_range_aggregator(const value& json, std::string where, Doing doing) {
    const bool is_percentile = doing == Doing::percentile;
    TRY(const Fields fields,
        Fields::of(
            json,
            std::move(where),
            {"name",
             "sampling",
             "align_sampling",
             "align_start_time",
             "align_end_time",
             is_percentile ? "percentile" : "sampling"}
        ));
    Aggregator aggregator{.doing = doing};
    TRY(aggregator.ranges, parse_ranges(fields));
    if (is_percentile) {
        TRY(aggregator.number, fields.number("percentile"));
        if (aggregator.number <= 0 || aggregator.number > 1) {
            return wrong(fields.where("percentile"), "is above 0, and at most 1");
        }
    }
    return aggregator;
}

Result<Aggregator> parse_rate(const value& json, std::string where, Doing doing) {
    TRY(const Fields fields, Fields::of(json, std::move(where), {"name", "sampling", "unit"}));
    Aggregator aggregator{.doing = doing};
    if (fields.has("sampling")) {
        TRY(aggregator.ranges.sampling, parse_sampling(fields, "sampling"));
    } else {
        TRY(const std::size_t unit, fields.one_of("unit", unit_names, 0));
        aggregator.ranges.sampling.unit = static_cast<Unit>(unit);
    }
    return aggregator;
}

Result<Aggregator> parse_filter(const value& json, std::string where) {
    TRY(const Fields fields,
        Fields::of(json, std::move(where), {"name", "filter_op", "threshold"}));
    Aggregator aggregator{.doing = Doing::filter};
    TRY(const std::size_t comparison, fields.one_of("filter_op", comparison_names, 0));
    aggregator.comparison = static_cast<Comparison>(comparison);
    TRY(aggregator.number, fields.number("threshold"));
    return aggregator;
}

/// Those that have no more than a number, a word, or nothing.
Result<Aggregator> parse_simple(const value& json, std::string where, Doing doing) {
    Aggregator aggregator{.doing = doing};
    if (doing == Doing::diff) {
        TRY(const Fields fields, Fields::of(json, std::move(where), {"name"}));
        return aggregator;
    }
    if (doing == Doing::trim) {
        TRY(const Fields fields, Fields::of(json, std::move(where), {"name", "trim"}));
        TRY(const std::size_t trimmed, fields.one_of("trim", trim_names, 0));
        aggregator.trimmed = static_cast<Trimmed>(trimmed);
        return aggregator;
    }
    const std::string_view field = doing == Doing::div ? "divisor" : "factor";
    TRY(const Fields fields, Fields::of(json, std::move(where), {"name", field}));
    TRY(aggregator.number, fields.number(field));
    if (doing == Doing::div && aggregator.number == 0) {
        return wrong(fields.where(field), "is not 0");
    }
    return aggregator;
}

Result<std::string> name_in(const value& json, std::string_view where) {
    const value* const name = json.is_object() ? json.get_object().if_contains("name") : nullptr;
    if (name == nullptr || !name->is_string() || name->get_string().empty()) {
        return wrong(where, "is a JSON object with a name");
    }
    return std::string{name->get_string().data(), name->get_string().size()};
}

Result<Aggregator> parse_aggregator(const value& json, std::string where) {
    TRY(const std::string name, name_in(json, where));
    if (name == "save_as") {
        return wrong(
            where,
            "save_as is not done: a question writes nothing; ask, and send what is answered as "
            "points"
        );
    }
    const auto found = std::ranges::find(aggregator_names, name);
    if (found == aggregator_names.end()) {
        return unknown(where, "aggregator", name, aggregator_names);
    }
    const auto doing = static_cast<Doing>(found - aggregator_names.begin());
    switch (doing) {
        case Doing::diff:
        case Doing::div:
        case Doing::scale:
        case Doing::trim:
            return parse_simple(json, std::move(where), doing);
        case Doing::filter:
            return parse_filter(json, std::move(where));
        case Doing::rate:
        case Doing::sampler:
            return parse_rate(json, std::move(where), doing);
        default:
            return parse_range_aggregator(json, std::move(where), doing);
    }
}

Result<ByBin> parse_bin(const Fields& fields) {
    TRY(const std::span<const value> bins, fields.list("bins", values_of_field_max));
    ByBin by;
    for (const value& each : bins) {
        boost::json::error_code error;
        by.bins.push_back(each.to_number<double>(error));
        if (error) {
            return wrong(fields.where("bins"), "is an array of numbers");
        }
    }
    if (by.bins.empty() || !std::ranges::is_sorted(by.bins)) {
        return wrong(fields.where("bins"), "is an array of numbers that ascend, one at least");
    }
    return by;
}

Result<GroupBy> parse_group_by(const value& json, std::string where) {
    TRY(const std::string name, name_in(json, where));
    if (name == "tag") {
        TRY(const Fields fields, Fields::of(json, std::move(where), {"name", "tags"}));
        ByTag by;
        TRY(by.tags, fields.texts("tags", values_of_field_max));
        if (by.tags.empty()) {
            return wrong(fields.where("tags"), "is an array of names of tags, one at least");
        }
        return by;
    }
    if (name == "time") {
        TRY(const Fields fields,
            Fields::of(json, std::move(where), {"name", "range_size", "group_count"}));
        ByTime by;
        TRY(by.range_size, parse_sampling(fields, "range_size"));
        TRY(by.group_count, fields.whole("group_count", 1, points_asked_max));
        return by;
    }
    if (name == "value") {
        TRY(const Fields fields, Fields::of(json, std::move(where), {"name", "range_size"}));
        ByValue by;
        TRY(by.range_size, fields.whole("range_size", 1, points_asked_max));
        return by;
    }
    if (name == "bin") {
        TRY(const Fields fields, Fields::of(json, std::move(where), {"name", "bins"}));
        TRY(ByBin by, parse_bin(fields));
        return by;
    }
    return unknown(where, "group_by", name, group_by_names);
}

/// {"host": ["a", "b"], "dc": "c"}
Result<std::map<std::string, std::vector<std::string>, std::less<>>> parse_tags(const Fields& metric
) {
    std::map<std::string, std::vector<std::string>, std::less<>> tags;
    const value* const found = metric.find("tags");
    if (found == nullptr) {
        return tags;
    }
    const std::string where = metric.where("tags");
    if (!found->is_object() || found->get_object().size() > values_of_field_max) {
        return wrong(where, "is a JSON object of tags and their values");
    }
    for (const auto& each : found->get_object()) {
        std::vector<std::string>& values = tags[std::string{each.key().data(), each.key().size()}];
        const std::span<const value> list = each.value().is_array()
                                                ? std::span<const value>{each.value().get_array()}
                                                : std::span<const value>{&each.value(), 1};
        if (list.size() > values_of_field_max) {
            return wrong(where, fmt::format("has at most {} values a tag", values_of_field_max));
        }
        for (const value& one : list) {
            if (!one.is_string()) {
                return wrong(where, "has a text, or an array of texts, for each tag");
            }
            values.emplace_back(one.get_string().data(), one.get_string().size());
        }
    }
    return tags;
}

Result<MetricQuery> parse_metric(const value& json, std::string where) {
    TRY(const Fields fields,
        Fields::of(
            json,
            std::move(where),
            {"name", "tags", "aggregators", "group_by", "limit", "order", "exclude_tags"}
        ));
    TRY(std::string name, fields.text("name"));
    MetricQuery metric{.name = std::move(name)};
    TRY(metric.tags, parse_tags(fields));
    TRY(const std::span<const value> aggregators, fields.list("aggregators", aggregators_max));
    for (std::size_t at = 0; at < aggregators.size(); ++at) {
        TRY(Aggregator aggregator,
            parse_aggregator(aggregators[at], fields.where("aggregators", at)));
        metric.aggregators.push_back(aggregator);
    }
    TRY(const std::span<const value> group_bys, fields.list("group_by", group_bys_max));
    for (std::size_t at = 0; at < group_bys.size(); ++at) {
        TRY(GroupBy by, parse_group_by(group_bys[at], fields.where("group_by", at)));
        metric.group_by.push_back(std::move(by));
    }
    if (fields.has("limit")) {
        TRY(const std::int64_t limit, fields.whole("limit", 0, points_asked_max));
        metric.limit = static_cast<std::size_t>(limit);
    }
    TRY(const std::size_t order, fields.one_of("order", order_names, 0));
    metric.descending = order == 1;
    TRY(metric.exclude_tags, fields.truth("exclude_tags", false));
    return metric;
}

/// A time that is told absolutely, or how long before now; absent: neither.
Result<std::optional<Time>> parse_time(
    const Fields& fields, const std::string& which, Time now, const TimeZone& zone
) {
    const std::string absolute = which + "_absolute";
    const std::string relative = which + "_relative";
    if (fields.has(absolute)) {
        if (fields.has(relative)) {
            return wrong(fields.where(relative), fmt::format("excludes {}", absolute));
        }
        TRY(const Time time, fields.whole(absolute, 0, time_max));
        return std::optional{time};
    }
    if (!fields.has(relative)) {
        return std::nullopt;
    }
    TRY(const Sampling before, parse_sampling(fields, relative));
    return std::optional{std::max<Time>(0, moved(now, before, -1, zone))};
}

}  // namespace

Result<Query> parse_query(std::string_view json, Time now) {
    boost::json::error_code error;
    const value document = boost::json::parse({json.data(), json.size()}, error);
    if (error) {
        return wrong("query", "is no JSON: " + error.message());
    }
    TRY(const Fields fields,
        Fields::of(
            document,
            "query",
            {"start_absolute",
             "start_relative",
             "end_absolute",
             "end_relative",
             "time_zone",
             "cache_time",
             "metrics"}
        ));
    Query query;
    if (fields.has("time_zone")) {
        TRY(const std::string name, fields.text("time_zone"));
        const auto zone = TimeZone::find(name);
        if (!zone) {
            return wrong(fields.where("time_zone"), zone.error().message);
        }
        query.zone = *zone;
    }
    if (fields.has("cache_time")) {
        TRY_VOID(fields.whole("cache_time", 0, time_max));
    }
    TRY(const std::optional<Time> from, parse_time(fields, "start", now, query.zone));
    if (!from) {
        return wrong("query", "start_absolute or start_relative has to be there");
    }
    TRY(const std::optional<Time> until, parse_time(fields, "end", now, query.zone));
    query.from = *from;
    query.until = until.value_or(now) + 1;
    if (query.until <= query.from) {
        return wrong("query", "ends before it starts");
    }
    TRY(const std::span<const value> metrics, fields.list("metrics", metrics_max));
    if (metrics.empty()) {
        return wrong(fields.where("metrics"), "is an array of metrics, one at least");
    }
    for (std::size_t at = 0; at < metrics.size(); ++at) {
        TRY(MetricQuery metric, parse_metric(metrics[at], fmt::format("query.metric[{}]", at)));
        query.metrics.push_back(std::move(metric));
    }
    return query;
}

}  // namespace footfall::kairos
