#include "segments_routes/hook_routes.h"

#include "api/answers.h"
#include "api/small_json.h"
#include "api/table_answer.h"
#include "events/event.h"
#include "events/rfc3339.h"
#include "foundation/json_string.h"
#include "segments_routes/segment_changes.h"
#include "webhooks/hook_registry.h"

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

namespace footfall::segments::routes {
namespace {

using api::answer_error;
using api::Asked;
using api::invalid_input;
using http_server::Method;
using http_server::Request;
using http_server::Response;
using webhooks::HookRegistry;
using webhooks::Progress;

std::string state_of(const Progress& progress) {
    return progress.dead ? "dead" : progress.failures > 0 ? "failing" : "ok";
}

std::string time_json(Instant at) {
    return at == Instant{} ? "null" : fmt::format("\"{}\"", events::format_rfc3339(at));
}

std::string hook_json(const HookRegistry::Listed& listed) {
    const auto& [hook, progress] = listed;
    const auto subject = HookSubject::read(hook.subject).value_or(HookSubject{});
    return fmt::format(
        R"({{"name":{},"segment":{},"network":{},"url":{},"created":"{}","state":"{}","after":{},)"
        R"("failures":{},"failing_since":{},"next_try":{},"trouble":{},"answered":{}}})",
        json_string(hook.name),
        json_string(subject.segment),
        hook.filter.empty() ? "null" : json_string(hook.filter),
        json_string(hook.url),
        events::format_rfc3339(hook.created),
        state_of(progress),
        progress.after,
        progress.failures,
        time_json(progress.failing_since),
        progress.dead || progress.failures == 0 ? "null" : time_json(progress.due),
        progress.trouble.empty() ? "null" : json_string(progress.trouble),
        time_json(progress.answered)
    );
}

Response unknown_hook(const std::string& name) {
    return answer_error(
        {.kind = ErrorKind::not_found, .message = fmt::format("there is no webhook \"{}\"", name)},
        "name"
    );
}

Asked<std::string> hook_in_path(const Request& request) {
    Asked<std::string> name = api::text_in_path(request, 0, "name");
    if (!name) {
        return name;
    }
    if (const auto sound = webhooks::check_name(*name); !sound) {
        return std::unexpected(invalid_input(sound.error().message, "name"));
    }
    return name;
}

/// A text of the body; absent where it is not given and need not be.
Asked<std::optional<std::string>> text_of(
    const boost::json::object& body, std::string_view field, bool needed
) {
    const auto* const value = body.if_contains(field);
    if (value == nullptr || value->is_null()) {
        if (needed) {
            return std::unexpected(invalid_input(fmt::format("{} has to be given", field), field));
        }
        return std::nullopt;
    }
    const auto* const text = value->if_string();
    if (text == nullptr || text->empty()) {
        return std::unexpected(
            invalid_input(fmt::format("{} is a text, and not empty", field), field)
        );
    }
    return std::string{*text};
}

Asked<std::optional<std::uint64_t>> after_of(const boost::json::object& body) {
    const auto* const value = body.if_contains("after");
    if (value == nullptr || value->is_null()) {
        return std::nullopt;
    }
    const auto* const number = value->if_int64();
    if (number == nullptr || *number < 0) {
        return std::unexpected(invalid_input(
            "after is the number of a change, behind which changes are sent; 0: all of them",
            "after"
        ));
    }
    return static_cast<std::uint64_t>(*number);
}

Asked<HookRegistry::Wanted> read_wanted(const Sources& sources, const Request& request) {
    Asked<std::string> name = hook_in_path(request);
    if (!name) {
        return std::unexpected(std::move(name).error());
    }
    const auto body = api::small_json_body(request, {"segment", "network", "url", "after"});
    if (!body) {
        return std::unexpected(body.error());
    }
    auto segment = text_of(*body, "segment", /*needed=*/true);
    auto url = text_of(*body, "url", /*needed=*/true);
    auto network = text_of(*body, "network", /*needed=*/false);
    const auto after = after_of(*body);
    for (auto* const each : {&segment, &url, &network}) {
        if (!*each) {
            return std::unexpected(std::move(*each).error());
        }
    }
    if (!after) {
        return std::unexpected(after.error());
    }
    if (const auto sound = webhooks::check_url(url->value(), sources.reach); !sound) {
        return std::unexpected(invalid_input(sound.error().message, "url"));
    }
    const std::string filter = network->value_or("");
    if (filter.size() > events::longest_id || events::has_control_character(filter)) {
        return std::unexpected(
            invalid_input(fmt::format("no network has a name like this"), "network")
        );
    }
    const auto known = sources.segments->find(segment->value());
    if (!known) {
        return std::unexpected(answer_failure(known.error()));
    }
    if (!*known) {
        return std::unexpected(answer_unknown(segment->value()));
    }
    return HookRegistry::Wanted{
        .name = *std::move(name),
        .subject = HookSubject{.number = (*known)->number, .segment = segment->value()}.text(),
        .filter = filter,
        .url = url->value(),
        .after = *after
    };
}

/// The secret is told where it was made, and never again.
Response put_hook(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refused);
    }
    const auto wanted = read_wanted(sources, request);
    if (!wanted) {
        return wanted.error();
    }
    const auto put = sources.hooks->put(*wanted);
    if (!put) {
        return answer_error(put.error());
    }
    const auto listed = sources.hooks->find(wanted->name);
    if (!listed || !*listed) {
        return listed ? unknown_hook(wanted->name) : answer_error(listed.error());
    }
    std::string json = hook_json(**listed);
    if (put->created) {
        json.back() = ',';
        json += fmt::format(R"("secret":{}}})", json_string(put->hook.secret));
    }
    return api::json_answer(std::move(json), put->created ? 201 : 200);
}

Response list_hooks(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refused);
    }
    const auto all = sources.hooks->list();
    if (!all) {
        return answer_error(all.error());
    }
    std::string json = R"({"webhooks":[)";
    for (const HookRegistry::Listed& each : *all) {
        json += json.ends_with('[') ? "" : ",";
        json += hook_json(each);
    }
    return api::json_answer(json + "]}");
}

Response show_hook(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refused);
    }
    const Asked<std::string> name = hook_in_path(request);
    if (!name) {
        return name.error();
    }
    const auto listed = sources.hooks->find(*name);
    if (!listed) {
        return answer_error(listed.error());
    }
    return *listed ? api::json_answer(hook_json(**listed)) : unknown_hook(*name);
}

/// What the registry is asked to do with a hook that it may not have.
using HookChange = Result<bool> (HookRegistry::*)(const std::string& name);

Response change_hook(const Sources& sources, const Request& request, HookChange change) {
    if (auto refused = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refused);
    }
    const Asked<std::string> name = hook_in_path(request);
    if (!name) {
        return name.error();
    }
    const Result<bool> done = (sources.hooks->*change)(*name);
    if (!done) {
        return answer_error(done.error());
    }
    return *done ? Response{.status = 204} : unknown_hook(*name);
}

}  // namespace

void add_hook_routes(api::FrontDoor& door, const Sources& sources) {
    const auto scope = keys::Scope::admin;
    const std::string all = "/api/v1/webhooks";
    const std::string one = all + "/{name}";
    const auto answer = [&](Answer answered) { return on(sources.lookups, sources, answered); };
    door.add(scope, Method::get, all, answer(list_hooks));
    door.add(scope, Method::get, one, answer(show_hook));
    // A URL may have something in it that only its receiver knows.
    door.acting({.kind = "webhook_put", .about = api::ActAbout::persons})
        .add(scope, Method::put, one, answer(put_hook), {.bytes = api::small_json_bytes_max});
    door.acting({.kind = "webhook_removed"})
        .add(scope, Method::del, one, answer([](const Sources& of, const Request& request) {
                 return change_hook(of, request, &HookRegistry::remove);
             }));
    door.acting({.kind = "webhook_resumed"})
        .add(
            scope,
            Method::post,
            one + "/resume",
            answer([](const Sources& of, const Request& request) {
                return change_hook(of, request, &HookRegistry::resume);
            })
        );
}

}  // namespace footfall::segments::routes
