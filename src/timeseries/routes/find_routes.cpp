#include "timeseries_routes/find_routes.h"

#include "api/answers.h"
#include "api/flag_parameter.h"
#include "api/parameters.h"
#include "foundation/json_string.h"
#include "series/glob.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::timeseries::routes {
namespace {

using http_server::Request;
using http_server::Response;

constexpr std::size_t queries_max = 100;
/// Names of an index: all there are.
constexpr std::size_t index_max = 100'000;

std::string_view last_part(const Node& node) {
    return std::string_view{node.name}.substr(node.name.rfind('.') + 1);
}

/// Writes what `json_of(node, is_leaf)` says of each: once as what is above others, and once as a
/// series.
template <class JsonOf>
std::string nodes_json(const std::vector<Node>& nodes, const JsonOf& json_of) {
    std::string json = "[";
    for (const Node& node : nodes) {
        for (const bool is_leaf : {false, true}) {
            if (is_leaf ? node.leaf : node.branch) {
                json += json.size() == 1 ? "" : ",";
                json += json_of(node, is_leaf);
            }
        }
    }
    return json + "]";
}

/// What a tree shows of a node.
std::string tree_node(const Node& node, bool is_leaf) {
    return fmt::format(
        R"({{"text":{},"id":{},"leaf":{},"expandable":{},"allowChildren":{},"context":{{}}}})",
        json_string(last_part(node)),
        json_string(node.name),
        is_leaf ? 1 : 0,
        is_leaf ? 0 : 1,
        is_leaf ? 0 : 1
    );
}

/// What is offered of a node to whoever types its name.
std::string completed_node(const Node& node, bool is_leaf) {
    return fmt::format(
        R"({{"path":{},"name":{},"is_leaf":"{}"}})",
        json_string(is_leaf ? node.name : node.name + '.'),
        json_string(last_part(node)),
        is_leaf ? 1 : 0
    );
}

/// What was typed so far as a pattern: "a.b" as "a.b*", and "a..c" as "a*.c*".
std::string completion_of(std::string typed) {
    for (std::size_t at = typed.find(".."); at != std::string::npos; at = typed.find("..", at)) {
        typed.replace(at, 2, "*.");
        at += 2;
    }
    return typed.ends_with('*') ? typed : typed + '*';
}

Response find_now(
    const GraphiteSources& sources, const Request& request, const std::stop_token& /*left*/
) {
    if (auto refusal =
            api::refuse_unknown_parameter(request, {"query", "format", "from", "until"})) {
        return *std::move(refusal);
    }
    const auto format = format_parameter(request, {"treejson", "completer"});
    if (!format) {
        return format.error();
    }
    const auto query = api::text_parameter(request, "query", "");
    if (!query) {
        return query.error();
    }
    if (query->empty()) {
        return api::invalid_input("query is a pattern of names, such as servers.*", "query");
    }
    const bool completes = *format == "completer";
    const auto pattern = series::Glob::parse(completes ? completion_of(*query) : *query);
    if (!pattern) {
        return api::answer_error(pattern.error(), "query");
    }
    auto nodes = sources.series->find(*pattern, names_max);
    if (!nodes) {
        return api::answer_error(nodes.error(), "query");
    }
    if (!completes) {
        return api::json_answer(nodes_json(*nodes, tree_node));
    }
    std::ranges::sort(*nodes, {}, [](const Node& node) {
        return std::pair{last_part(node), std::string_view{node.name}};
    });
    return api::json_answer(fmt::format(R"({{"metrics":{}}})", nodes_json(*nodes, completed_node)));
}

using Expanded = std::map<std::string, std::vector<std::string>>;

/// The names of each pattern, in order; of all together no more than an answer may have.
api::Asked<Expanded> expand(
    const GraphiteSources& sources, const std::vector<std::string>& queries, bool leaves_only
) {
    Expanded expanded;
    std::size_t found = 0;
    for (const std::string& query : queries) {
        const auto pattern = series::Glob::parse(query);
        if (!pattern) {
            return std::unexpected(api::answer_error(pattern.error(), "query"));
        }
        const auto nodes = sources.series->find(*pattern, names_max);
        if (!nodes) {
            return std::unexpected(api::answer_error(nodes.error(), "query"));
        }
        std::vector<std::string>& names = expanded[query];
        names.clear();
        for (const Node& node : *nodes) {
            if (node.leaf || !leaves_only) {
                names.push_back(node.name);
            }
        }
        std::ranges::sort(names);
        found += names.size();
        if (found > names_max) {
            return std::unexpected(api::invalid_input(
                fmt::format("all patterns stand for more than {} names: ask for less", names_max),
                "query"
            ));
        }
    }
    return expanded;
}

std::string grouped_json(const Expanded& expanded) {
    std::string json = "{";
    for (const auto& [query, names] : expanded) {
        json += json.size() == 1 ? "" : ",";
        append_json_string(json, query);
        json += ':' + json_list(names);
    }
    return json + "}";
}

std::string union_json(const Expanded& expanded) {
    std::vector<std::string> all;
    for (const auto& [query, names] : expanded) {
        all.insert(all.end(), names.begin(), names.end());
    }
    std::ranges::sort(all);
    const auto repeated = std::ranges::unique(all);
    all.erase(repeated.begin(), repeated.end());
    return json_list(all);
}

Response expand_now(
    const GraphiteSources& sources, const Request& request, const std::stop_token& /*left*/
) {
    if (auto refusal = api::refuse_unknown_parameter(
            request, {"query", "groupByExpr", "leavesOnly", "from", "until"}
        )) {
        return *std::move(refusal);
    }
    const auto queries = all_of_parameter(request, "query", queries_max);
    if (!queries) {
        return queries.error();
    }
    if (queries->empty()) {
        return api::invalid_input("name a pattern of names as query, or several", "query");
    }
    const auto by_query = api::flag_parameter(request, "groupByExpr");
    if (!by_query) {
        return by_query.error();
    }
    const auto leaves_only = api::flag_parameter(request, "leavesOnly");
    if (!leaves_only) {
        return leaves_only.error();
    }
    const auto expanded = expand(sources, *queries, *leaves_only);
    if (!expanded) {
        return expanded.error();
    }
    return api::json_answer(fmt::format(
        R"({{"results":{}}})", *by_query ? grouped_json(*expanded) : union_json(*expanded)
    ));
}

Response index_now(
    const GraphiteSources& sources, const Request& request, const std::stop_token& /*left*/
) {
    if (auto refusal = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refusal);
    }
    std::string json = "[";
    const auto listed = sources.series->each_name(index_max, [&](std::string_view name) {
        json += json.size() == 1 ? "" : ",";
        append_json_string(json, name);
    });
    return listed ? api::json_answer(json + "]") : api::answer_error(listed.error());
}

}  // namespace

void add_find_routes(api::FrontDoor& door, const GraphiteSources& sources) {
    using enum http_server::Method;
    constexpr keys::Scope scope = keys::Scope::read;
    const auto find = answering(sources.lookups, sources, find_now);
    door.add(scope, get, "/metrics/find", find);
    door.add(scope, post, "/metrics/find", find, form_limit);
    door.add(scope, get, "/metrics/expand", answering(sources.lookups, sources, expand_now));
    door.add(scope, get, "/metrics/index.json", answering(sources.surveys, sources, index_now));
}

}  // namespace footfall::timeseries::routes
