#include "identities_routes/undo_routes.h"

#include "api/answers.h"
#include "api/small_json.h"
#include "identities_routes/decided.h"
#include "identities_routes/decisions_of_author.h"
#include "identities_routes/identity_json.h"
#include "identities_routes/links_of_source.h"
#include "identities_routes/portions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace footfall::identities::routes {
namespace {

using api::Asked;
using api::json_answer;
using http_server::Request;
using http_server::Response;

/// Of what would be revoked, or was, so many are shown.
constexpr std::size_t examples_max = 5;

/// A portion; sent again it decides nothing more.
Response undo(const Sources& sources, const Request& request) {
    Asked<Portion> portion = read_portion(sources, request);
    if (!portion) {
        return portion.error();
    }
    const auto body = api::small_json_body(request, {"source", "from", "until", "reason"});
    if (!body) {
        return body.error();
    }
    const Asked<LinksOfSource> of_source = read_source_and_time(*body);
    Asked<std::string> reason = read_text(*body, "reason", longest_reason);
    if (!of_source || !reason) {
        return !of_source ? of_source.error() : reason.error();
    }
    portion->begun.reason = *std::move(reason);
    const auto undone = decide_portion(
        sources,
        *portion,
        [&](const Fact& fact) { return of_source->has(fact); },
        [&](const Fact& link) { return reject_of(portion->begun, link); }
    );
    if (!undone) {
        return undone.error();
    }
    return json_answer(fmt::format(
        R"({{"links":{},"decided":{},"profiles":{},"looked_at":{},"next":{}}})",
        undone->found,
        undone->decided.size(),
        undone->profiles,
        undone->looked_at,
        undone->next
    ));
}

/// The same of decisions, which are revoked.
Response revoke_many(const Sources& sources, const Request& request) {
    Asked<Portion> portion = read_portion(sources, request);
    if (!portion) {
        return portion.error();
    }
    const auto body = api::small_json_body(request, {"decisions", "reason"});
    if (!body) {
        return body.error();
    }
    const Asked<DecisionsOfAuthor> of_author = read_decisions_of_author(*body);
    Asked<std::string> reason = read_text(*body, "reason", longest_reason);
    if (!of_author || !reason) {
        return !of_author ? of_author.error() : reason.error();
    }
    portion->begun.reason = *std::move(reason);
    const auto revoked = decide_portion(
        sources,
        *portion,
        [&](const Fact& fact) { return of_author->has(fact); },
        [&](const Fact& decision) { return revoke_of(portion->begun, decision); }
    );
    if (!revoked) {
        return revoked.error();
    }
    std::string json = fmt::format(
        R"({{"decisions":{},"decided":{},"profiles":{},"looked_at":{},"examples":[)",
        revoked->found,
        revoked->decided.size(),
        revoked->profiles,
        revoked->looked_at
    );
    const std::size_t examples = std::min(revoked->decided.size(), examples_max);
    for (std::size_t at = 0; at < examples; ++at) {
        json += at == 0 ? "" : ",";
        append_fact({.fact = &revoked->decided[at]}, json);
    }
    return json_answer(json + R"(],"next":)" + revoked->next + "}");
}

}  // namespace

void add_undo_routes(api::FrontDoor& door, const Sources& sources) {
    const auto add = [&](std::string_view kind, std::string_view path, Answer answer) {
        door.acting({.kind = kind, .about = api::ActAbout::persons, .has_trial = true})
            .add(
                keys::Scope::people,
                http_server::Method::post,
                path,
                on_saying(sources, std::move(answer)),
                {.bytes = api::small_json_bytes_max}
            );
    };
    add("links_undone", "/api/v1/identities/undo", undo);
    add("decisions_revoked", "/api/v1/identities/revoke", revoke_many);
}

}  // namespace footfall::identities::routes
