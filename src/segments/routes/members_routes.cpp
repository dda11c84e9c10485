#include "segments_routes/members_routes.h"

#include "api/table_answer.h"
#include "foundation/json_string.h"
#include "identities/normalised.h"
#include "identities/said_facts.h"
#include "segments_routes/member_batch.h"
#include "segments_routes/member_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

namespace footfall::segments::routes {
namespace {

using api::Asked;
using http_server::Method;
using http_server::Request;
using http_server::Response;

constexpr std::uint64_t members_shown = 1000;

/// As it can be sent again: what is left of its time, in seconds; at least one.
void append_member(const Member& member, Instant now, std::string& json) {
    json += R"({"identifier":)";
    append_json_string(json, member.id.identifier);
    json += R"(,"id_name":)";
    append_json_string(json, member.id.id_name);
    json += R"(,"id_value":)";
    append_json_string(json, member.id.id_value);
    if (member.expires) {
        const auto left = std::chrono::ceil<std::chrono::seconds>(*member.expires - now);
        json += fmt::format(R"(,"ttl":{})", std::max<std::int64_t>(1, left.count()));
    }
    json += '}';
}

Response answer_members(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {"limit", "cursor"})) {
        return *std::move(refused);
    }
    const Asked<std::string> segment = segment_in_path(request);
    const Asked<std::uint64_t> limit =
        api::number_parameter(request, "limit", members_shown, 1, page_max);
    const Asked<std::string> cursor = api::text_parameter(request, "cursor", "");
    if (!segment || !limit || !cursor) {
        return !segment ? segment.error() : !limit ? limit.error() : cursor.error();
    }
    const auto page = sources.segments->members(*segment, *cursor, *limit);
    if (!page) {
        const bool is_cursor = page.error().kind == ErrorKind::invalid_input;
        return is_cursor ? api::answer_error(page.error(), "cursor") : answer_failure(page.error());
    }
    const Instant now = sources.clock->now();
    std::string json = R"({"members":[)";
    for (const Member& each : page->rows) {
        json += json.ends_with('[') ? "" : ",";
        append_member(each, now, json);
    }
    json += R"(],"next":)";
    json += page->cursor.empty() ? "null" : json_string(page->cursor);
    return api::as_asked(
        request,
        api::json_answer(json + "}"),
        {.lists = {{.name = "members"}}, .columns = {"identifier", "id_name", "id_value", "ttl"}}
    );
}

Asked<identities::Id> id_behind_segment(const Request& request) {
    identities::Id id;
    const std::array parts{
        std::pair{std::string_view{"identifier"}, &id.identifier},
        std::pair{std::string_view{"id_name"}, &id.id_name},
        std::pair{std::string_view{"id_value"}, &id.id_value}
    };
    std::size_t at = 0;
    for (const auto& [field, to] : parts) {
        ++at;
        Asked<std::string> part = at < parts.size() ? api::part_of_path(request, at, field)
                                                    : api::text_in_path(request, at, field);
        if (!part) {
            return std::unexpected(std::move(part).error());
        }
        if (const auto fault = identities::fault_of_part(field, *part)) {
            return std::unexpected(api::invalid_input(*fault, field));
        }
        *to = *std::move(part);
    }
    return id;
}

Response answer_membership(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refused);
    }
    const Asked<std::string> segment = segment_in_path(request);
    Asked<identities::Id> sent = id_behind_segment(request);
    if (!segment || !sent) {
        return !segment ? segment.error() : sent.error();
    }
    const identities::Id id = identities::normalised(*sources.settling->guards(), *std::move(sent));
    const Result<bool> member = sources.segments->is_member(*segment, id);
    const Result<bool> person = sources.segments->contains(*segment, id);
    if (!member || !person) {
        return answer_failure(!member ? member.error() : person.error());
    }
    return api::json_answer(fmt::format(R"({{"person":{},"member":{}}})", *person, *member));
}

}  // namespace

void add_members_routes(api::FrontDoor& door, const Sources& sources) {
    const std::string members = "/api/v1/segments/{segment}/members";
    const http_server::BodyLimit batch{.bytes = member_batch_bytes_max};
    const auto scope = keys::Scope::people;
    door.add(scope, Method::post, members, on_member_batches(sources, MemberChange::add), batch);
    door.add(scope, Method::del, members, on_member_batches(sources, MemberChange::remove), batch);
    door.add(scope, Method::get, members, on(sources.surveys, sources, answer_members));
    door.add(
        scope,
        Method::get,
        members + "/{identifier}/{id_name}/{id_value}",
        on(sources.lookups, sources, answer_membership)
    );
}

}  // namespace footfall::segments::routes
