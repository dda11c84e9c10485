#include "timeseries_routes/kairos_points.h"

#include "series/name.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

namespace footfall::timeseries::routes {
namespace {

namespace ondemand = simdjson::ondemand;

template <class Value, class From>
std::optional<Value> get(From&& from) {
    Value value{};
    return std::forward<From>(from).get(value) == simdjson::SUCCESS
               ? std::optional{std::move(value)}
               : std::nullopt;
}

/// Only numbers are kept: "long" and "double" are how KairosDB calls its kinds of them.
bool is_number_type(std::string_view type) {
    return type == "long" || type == "double";
}

constexpr std::string_view no_number_type =
    "must be long or double: values of other types cannot be kept";

class Reader {
public:
    Result<SentPoints> read(std::string_view json) {
        const simdjson::padded_string text{json};
        ondemand::parser parser;
        ondemand::document document;
        if (parser.iterate(text).get(document) != simdjson::SUCCESS) {
            return fail(ErrorKind::invalid_input, no_json);
        }
        TRY_VOID(read_metrics(document));
        const char* behind = nullptr;
        if (document.current_location().get(behind) != simdjson::OUT_OF_BOUNDS) {
            return fail(ErrorKind::invalid_input, no_json);
        }
        return std::move(sent_);
    }

private:
    static constexpr const char* no_json =
        "the body is no JSON: a metric, or an array of metrics, is expected";

    Result<void> read_metrics(ondemand::document& document) {
        if (auto object = get<ondemand::object>(document.get_object())) {
            return read_metric(*object);
        }
        auto metrics = get<ondemand::array>(document.get_array());
        if (!metrics) {
            return fail(ErrorKind::invalid_input, no_json);
        }
        for (auto each : *metrics) {
            name_.clear();
            auto object = get<ondemand::object>(each.get_object());
            if (!object) {
                return wrong({}, "must be a JSON object");
            }
            TRY_VOID(read_metric(*object));
            ++metric_;
        }
        return {};
    }

    /// One metric; its fields stand in any order.
    struct Metric {
        std::size_t first_point = 0;
        std::string tags = {};  ///< ";host=a;dc=b"
        std::optional<std::int64_t> timestamp = {};
        std::optional<double> value = {};
    };

    Result<void> read_metric(ondemand::object object) {
        Metric metric{.first_point = sent_.points.size()};
        for (auto field : object) {
            const auto key = get<std::string_view>(field.unescaped_key());
            auto value = get<ondemand::value>(field.value());
            if (!key || !value) {
                return wrong({}, "is no JSON");
            }
            TRY_VOID(read_field(metric, *key, *value));
        }
        if (metric.timestamp.has_value() != metric.value.has_value()) {
            return wrong(
                metric.value ? "timestamp" : "value",
                "must be there, as timestamp and value are one"
            );
        }
        if (metric.timestamp) {
            TRY_VOID(add({.time = *metric.timestamp, .value = *metric.value}));
        }
        return end(metric);
    }

    Result<void> read_field(Metric& metric, std::string_view key, ondemand::value& value) {
        if (key == "name") {
            return read_name(value);
        }
        if (key == "tags") {
            return read_tags(value, metric.tags);
        }
        if (key == "datapoints") {
            return read_points(value);
        }
        if (key == "timestamp") {
            metric.timestamp = get<std::int64_t>(value.get_int64());
            return metric.timestamp ? Result<void>{} : wrong(key, "must be whole milliseconds");
        }
        if (key == "value") {
            metric.value = get<double>(value.get_double());
            return metric.value ? Result<void>{}
                                : wrong(key, "must be a number: texts cannot be kept");
        }
        if (key == "ttl") {
            const auto ttl = get<std::int64_t>(value.get_int64());
            return ttl && *ttl >= 0 ? Result<void>{}
                                    : wrong(key, "must be whole seconds, from 0 on");
        }
        if (key == "type") {
            const auto type = get<std::string_view>(value.get_string());
            return type && is_number_type(*type) ? Result<void>{} : wrong(key, no_number_type);
        }
        return wrong(
            key, "is not known; there are name, tags, datapoints, timestamp, value, ttl, type"
        );
    }

    Result<void> read_name(ondemand::value& value) {
        const auto name = get<std::string_view>(value.get_string());
        if (!name || name->empty() || name->size() > series::name_bytes_max) {
            return wrong(
                "name", fmt::format("must be a text of 1 to {} bytes", series::name_bytes_max)
            );
        }
        name_ = *name;
        if (name_.contains(';')) {
            return wrong("name", "has a semicolon, behind which tags begin");
        }
        return {};
    }

    Result<void> read_tags(ondemand::value& value, std::string& tags) {
        tags.clear();
        auto object = get<ondemand::object>(value.get_object());
        if (!object) {
            return wrong("tags", "must be a JSON object of texts");
        }
        for (auto field : *object) {
            const auto tag = get<std::string_view>(field.unescaped_key());
            const auto text = tag ? get<std::string_view>(field.value().get_string()) : tag;
            if (!text) {
                return wrong("tags", "must be a JSON object of texts");
            }
            if (tag->empty() || text->empty() || tag->find_first_of(";=") != tag->npos ||
                text->contains(';')) {
                return wrong(
                    "tags",
                    "has a tag that is empty or without value, or one with ; (or = in its name)"
                );
            }
            if (tags.size() > series::name_bytes_max) {
                break;  // It is refused with the name.
            }
            tags.append(";").append(*tag).append("=").append(*text);
        }
        return {};
    }

    Result<void> read_points(ondemand::value& value) {
        auto points = get<ondemand::array>(value.get_array());
        if (!points) {
            return wrong("datapoints", "must be an array of [time, value]");
        }
        std::size_t at = 0;
        for (auto each : *points) {
            auto parts = get<ondemand::array>(each.get_array());
            const auto point = parts ? read_point(*parts) : std::nullopt;
            if (!point) {
                return wrong(
                    fmt::format("datapoints[{}]", at),
                    "must be [whole milliseconds, number]: other values cannot be kept"
                );
            }
            TRY_VOID(add(*point));
            ++at;
        }
        return {};
    }

    /// [time, value], or with the type behind them.
    static std::optional<series::Point> read_point(ondemand::array& parts) {
        series::Point point;
        std::size_t at = 0;
        for (auto part : parts) {
            bool is_good = false;
            if (at == 0) {
                is_good = part.get_int64().get(point.time) == simdjson::SUCCESS;
            } else if (at == 1) {
                is_good = part.get_double().get(point.value) == simdjson::SUCCESS;
            } else {
                const auto type = get<std::string_view>(part.get_string());
                is_good = at == 2 && type && is_number_type(*type);
            }
            if (!is_good) {
                return std::nullopt;
            }
            ++at;
        }
        return at >= 2 ? std::optional{point} : std::nullopt;
    }

    Result<void> add(series::Point point) {
        if (sent_.points.size() == kairos_points_max) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format("these are more than {} points: send them in parts", kairos_points_max)
            );
        }
        sent_.points.push_back({.name = {}, .point = point});
        return {};
    }

    /// All fields are there: whose its points are.
    Result<void> end(const Metric& metric) {
        if (name_.empty()) {
            return wrong("name", "must be there");
        }
        if (metric.tags.empty()) {
            return wrong("tags", "must have one tag at least");
        }
        auto name = series::parse_name(name_ + metric.tags);
        if (!name) {
            return wrong("name", "with its tags: " + name.error().message);
        }
        if (sent_.points.size() == metric.first_point) {
            return wrong(
                "datapoints", "must have one point at least, or timestamp and value be there"
            );
        }
        const std::string& kept = sent_.names.emplace_back(*std::move(name));
        for (std::size_t at = metric.first_point; at < sent_.points.size(); ++at) {
            sent_.points[at].name = kept;
        }
        return {};
    }

    /// As KairosDB says it: "metric[0](name=load).tags must have one tag at least".
    std::unexpected<Error> wrong(std::string_view field, std::string_view what) const {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "metric[{}]{}{}{} {}",
                metric_,
                name_.empty() ? std::string{} : fmt::format("(name={})", name_),
                field.empty() ? "" : ".",
                field,
                what
            )
        );
    }

    SentPoints sent_;
    std::size_t metric_ = 0;
    std::string name_;  ///< Of the metric at hand, as far as it is known.
};

}  // namespace

Result<SentPoints> read_kairos_points(std::string_view json) {
    return Reader{}.read(json);
}

}  // namespace footfall::timeseries::routes
