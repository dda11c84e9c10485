#include "api/collected_event.h"

#include "foundation/lines.h"
#include "foundation/utf8.h"
#include "http_server/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <expected>
#include <optional>
#include <vector>

namespace footfall::api {
namespace {

using http_server::Method;
using http_server::Request;

/// Programs that fetch a page to show what a link in a message leads to.
constexpr std::array<std::string_view, 12> preview_agents = {
    "facebookexternalhit",
    "Slackbot",
    "Twitterbot",
    "WhatsApp",
    "TelegramBot",
    "Discordbot",
    "LinkedInBot",
    "SkypeUriPreview",
    "Iframely",
    "Embedly",
    "Mastodon",
    "redditbot",
};

bool is_preview_agent(std::string_view agent) {
    return std::ranges::any_of(preview_agents, [&](std::string_view each) {
        return agent.contains(each);
    });
}

std::string_view machine_sign_of(const Request& request) {
    if (request.method == Method::head) {
        return "HEAD";
    }
    for (const std::string_view header : {"sec-purpose", "purpose", "x-moz", "x-purpose"}) {
        const std::string_view purpose = request.header(header);
        if (purpose.starts_with("prefetch")) {
            return "prefetch";
        }
        if (purpose.starts_with("preview")) {
            return "preview";
        }
    }
    return is_preview_agent(request.header("user-agent")) ? "preview" : "";
}

std::unexpected<http_server::Response> refusal(std::string_view detail, std::string_view field) {
    return std::unexpected(http_server::problem(400, "invalid-input", detail, field));
}

/// A field, decoded; empty when it is absent.
Asked<std::string> field_of(std::string_view fields, std::string_view name) {
    std::string_view value;
    std::string text;
    if (!http_server::query_value(fields, name, value)) {
        return text;
    }
    if (!http_server::percent_decode(value, text) || !is_utf8(text)) {
        return refusal(fmt::format("{} is not percent-encoded UTF-8", name), name);
    }
    return text;
}

/// The entries of all X-Forwarded-For headers, in the order in which proxies wrote them.
std::vector<std::string_view> forwarded_for(const Request& request) {
    constexpr std::string_view name = "x-forwarded-for";
    std::vector<std::string_view> entries;
    for (const auto& [field, value] : request.headers) {
        const bool is_it = std::ranges::equal(field, name, {}, [](char letter) {
            return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
        });
        for (std::string_view left = is_it ? value : std::string_view{}; !left.empty();) {
            const std::size_t comma = std::min(left.find(','), left.size());
            entries.push_back(trimmed(left.substr(0, comma)));
            left.remove_prefix(std::min(comma + 1, left.size()));
        }
    }
    return entries;
}

}  // namespace

std::string client_address(const Request& request, const guard::NetworkSet& trusted_proxies) {
    auto address = guard::Address::parse(request.peer);
    if (!address) {
        return {};
    }
    const std::vector<std::string_view> entries = forwarded_for(request);
    for (auto entry = entries.rbegin();
         entry != entries.rend() && trusted_proxies.find(*address) != nullptr;
         ++entry) {
        const auto before = guard::Address::parse(*entry);
        if (!before) {
            break;
        }
        address = before;
    }
    return address->text();
}

CollectedEvent seen_in(
    const Request& request, const guard::NetworkSet& trusted_proxies, Instant now
) {
    CollectedEvent collected;
    collected.machine_sign = machine_sign_of(request);
    events::Event& event = collected.event;
    event.time = now;
    event.time_given = false;
    const std::string_view agent = request.header("user-agent");
    event.agent = is_utf8(agent) ? agent : "";
    if (request.header("sec-gpc") != "1") {
        event.address = client_address(request, trusted_proxies);
    }
    return collected;
}

Asked<CollectedEvent> read_collected(
    const Request& request,
    std::string_view fields,
    const guard::NetworkSet& trusted_proxies,
    Instant now
) {
    if (fields.size() > collected_bytes_max) {
        return std::unexpected(http_server::problem(
            413,
            "body-too-large",
            fmt::format("an event takes at most {} bytes here", collected_bytes_max)
        ));
    }
    Asked<std::string> object = field_of(fields, "object");
    Asked<std::string> action = field_of(fields, "action");
    Asked<std::string> referrer = field_of(fields, "referrer");
    for (Asked<std::string>* each : {&object, &action, &referrer}) {
        if (!*each) {
            return std::unexpected(std::move(*each).error());
        }
    }
    if (*action == "sale") {
        return refusal("sales are told with an API key, by POST /api/v1/events", "action");
    }
    CollectedEvent collected = seen_in(request, trusted_proxies, now);
    events::Event& event = collected.event;
    event.action = action->empty() ? "view" : *std::move(action);
    event.object = *std::move(object);
    event.referrer = *std::move(referrer);
    if (const auto fault = events::tidy_event(event)) {
        return refusal(fault->detail, fault->field);
    }
    return collected;
}

}  // namespace footfall::api
