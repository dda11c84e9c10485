#include "reading_routes/people_routes.h"

#include "api/answers.h"
#include "api/on_pool.h"
#include "api/parameters.h"
#include "api/small_json.h"
#include "events/event.h"
#include "foundation/json_string.h"
#include "http_server/problem.h"
#include "reading_routes/people_batch.h"
#include "reading_routes/person_json.h"

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace footfall::reading::routes {
namespace {

using api::answer_error;
using api::Asked;
using api::invalid_input;
using api::json_answer;
using http_server::Exchange;
using http_server::Method;
using http_server::Request;
using http_server::Response;
using keys::Scope;
using runtime::Task;

/// Has room for as many names as there may be, each as long as it may be.
constexpr std::size_t friends_json_bytes_max = 2 * people::friends_max * (events::longest_name + 8);

/// What answers a request that is about one person. May wait.
using Answer =
    std::function<Response(people::People&, const Request&, std::string actor, Instant now)>;

Response answer_now(const PeopleSources& sources, const Request& request, const Answer& answer) {
    if (auto refused = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refused);
    }
    Asked<std::string> actor = api::name_in_path(request, 0, "actor", events::longest_name);
    if (!actor) {
        return std::move(actor).error();
    }
    return answer(*sources.people, request, *std::move(actor), sources.clock->now());
}

Task<> answer_on_pool(PeopleSources sources, Answer answer, Exchange* exchange) {
    auto work = [&] { return answer_now(sources, exchange->request(), answer); };
    exchange->response() = co_await api::on_pool(sources.lookups, std::move(work));
}

Response refuse(const Fault& fault) {
    return invalid_input(fault.detail, fault.field);
}

Result<people::Person> say(people::People& people, const people::Said& said) {
    TRY(auto answers, people.say({&said, 1}));
    return std::move(answers.front());
}

Response show(
    people::People& people, const Request& /*request*/, const std::string& actor, Instant /*now*/
) {
    const Result<people::Person> person = people.find(actor);
    return person ? json_answer(person_json(*person)) : answer_error(person.error());
}

Response put(people::People& people, const Request& request, std::string actor, Instant now) {
    const auto body = api::small_json_body(request, {"reading", "until", "sites", "to"});
    if (!body) {
        return body.error();
    }
    auto consent = read_consent(*body, now);
    if (!consent) {
        return refuse(consent.error());
    }
    const auto person = say(people, {.actor = std::move(actor), .consent = *std::move(consent)});
    return person ? json_answer(person_json(*person)) : answer_error(person.error());
}

/// Names are not told again: their sender has them.
Response answer_friends(const Result<people::Person>& person) {
    if (!person) {
        return answer_error(person.error(), "friends");
    }
    return json_answer(fmt::format(
        R"({{"actor":{},"count":{}}})", json_string(person->actor), person->friends.value_or(0)
    ));
}

Response replace_friends(
    people::People& people, const Request& request, std::string actor, Instant /*now*/
) {
    const auto body = api::small_json_body(request, {"friends"});
    if (!body) {
        return body.error();
    }
    if (const auto* const friends = body->if_contains("friends");
        friends == nullptr || friends->is_null()) {
        return invalid_input(
            R"(friends is missing: {"friends":["u2","u3"]} replaces them all)", "friends"
        );
    }
    auto friends = read_names(*body, "friends", people::friends_max);
    if (!friends) {
        return refuse(friends.error());
    }
    return answer_friends(say(people, {.actor = std::move(actor), .friends = *std::move(friends)}));
}

Response change_friends(
    people::People& people, const Request& request, std::string actor, Instant /*now*/
) {
    const auto body = api::small_json_body(request, {"add", "remove"});
    if (!body) {
        return body.error();
    }
    auto add = read_names(*body, "add", people::friends_max);
    auto remove = read_names(*body, "remove", people::friends_max);
    for (const auto* const each : {&add, &remove}) {
        if (!*each) {
            return refuse(each->error());
        }
    }
    if (add->empty() && remove->empty()) {
        return invalid_input(R"(there is nothing to do: {"add":["u2"],"remove":["u3"]})", "add");
    }
    return answer_friends(say(
        people, {.actor = std::move(actor), .add = *std::move(add), .remove = *std::move(remove)}
    ));
}

Response list_friends(
    people::People& people, const Request& /*request*/, const std::string& actor, Instant /*now*/
) {
    const auto friends = people.friends_of(actor);
    if (!friends) {
        return answer_error(friends.error());
    }
    std::string json = fmt::format(R"({{"actor":{},"friends":[)", json_string(actor));
    for (const std::string& each : *friends) {
        json += &each == friends->data() ? "" : ",";
        append_json_string(json, each);
    }
    return json_answer(json + fmt::format(R"(],"count":{}}})", friends->size()));
}

}  // namespace

void add_people_routes(api::FrontDoor& door, const PeopleSources& sources) {
    const api::FrontDoor changing = door.acting(
        {.kind = "person_said",
         .about = api::ActAbout::persons,
         .person_in_path = audit::person_of_actor}
    );
    const auto add = [&](Method method, std::string_view rest, Answer answer, std::size_t bytes) {
        api::FrontDoor behind = method == Method::get ? door : changing;
        behind.add(
            Scope::people,
            method,
            fmt::format("/api/v1/people/{{actor}}{}", rest),
            [sources, answer = std::move(answer)](Exchange& exchange) {
                return std::optional{answer_on_pool(sources, answer, &exchange)};
            },
            {.bytes = bytes}
        );
    };
    add(Method::get, "", show, api::no_body.bytes);
    add(Method::put, "", put, api::small_json_bytes_max + people::sites_max * events::longest_id);
    add(Method::get, "/friends", list_friends, api::no_body.bytes);
    add(Method::put, "/friends", replace_friends, friends_json_bytes_max);
    add(Method::post, "/friends", change_friends, friends_json_bytes_max);
    add_people_batch_route(door, sources);
}

}  // namespace footfall::reading::routes
