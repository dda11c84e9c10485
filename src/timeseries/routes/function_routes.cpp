#include "timeseries_routes/function_routes.h"

#include "api/answers.h"
#include "api/flag_parameter.h"
#include "api/parameters.h"
#include "foundation/json_string.h"
#include "graphite/aggregation.h"
#include "graphite/functions.h"
#include "http_server/problem.h"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace footfall::timeseries::routes {
namespace {

using graphite::Function;
using graphite::Parameter;
using graphite::Wanted;
using http_server::Request;
using http_server::Response;

/// As graphite-web calls it (functions/params.py).
std::string_view type_of(Wanted wanted) {
    switch (wanted) {
        case Wanted::lines:
            return "seriesList";
        case Wanted::number:
            return "float";
        case Wanted::whole:
        case Wanted::count:
            return "integer";
        case Wanted::count_or_inf:
            return "intOrInf";
        case Wanted::count_or_span:
            return "intOrInterval";
        case Wanted::span:
            return "interval";
        case Wanted::text:
            return "string";
        case Wanted::truth:
            return "boolean";
        case Wanted::aggregation:
            return "aggFunc";
        case Wanted::node:
            return "nodeOrTag";
        case Wanted::lines_or_number:
            return "any";
    }
    return {};
}

/// What holds where an argument is not given: in JSON, or as it is written in a target.
enum class Form : std::uint8_t { json, target };

std::string default_of(const Parameter& parameter, Form form) {
    const bool is_json = form == Form::json;
    if (const auto* const text = std::get_if<std::string>(&parameter.otherwise)) {
        return is_json ? json_string(*text) : fmt::format("'{}'", *text);
    }
    if (const auto* const truth = std::get_if<bool>(&parameter.otherwise)) {
        return *truth ? (is_json ? "true" : "True") : (is_json ? "false" : "False");
    }
    if (const auto* const number = std::get_if<graphite::Number>(&parameter.otherwise)) {
        return number->text;
    }
    if (std::holds_alternative<graphite::Inf>(parameter.otherwise)) {
        return is_json ? "1e9999" : "inf";
    }
    return is_json ? "" : "None";
}

/// "highest(seriesList, n=1, func='average')".
std::string written(const Function& function) {
    std::string text{function.name};
    text += '(';
    for (const Parameter& each : function.parameters) {
        text += text.ends_with('(') ? "" : ", ";
        text += each.repeats ? "*" : "";
        text += each.name;
        if (!each.repeats && !each.is_required) {
            text += "=" + default_of(each, Form::target);
        }
    }
    return text + ")";
}

std::string parameter_json(const Parameter& parameter) {
    std::string json = fmt::format(
        R"({{"name":{},"type":"{}")", json_string(parameter.name), type_of(parameter.wanted)
    );
    json += parameter.is_required ? R"(,"required":true)" : "";
    if (const std::string otherwise = default_of(parameter, Form::json); !otherwise.empty()) {
        json += R"(,"default":)" + otherwise;
    }
    json += parameter.repeats ? R"(,"multiple":true)" : "";
    if (parameter.wanted == Wanted::aggregation) {
        json += R"(,"options":[)";
        for (const std::string_view name : graphite::aggregation_names()) {
            json += json.ends_with('[') ? "" : ",";
            append_json_string(json, name);
        }
        json += ']';
    }
    return json + "}";
}

std::string function_json(const Function& function) {
    std::string json = fmt::format(
        R"({{"name":{},"function":{},"description":{},"group":{},"params":[)",
        json_string(function.name),
        json_string(written(function)),
        json_string(function.description),
        json_string(function.group)
    );
    for (const Parameter& each : function.parameters) {
        json += json.ends_with('[') ? "" : ",";
        json += parameter_json(each);
    }
    return json + "]}";
}

/// Adds a member to an object that is being written.
void add_member(std::string& json, std::string_view name, std::string_view value) {
    json += json.empty() ? "{" : ",";
    append_json_string(json, name);
    json += ':';
    json += value;
}

std::string closed(std::string json) {
    return json.empty() ? "{}" : std::move(json) + "}";
}

Response list_functions(
    const GraphiteSources& /*sources*/, const Request& request, const std::stop_token& /*left*/
) {
    if (auto refusal = api::refuse_unknown_parameter(request, {"group", "grouped"})) {
        return *std::move(refusal);
    }
    const auto group = api::text_parameter(request, "group", "");
    if (!group) {
        return group.error();
    }
    const auto grouped = api::flag_parameter(request, "grouped");
    if (!grouped) {
        return grouped.error();
    }
    std::string all;
    std::map<std::string_view, std::string> groups;
    for (const Function& each : graphite::functions()) {
        if (group->empty() || *group == each.group) {
            add_member(*grouped ? groups[each.group] : all, each.name, function_json(each));
        }
    }
    for (auto& [name, members] : groups) {
        add_member(all, name, closed(std::move(members)));
    }
    return api::json_answer(closed(std::move(all)));
}

Response tell_function(
    const GraphiteSources& /*sources*/, const Request& request, const std::stop_token& /*left*/
) {
    if (auto refusal = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refusal);
    }
    const auto name = api::text_in_path(request, 0, "function");
    if (!name) {
        return name.error();
    }
    const Function* const function = graphite::find_function(*name);
    return function != nullptr ? api::json_answer(function_json(*function))
                               : http_server::problem(
                                     404, "not-found", graphite::no_such_function(*name), "function"
                                 );
}

Response tell_version(
    const GraphiteSources& /*sources*/, const Request& request, const std::stop_token& /*left*/
) {
    if (auto refusal = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refusal);
    }
    return {.body = "1.1.10\n", .headers = {{"Cache-Control", "no-store"}}};
}

}  // namespace

void add_function_routes(api::FrontDoor& door, const GraphiteSources& sources) {
    const auto add = [&](std::string_view pattern, Answer answer) {
        door.add(
            keys::Scope::read,
            http_server::Method::get,
            pattern,
            answering(sources.lookups, sources, answer)
        );
    };
    add("/functions", list_functions);
    add("/functions/{function}", tell_function);
    add("/version", tell_version);
}

}  // namespace footfall::timeseries::routes
