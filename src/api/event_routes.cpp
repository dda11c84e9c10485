#include "api/event_routes.h"

#include "api/answers.h"
#include "api/event_answers.h"
#include "api/event_batch_turns.h"
#include "api/front_door.h"
#include "api/on_pool.h"
#include "api/parameters.h"
#include "http_server/problem.h"

#include <fmt/format.h>

#include <optional>
#include <stop_token>
#include <string>
#include <utility>

namespace footfall::api {
namespace {

using http_server::Exchange;
using http_server::Method;
using http_server::Request;
using http_server::Response;
using keys::Scope;
using runtime::Task;

constexpr std::size_t latest_default = 50;
constexpr std::size_t latest_max = 500;

/// Who read something is told to who may ask for people.
Response find_now(intake::Intake& intake, const Doorkeeper& keeper, const Request& request) {
    if (auto refusal = refuse_unknown_parameter(request, {"object"})) {
        return *std::move(refusal);
    }
    const Asked<std::string> id = text_in_path(request, 0, "id");
    if (!id) {
        return id.error();
    }
    const auto object = object_parameter(request);
    if (!object) {
        return object.error();
    }
    auto found = intake::find_event(intake.context(), *id, *object);
    if (!found) {
        return answer_error(found.error(), "object");
    }
    const std::optional<std::string>& wanted = *object;
    std::optional<intake::FoundEvent>& event = *found;
    // A position is of one event, whatever object is asked for.
    if (!event || (wanted && event->judged.event.object != *wanted)) {
        return http_server::problem(
            404, "not-found", fmt::format("there is no event with the id \"{}\"", *id), "id"
        );
    }
    if (intake.context().reads != nullptr && !keeper.refuse(request, Scope::people)) {
        intake.context().reads->seals().open(event->judged);
    }
    Response response{.content_type = "application/json"};
    append_found_event(*event, intake.context(), response.body);
    response.body += '\n';
    return response;
}

Response list_now(intake::Intake& intake, const Doorkeeper& /*keeper*/, const Request& request) {
    if (auto refusal = refuse_unknown_parameter(request, {"object", "limit"})) {
        return *std::move(refusal);
    }
    const auto object = object_parameter(request);
    const auto limit = number_parameter(request, "limit", latest_default, 1, latest_max);
    if (!object) {
        return object.error();
    }
    if (!limit) {
        return limit.error();
    }
    const auto found = intake.latest(*object, *limit);
    if (!found) {
        return answer_error(found.error());
    }
    return {
        .content_type = "application/json",
        .body = found_events_json(*found, intake.context()) + "\n"
    };
}

using Answer = Response (*)(intake::Intake&, const Doorkeeper&, const Request&);

/// `left`: of a client for whom a long read is not begun once he is gone.
Task<> answer_on(
    runtime::BlockingPool* pool,
    intake::Intake* intake,
    Doorkeeper keeper,
    Answer answer,
    Exchange* exchange,
    std::stop_token left
) {
    auto look_up = [&] { return answer(*intake, keeper, exchange->request()); };
    exchange->response() = co_await on_pool(pool, std::move(look_up), std::move(left));
}

}  // namespace

void add_event_post_route(FrontDoor& door, EventBatches& batches) {
    door.add(
        Scope::write,
        Method::post,
        "/api/v1/events",
        [&batches](Exchange& exchange) { return std::optional{batches.post(&exchange)}; },
        {.bytes = event_body_bytes_max}
    );
}

void add_event_lookup_routes(
    FrontDoor& door,
    intake::Intake& intake,
    runtime::BlockingPool& lookups,
    runtime::BlockingPool& surveys
) {
    const Doorkeeper keeper = door.keeper();
    door.add(Scope::read, Method::get, "/api/v1/events", [&, keeper](Exchange& exchange) {
        return std::optional{
            answer_on(&surveys, &intake, keeper, list_now, &exchange, exchange.client_left())
        };
    });
    door.add(Scope::read, Method::get, "/api/v1/events/{id}", [&, keeper](Exchange& exchange) {
        return std::optional{answer_on(&lookups, &intake, keeper, find_now, &exchange, {})};
    });
}

}  // namespace footfall::api
