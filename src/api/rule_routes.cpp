#include "api/rule_routes.h"

#include "api/front_door.h"
#include "api/parameters.h"
#include "foundation/json_string.h"
#include "guard/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace footfall::api {
namespace {

using guard::Rule;
using guard::RuleMode;
using http_server::Exchange;
using http_server::Method;
using http_server::Response;

std::string_view door_of(const Rule& rule) {
    if (!rule.door) {
        return "both";
    }
    return *rule.door == events::Door::public_door ? "public" : "trusted";
}

std::string actions_json(const Rule& rule) {
    std::string json = "[";
    for (const std::string& action : rule.actions) {
        json += json.size() == 1 ? "" : ",";
        append_json_string(json, action);
    }
    return json + "]";
}

std::string rules_json(const guard::RuleSet& rules) {
    std::string json = fmt::format(R"({{"version":"{}","rules":[)", rules.version());
    for (const Rule& rule : rules.rules()) {
        json += fmt::format(
            R"({}{{"name":{},"kind":"{}","reason":{},"mode":"{}","door":"{}","actions":{},"describes":{}}})",
            json.ends_with('[') ? "" : ",",
            json_string(rule.name),
            guard::kind_of(rule),
            json_string(rule.reason),
            guard::name_of(rule.mode),
            door_of(rule),
            actions_json(rule),
            json_string(guard::describe(rule))
        );
    }
    return json + "]}\n";
}

void append_html(std::string& html, std::string_view text) {
    for (const char letter : text) {
        switch (letter) {
            case '&':
                html += "&amp;";
                break;
            case '<':
                html += "&lt;";
                break;
            case '>':
                html += "&gt;";
                break;
            default:
                html += letter;
                break;
        }
    }
}

/// The rules of a mode as a list; empty if there are none.
std::string rule_list(const guard::RuleSet& rules, RuleMode mode, std::string_view heading) {
    std::string list;
    for (const Rule& rule : rules.rules()) {
        if (rule.mode == mode) {
            list += "<li><strong>";
            append_html(list, rule.reason);
            list += "</strong> ";
            append_html(list, guard::describe(rule));
            list += "</li>\n";
        }
    }
    return list.empty() ? list : fmt::format("<h2>{}</h2>\n<ol>\n{}</ol>\n", heading, list);
}

constexpr std::string_view page_start = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>How we count</title>
<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 42rem; margin: 2rem auto; padding: 0 1rem; }
h1 { line-height: 1.2; }
h2 { margin-top: 2rem; font-size: 1.15rem; }
li { margin: 0.6rem 0; }
</style>
</head>
<body>
<h1>How we count</h1>
<p>Each event, such as a view of a page, is judged once, when it comes in, by the rules below in this order. The first that
objects decides: the event is kept, with the reason, but does not count. Nothing is dropped: for each object and day, events are
those that counted plus those that did not, by reason.</p>
<h2>People</h2>
<p>A person is who the event names as its actor; else a keyed hash of address and program, which cannot be turned back; an event
with neither is counted and adds no person, and so is every event sent with the wish not to be followed (Sec-GPC). Up to 128
people are counted one by one; more are estimated with a standard error of at most 0.8 %, which is shown beside the number.</p>
)";

/// For how long, in the largest unit of which it is a whole number.
std::string length_of(std::chrono::seconds time) {
    struct Unit {
        std::chrono::seconds length;
        std::string_view name;
    };

    static constexpr std::array<Unit, 4> units{{
        {std::chrono::days{1}, "day"},
        {std::chrono::hours{1}, "hour"},
        {std::chrono::minutes{1}, "minute"},
        {std::chrono::seconds{1}, "second"},
    }};
    const auto* const unit = std::ranges::find_if(units, [time](const Unit& each) {
        return time % each.length == std::chrono::seconds{0};
    });
    const auto count = time / unit->length;
    return fmt::format("{} {}{}", count, unit->name, count == 1 ? "" : "s");
}

std::string how_long(const KeptFor& kept) {
    std::string html = "<h2>How long events are kept</h2>\n<p>";
    if (kept.events) {
        html += fmt::format(
            "An event is kept for {}, with the address and the program that it came from. Then it "
            "goes; what was counted of it stays.",
            length_of(*kept.events)
        );
    } else {
        html +=
            "Events are kept without a limit of time, with the address and the program that they "
            "came from.";
    }
    if (kept.addresses) {
        html += fmt::format(
            " The address is shown to those who run this site for {}, and after that only a keyed "
            "hash of it, which cannot be turned back.",
            length_of(*kept.addresses)
        );
    }
    return html + "</p>\n";
}

std::string how_we_count(const guard::RuleSet& rules, const KeptFor& kept) {
    std::string html{page_start};
    html += rule_list(rules, RuleMode::on, "What does not count");
    html += rule_list(rules, RuleMode::shadow, "Rules that are only tried: they change nothing");
    html += how_long(kept);
    html += fmt::format(
        "<p>Rule set {}. Made from the rules in force, by <a href=\"/\">Footfall</a>.</p>\n"
        "</body>\n</html>\n",
        rules.version()
    );
    return html;
}

std::optional<runtime::Task<>> answer_rules(Exchange& exchange, const Response& rules) {
    auto refusal = refuse_unknown_parameter(exchange.request(), {});
    exchange.response() = refusal ? *std::move(refusal) : rules;
    return std::nullopt;
}

/// Takes any parameter: others add some to links that people follow.
std::optional<runtime::Task<>> answer_page(
    Exchange& exchange, const Response& page, std::span<const std::string> sites
) {
    auto refusal = refuse_other_sites(exchange.request(), sites);
    exchange.response() = refusal ? *std::move(refusal) : page;
    return std::nullopt;
}

}  // namespace

void add_rule_routes(
    FrontDoor& door,
    const guard::RuleSet& rules,
    const KeptFor& kept,
    std::vector<std::string> sites
) {
    Response json{.content_type = "application/json", .body = rules_json(rules)};
    door.add(
        keys::Scope::read,
        Method::get,
        "/api/v1/rules",
        [json = std::move(json)](Exchange& exchange) { return answer_rules(exchange, json); }
    );
    Response page{
        .content_type = "text/html; charset=utf-8",
        .body = how_we_count(rules, kept),
        .headers =
            {{"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"},
             {"Cache-Control", "no-cache"}}
    };
    door.add_open(
        Method::get,
        "/how-we-count",
        [page = std::move(page), sites = std::move(sites)](Exchange& exchange) {
            return answer_page(exchange, page, sites);
        }
    );
}

}  // namespace footfall::api
