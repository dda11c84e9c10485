#include "reading_routes/ranked_routes.h"

#include "api/answers.h"
#include "api/on_pool.h"
#include "api/parameters.h"
#include "events/event.h"
#include "foundation/names.h"
#include "reading_routes/ranked_json.h"

#include <fmt/format.h>

#include <optional>
#include <stop_token>
#include <string>
#include <utility>

namespace footfall::reading::routes {
namespace {

using api::Asked;
using api::invalid_input;
using http_server::Exchange;
using http_server::Request;
using http_server::Response;

constexpr std::uint64_t limit_default = 10;
constexpr std::uint64_t limit_max = 1'000;
constexpr std::uint64_t activity_default = 20;
constexpr std::uint64_t trending_per_site = 3;
constexpr std::uint64_t per_site_max = 1'000;

constexpr std::string_view of_friends = "friends";

/// ?actor=; refused if no event can have it.
Asked<std::string> actor_parameter(const Request& request) {
    const auto actor = api::name_parameter(request, "actor");
    if (!actor) {
        return std::unexpected(actor.error());
    }
    if (!*actor) {
        return std::unexpected(invalid_input("say whose friends are asked for: actor", "actor"));
    }
    if (const Result<void> checked = check_name("an actor", **actor); !checked) {
        return std::unexpected(invalid_input(checked.error().message, "actor"));
    }
    if (events::has_control_character(**actor)) {
        return std::unexpected(
            invalid_input("the name of a person has no control characters", "actor")
        );
    }
    return **actor;
}

/// What a question for what is popular says.
struct PopularQuestion {
    PopularAsked asked;
    std::optional<std::string> actor = {};  ///< Of whose friends; absent: of all.
};

Asked<PopularQuestion> read_popular(const Request& request) {
    if (auto refusal = api::refuse_unknown_parameter(
            request, {"scope", "actor", "window", "limit", "per_site"}
        )) {
        return std::unexpected(*std::move(refusal));
    }
    const auto scope = api::text_parameter(request, "scope", "all");
    if (!scope || (*scope != "all" && *scope != of_friends)) {
        return std::unexpected(invalid_input("scope must be all or friends", "scope"));
    }
    const auto name = api::text_parameter(request, "window", "24h");
    if (!name) {
        return std::unexpected(name.error());
    }
    const auto window = rankings::parse_window(*name);
    if (!window) {
        return std::unexpected(invalid_input(window.error().message, "window"));
    }
    const auto limit = api::number_parameter(request, "limit", limit_default, 1, limit_max);
    const auto per_site = api::number_parameter(request, "per_site", 0, 0, per_site_max);
    if (!limit || !per_site) {
        return std::unexpected(!limit ? limit.error() : per_site.error());
    }
    PopularQuestion question{.asked = {.window = *window, .limit = *limit, .per_site = *per_site}};
    if (*scope == of_friends) {
        auto actor = actor_parameter(request);
        if (!actor) {
            return std::unexpected(std::move(actor).error());
        }
        question.actor = *std::move(actor);
    }
    return question;
}

Response popular_now(
    const RankedSources& sources, const Request& request, const std::stop_token& left
) {
    const auto question = read_popular(request);
    if (!question) {
        return question.error();
    }
    const auto popular = question->actor
                             ? sources.friends->popular(*question->actor, question->asked, left)
                             : sources.ranked->popular(question->asked, left);
    return popular ? api::json_answer(popular_json(
                         *popular, question->actor ? of_friends : "all", question->asked.window.name
                     ))
                   : api::answer_error(popular.error());
}

Response trending_now(
    const RankedSources& sources, const Request& request, const std::stop_token& /*left*/
) {
    if (auto refusal = api::refuse_unknown_parameter(request, {"limit", "per_site"})) {
        return *std::move(refusal);
    }
    const auto limit = api::number_parameter(request, "limit", limit_default, 1, limit_max);
    const auto per_site =
        api::number_parameter(request, "per_site", trending_per_site, 0, per_site_max);
    if (!limit || !per_site) {
        return !limit ? limit.error() : per_site.error();
    }
    const auto trending = sources.ranked->trending(*limit, *per_site);
    return trending ? api::json_answer(trending_json(*trending))
                    : api::answer_error(trending.error());
}

Response activity_now(
    const RankedSources& sources, const Request& request, const std::stop_token& left
) {
    if (auto refusal = api::refuse_unknown_parameter(request, {"actor", "limit"})) {
        return *std::move(refusal);
    }
    const auto actor = actor_parameter(request);
    if (!actor) {
        return actor.error();
    }
    const auto limit = api::number_parameter(request, "limit", activity_default, 1, activity_max);
    if (!limit) {
        return limit.error();
    }
    const auto activity = sources.friends->latest(*actor, *limit, left);
    return activity ? api::json_answer(activity_json(*activity, *actor))
                    : api::answer_error(activity.error());
}

using RankedAnswer = Response (*)(const RankedSources&, const Request&, const std::stop_token&);

runtime::Task<> ranked_on_pool(RankedSources sources, RankedAnswer answer, Exchange* exchange) {
    const std::stop_token left = exchange->client_left();
    auto work = [&] { return answer(sources, exchange->request(), left); };
    exchange->response() = co_await api::on_pool(sources.surveys, std::move(work), left);
}

/// Who knows of friends needs the scope people.
keys::Scope popular_scope(const Request& request) {
    std::string_view scope;
    const bool is_of_friends =
        http_server::query_value(request.query, "scope", scope) && scope != "all";
    return is_of_friends ? keys::Scope::people : keys::Scope::read;
}

}  // namespace

void add_ranked_routes(api::FrontDoor& door, const RankedSources& sources) {
    const auto handler = [sources](RankedAnswer answer) {
        return [sources, answer](Exchange& exchange) {
            return std::optional{ranked_on_pool(sources, answer, &exchange)};
        };
    };
    door.add_refusing(
        [keeper = door.keeper()](const Request& request) {
            return keeper.refuse(request, popular_scope(request));
        },
        http_server::Method::get,
        "/api/v1/reading/popular",
        handler(popular_now)
    );
    door.add(
        keys::Scope::read,
        http_server::Method::get,
        "/api/v1/reading/trending",
        handler(trending_now)
    );
    door.add(
        keys::Scope::people,
        http_server::Method::get,
        "/api/v1/reading/activity",
        handler(activity_now)
    );
}

}  // namespace footfall::reading::routes
