#include "timeseries_routes/tag_routes.h"

#include "api/answers.h"
#include "api/parameters.h"
#include "foundation/json_string.h"
#include "http_server/problem.h"
#include "series/name.h"
#include "series/tag_pattern.h"
#include "series/tag_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::timeseries::routes {
namespace {

using http_server::Request;
using http_server::Response;
using series::TagQuery;

/// Of what is offered to whoever types.
constexpr std::uint64_t offered = 100;

/// Texts and how often each was met: the first so many, by order. Takes no memory for others.
class Firsts {
public:
    explicit Firsts(std::size_t most) : most_{most} {}

    void meet(std::string_view text) {
        if (const auto found = met_.find(text); found != met_.end()) {
            ++found->second;
            return;
        }
        if (met_.size() == most_) {
            // Whoever fell behind the last does not come back: none before him ever leaves.
            if (text > std::prev(met_.end())->first) {
                return;
            }
            met_.erase(std::prev(met_.end()));
        }
        met_.emplace(text, 1);
    }

    const std::map<std::string, std::uint64_t, std::less<>>& met() const { return met_; }

    std::vector<std::string> texts() const {
        std::vector<std::string> all;
        all.reserve(met_.size());
        for (const auto& [text, times] : met_) {
            all.push_back(text);
        }
        return all;
    }

private:
    const std::size_t most_;
    std::map<std::string, std::uint64_t, std::less<>> met_;
};

/// Calls `see(tag, value)` with each tag of all series that fit.
template <class See>
Result<void> each_tag_of(
    const TimeSeries& series, const TagQuery& query, const std::stop_token& left, const See& see
) {
    return series.each_tagged(query, left, [&](std::string_view name) {
        series::each_tag(name, see);
        return true;
    });
}

/// The conditions that ?expr= says, and these.
api::Asked<TagQuery> query_of(const Request& request, std::vector<std::string> others = {}) {
    auto conditions = all_of_parameter(request, "expr", TagQuery::conditions_max);
    if (!conditions) {
        return std::unexpected(std::move(conditions).error());
    }
    std::ranges::move(others, std::back_inserter(*conditions));
    auto query = TagQuery::parse(*conditions);
    if (!query) {
        return std::unexpected(api::answer_error(query.error(), "expr"));
    }
    return *std::move(query);
}

/// What ?filter= lets through.
api::Asked<series::TagPattern> filter_of(const Request& request) {
    const auto text = api::text_parameter(request, "filter", "");
    if (!text) {
        return std::unexpected(text.error());
    }
    auto pattern = series::TagPattern::parse(*text);
    if (!pattern) {
        return std::unexpected(api::answer_error(pattern.error(), "filter"));
    }
    return *std::move(pattern);
}

api::Asked<Firsts> firsts_of(const Request& request, std::uint64_t otherwise) {
    const auto limit = api::number_parameter(request, "limit", otherwise, 1, names_max);
    if (!limit) {
        return std::unexpected(limit.error());
    }
    return Firsts{static_cast<std::size_t>(*limit)};
}

Response list_tags(
    const GraphiteSources& sources, const Request& request, const std::stop_token& left
) {
    if (auto refusal =
            api::refuse_unknown_parameter(request, {"filter", "limit", "from", "until"})) {
        return *std::move(refusal);
    }
    const auto filter = filter_of(request);
    if (!filter) {
        return filter.error();
    }
    auto tags = firsts_of(request, names_max);
    if (!tags) {
        return std::move(tags).error();
    }
    const auto looked = each_tag_of(
        *sources.series,
        {},
        left,
        [&](std::string_view tag, std::string_view /*value*/) {
            if (filter->matches(tag)) {
                tags->meet(tag);
            }
        }
    );
    if (!looked) {
        return api::answer_error(looked.error());
    }
    std::string json = "[";
    for (const auto& [tag, times] : tags->met()) {
        json += json.size() == 1 ? "" : ",";
        json += fmt::format(R"({{"tag":{}}})", json_string(tag));
    }
    return api::json_answer(json + "]");
}

std::string values_json(std::string_view tag, const Firsts& values) {
    std::string json = fmt::format(R"({{"tag":{},"values":[)", json_string(tag));
    for (const auto& [value, series] : values.met()) {
        json += json.ends_with('[') ? "" : ",";
        json += fmt::format(R"({{"value":{},"count":{}}})", json_string(value), series);
    }
    return json + "]}";
}

Response tell_tag(
    const GraphiteSources& sources, const Request& request, const std::stop_token& left
) {
    if (auto refusal =
            api::refuse_unknown_parameter(request, {"filter", "limit", "from", "until"})) {
        return *std::move(refusal);
    }
    const auto asked = api::text_in_path(request, 0, "tag");
    if (!asked) {
        return asked.error();
    }
    const auto filter = filter_of(request);
    if (!filter) {
        return filter.error();
    }
    auto values = firsts_of(request, names_max);
    if (!values) {
        return std::move(values).error();
    }
    bool is_there = false;
    const auto looked =
        each_tag_of(*sources.series, {}, left, [&](std::string_view tag, std::string_view value) {
            if (tag == *asked) {
                is_there = true;
                if (filter->matches(value)) {
                    values->meet(value);
                }
            }
        });
    if (!looked) {
        return api::answer_error(looked.error());
    }
    return is_there ? api::json_answer(values_json(*asked, *values))
                    : http_server::problem(404, "not-found", "no series has this tag", "tag");
}

Response find_series(
    const GraphiteSources& sources, const Request& request, const std::stop_token& left
) {
    if (auto refusal = api::refuse_unknown_parameter(request, {"expr", "from", "until"})) {
        return *std::move(refusal);
    }
    const auto query = query_of(request);
    if (!query) {
        return query.error();
    }
    if (query->is_empty()) {
        return api::invalid_input("name a condition on tags as expr, such as name=cpu", "expr");
    }
    std::vector<std::string> names;
    const auto looked = sources.series->each_tagged(*query, left, [&](std::string_view name) {
        names.emplace_back(name);
        return names.size() <= names_max;
    });
    if (!looked) {
        return api::answer_error(looked.error());
    }
    if (names.size() > names_max) {
        return api::invalid_input(
            fmt::format("more than {} series have such tags: ask for less", names_max), "expr"
        );
    }
    return api::json_answer(json_list(names));
}

Response offer_tags(
    const GraphiteSources& sources, const Request& request, const std::stop_token& left
) {
    if (auto refusal = api::refuse_unknown_parameter(
            request, {"expr", "tagPrefix", "limit", "from", "until"}
        )) {
        return *std::move(refusal);
    }
    const auto query = query_of(request);
    if (!query) {
        return query.error();
    }
    const auto prefix = api::text_parameter(request, "tagPrefix", "");
    if (!prefix) {
        return prefix.error();
    }
    auto tags = firsts_of(request, offered);
    if (!tags) {
        return std::move(tags).error();
    }
    const auto looked = each_tag_of(
        *sources.series,
        *query,
        left,
        [&](std::string_view tag, std::string_view /*value*/) {
            if (tag.starts_with(*prefix) && !query->asks_for(tag)) {
                tags->meet(tag);
            }
        }
    );
    return looked ? api::json_answer(json_list(tags->texts())) : api::answer_error(looked.error());
}

Response offer_values(
    const GraphiteSources& sources, const Request& request, const std::stop_token& left
) {
    if (auto refusal = api::refuse_unknown_parameter(
            request, {"expr", "tag", "valuePrefix", "limit", "from", "until"}
        )) {
        return *std::move(refusal);
    }
    const auto asked = api::text_parameter(request, "tag", "");
    if (!asked) {
        return asked.error();
    }
    if (asked->empty() || asked->find_first_of(";!=") != std::string::npos) {
        return api::invalid_input("tag is the name of a tag", "tag");
    }
    const auto query = query_of(request, {*asked + "!="});
    if (!query) {
        return query.error();
    }
    const auto prefix = api::text_parameter(request, "valuePrefix", "");
    if (!prefix) {
        return prefix.error();
    }
    auto values = firsts_of(request, offered);
    if (!values) {
        return std::move(values).error();
    }
    const auto looked = each_tag_of(
        *sources.series,
        *query,
        left,
        [&](std::string_view tag, std::string_view value) {
            if (tag == *asked && value.starts_with(*prefix)) {
                values->meet(value);
            }
        }
    );
    return looked ? api::json_answer(json_list(values->texts()))
                  : api::answer_error(looked.error());
}

}  // namespace

void add_tag_routes(api::FrontDoor& door, const GraphiteSources& sources) {
    const auto add = [&](std::string_view pattern, Answer answer) {
        door.add(
            keys::Scope::read,
            http_server::Method::get,
            pattern,
            answering(sources.surveys, sources, answer)
        );
    };
    add("/tags", list_tags);
    add("/tags/{tag}", tell_tag);
    add("/tags/findSeries", find_series);
    add("/tags/autoComplete/tags", offer_tags);
    add("/tags/autoComplete/values", offer_values);
}

}  // namespace footfall::timeseries::routes
