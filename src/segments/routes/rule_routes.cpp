#include "segments_routes/rule_routes.h"

#include "api/small_json.h"
#include "events/rfc3339.h"
#include "foundation/json_string.h"
#include "segment_rules/rule_json.h"

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace footfall::segments::routes {
namespace {

using api::Asked;
using api::invalid_input;
using http_server::Method;
using http_server::Request;
using http_server::Response;

/// A rule with as many terms as it may have, of names of a usual length.
constexpr std::size_t rule_bytes_max = 64 << 10;

/// What was sent about a rule is the fault of its field.
Response answer_rule_failure(const Error& error) {
    return error.kind == ErrorKind::invalid_input ? invalid_input(error.message, "rule")
                                                  : answer_failure(error);
}

Response answer_put(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refused);
    }
    const Asked<std::string> segment = segment_in_path(request);
    if (!segment) {
        return segment.error();
    }
    if (const auto found = sources.segments->find(*segment); !found) {
        return found.error().kind == ErrorKind::invalid_input
                   ? invalid_input(found.error().message, "segment")
                   : answer_failure(found.error());
    }
    const auto body = api::small_json_body(request, {"rule"});
    if (!body) {
        return body.error();
    }
    const auto* const given = body->if_contains("rule");
    if (given == nullptr) {
        return invalid_input("rule has to be given; null takes it away", "rule");
    }
    if (given->is_null()) {
        const auto removed = sources.segments->remove_rule(*segment);
        if (!removed) {
            return answer_failure(removed.error());
        }
        return api::json_answer(fmt::format(R"({{"name":{},"rule":null}})", json_string(*segment)));
    }
    const auto rule = segment_rules::read_rule(*given);
    if (!rule) {
        return invalid_input(rule.error().detail, rule.error().field);
    }
    const auto author = sources.keeper.author(request);
    if (!author) {
        return author.error();
    }
    if (const auto put = sources.segments->set_rule(*segment, *rule, *author); !put) {
        return answer_rule_failure(put.error());
    }
    const auto read = sources.segments->rule_of(*segment);
    if (!read) {
        return answer_failure(read.error());
    }
    const std::optional<Segments::ShownRule>& shown = *read;
    if (!shown) {
        return answer_unknown(*segment);
    }
    return api::json_answer(
        fmt::format(R"({{"name":{},{}}})", json_string(*segment), rule_fields(*shown))
    );
}

}  // namespace

std::string rule_fields(const Segments::ShownRule& rule) {
    return fmt::format(
        R"("rule":{},"rule_author":{},"rule_since":"{}","rule_in_force":{})",
        rule.json,
        json_string(rule.author),
        events::format_rfc3339(rule.since),
        rule.in_force
    );
}

void add_rule_routes(api::FrontDoor& door, const Sources& sources) {
    door.acting({.kind = "segment_rule"})
        .add(
            keys::Scope::people,
            Method::put,
            "/api/v1/segments/{segment}",
            on(sources.surveys, sources, answer_put),
            {.bytes = rule_bytes_max}
        );
}

}  // namespace footfall::segments::routes
