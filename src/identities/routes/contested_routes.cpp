#include "identities_routes/contested_routes.h"

#include "api/answers.h"
#include "identities/contested_rows.h"
#include "identities_routes/identity_json.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>

namespace footfall::identities::routes {
namespace {

using api::answer_error;
using api::Asked;
using api::invalid_input;
using api::json_answer;
using http_server::Request;
using http_server::Response;

constexpr std::uint64_t links_shown = 100;
constexpr std::uint64_t links_shown_max = 1000;

/// Links that unite nobody, by their facts, and where the next page begins.
Response answer_contested(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {"limit", "cursor", "guard"})) {
        return *std::move(refused);
    }
    const Asked<std::uint64_t> limit =
        api::number_parameter(request, "limit", links_shown, 1, links_shown_max);
    const Asked<std::string> cursor = api::text_parameter(request, "cursor", "");
    const auto guard = api::name_parameter(request, "guard");
    if (!limit || !cursor || !guard) {
        return !limit ? limit.error() : !cursor ? cursor.error() : guard.error();
    }
    const std::optional<FactId> after = fact_id_of(*cursor);
    if (!cursor->empty() && !after) {
        return invalid_input("cursor is what a page before answered as next", "cursor");
    }
    const std::optional<std::string>& named = *guard;
    const auto objection = named ? objection_named(*named) : std::nullopt;
    if (named && !objection) {
        return invalid_input(
            R"(guard is "per_profile", "profile_ids", "shared" or "parting")", "guard"
        );
    }
    const Settling& settling = sources.identities->settling();
    const auto page =
        contested_after(settling.store(), {.after = after, .objection = objection, .most = *limit});
    if (!page) {
        return answer_error(page.error());
    }
    std::string json = R"({"contested":[)";
    for (const Contested& each : page->links) {
        json += json.ends_with('[') ? "" : ",";
        append_contested(each, json);
    }
    json += R"(],"next":)";
    const std::optional<FactId> next = page->next;
    json += next ? fmt::format(R"("{}")", text_of(*next)) : "null";
    return json_answer(fmt::format(
        R"({},"settling":{}}})",
        json,
        sources.identities->waiting() > 0 || sources.identities->settling().noted().size() > 0
    ));
}

}  // namespace

void add_contested_routes(api::FrontDoor& door, const Sources& sources) {
    door.add(
        keys::Scope::people,
        http_server::Method::get,
        "/api/v1/identities/contested",
        on_lookups(sources, answer_contested)
    );
}

}  // namespace footfall::identities::routes
