#include "timeseries_routes/kairos_names.h"

#include "series/name.h"

#include <fmt/format.h>

#include <functional>
#include <utility>

namespace footfall::timeseries::routes {
namespace {

using Tagged = Catalogue::Tagged;

/// So many names are looked at before others may go in between.
constexpr std::size_t names_at_once = 1000;

/// Calls `take(name)` with names with tags, from `from` on, in order, until it answers false.
Result<void> walk(
    const TimeSeries& series,
    std::string from,
    const std::stop_token& left,
    const std::function<Result<bool>(const std::string&)>& take
) {
    for (;;) {
        if (left.stop_requested()) {
            return fail(ErrorKind::cancelled, "names: nobody waits");
        }
        const std::vector<std::string> names = series.names_from(Tagged::yes, from, names_at_once);
        for (const std::string& name : names) {
            TRY(const bool more, take(name));
            if (!more) {
                return {};
            }
        }
        if (names.size() < names_at_once) {
            return {};
        }
        from = names.back() + '\0';
    }
}

Result<void> refuse_more(const Names& names, std::string_view what) {
    if (names.size() > kairos_names_max) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("there are more than {} {}", kairos_names_max, what)
        );
    }
    return {};
}

}  // namespace

Result<std::vector<KairosSeries>> series_of(
    const TimeSeries& series,
    const kairos::MetricQuery& metric,
    std::size_t most,
    const std::stop_token& left
) {
    std::vector<KairosSeries> found;
    // What Carbon was told without tags is a metric, too.
    const auto plain = series.names_from(Tagged::no, metric.name, 1);
    if (kairos::fits(metric, {}) && !plain.empty() && plain[0] == metric.name) {
        found.push_back({.name = metric.name, .tags = {}});
    }
    const std::string start = metric.name + ';';
    const auto take = [&](const std::string& name) -> Result<bool> {
        if (!name.starts_with(start)) {
            return false;
        }
        kairos::Tags tags;
        for (const auto& [tag, value] : series::tags_in(series::split_name(name).tags)) {
            tags.emplace(tag, value);
        }
        if (kairos::fits(metric, tags)) {
            found.push_back({.name = name, .tags = std::move(tags)});
        }
        if (found.size() > most) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format(
                    "{} and others are more than {} series: ask for fewer, by tags",
                    metric.name,
                    most
                )
            );
        }
        return true;
    };
    TRY_VOID(walk(series, start, left, take));
    return found;
}

Result<Names> metric_names(
    const TimeSeries& series, std::string_view prefix, const std::stop_token& left
) {
    constexpr std::string_view too_many = "metrics: ask for those with a longer prefix";
    Names names;
    for (const Tagged tagged : {Tagged::no, Tagged::yes}) {
        std::string from{prefix};
        while (!left.stop_requested()) {
            const auto next = series.names_from(tagged, from, 1);
            if (next.empty() || !next[0].starts_with(prefix)) {
                break;
            }
            std::string name{series::split_name(next[0]).name};
            if (!name.starts_with(prefix)) {
                break;
            }
            // Over all that it has of tags: what comes behind a semicolon.
            from = tagged == Tagged::yes ? name + '<' : name + '\0';
            names.insert(std::move(name));
            TRY_VOID(refuse_more(names, too_many));
        }
    }
    if (left.stop_requested()) {
        return fail(ErrorKind::cancelled, "names: nobody waits");
    }
    return names;
}

Result<Names> tag_parts(const TimeSeries& series, TagPart part, const std::stop_token& left) {
    Names names;
    const auto take = [&](const std::string& name) -> Result<bool> {
        for (const auto& [tag, value] : series::tags_in(series::split_name(name).tags)) {
            names.emplace(part == TagPart::name ? tag : value);
        }
        TRY_VOID(refuse_more(names, "of them: ask query/tags about one metric"));
        return true;
    };
    TRY_VOID(walk(series, {}, left, take));
    return names;
}

}  // namespace footfall::timeseries::routes
