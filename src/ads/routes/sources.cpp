#include "ads_routes/sources.h"

#include "api/on_pool.h"
#include "events/event.h"
#include "http_server/problem.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace footfall::ads::routes {
namespace {

using http_server::Exchange;

runtime::Task<> answer_lookup(Sources sources, Answer answer, Exchange* exchange) {
    auto work = [&] { return answer(sources, exchange->request()); };
    exchange->response() = co_await api::on_pool(sources.lookups, std::move(work));
}

runtime::Task<> answer_survey(Sources sources, Survey survey, Exchange* exchange) {
    const std::stop_token left = exchange->client_left();
    auto work = [&] { return survey(sources, exchange->request(), left); };
    exchange->response() = co_await api::on_pool(sources.surveys, std::move(work), left);
}

}  // namespace

http_server::Handler on_lookups(const Sources& sources, Answer answer) {
    return [sources, answer = std::move(answer)](Exchange& exchange) {
        return std::optional{answer_lookup(sources, answer, &exchange)};
    };
}

http_server::Handler on_surveys(const Sources& sources, Survey survey) {
    return [sources, survey = std::move(survey)](Exchange& exchange) {
        return std::optional{answer_survey(sources, survey, &exchange)};
    };
}

std::string party_path(PartyKind kind, std::string_view rest) {
    return fmt::format("/api/v1/{}s{}", keys::name_of(kind), rest);
}

api::Asked<std::string> party_in_path(const http_server::Request& request, PartyKind kind) {
    api::Asked<std::string> party = api::text_in_path(request, 0, keys::name_of(kind));
    if (party && party->size() > events::longest_id) {
        return std::unexpected(http_server::problem(
            414,
            "name-too-long",
            fmt::format(
                "the name of a {} has at most {} bytes", keys::name_of(kind), events::longest_id
            ),
            keys::name_of(kind)
        ));
    }
    if (party && events::has_control_character(*party)) {
        return std::unexpected(invalid(
            fmt::format("the name of a {} has no control characters", keys::name_of(kind)),
            keys::name_of(kind)
        ));
    }
    return party;
}

std::optional<DayRange> days_of(const std::optional<api::AskedRange>& asked) {
    return asked.transform([](const api::AskedRange& range) {
        return DayRange{.from = range.from, .to = range.to};
    });
}

http_server::Response json_answer(std::string body, int status) {
    return {
        .status = status,
        .content_type = "application/json",
        .body = std::move(body) + "\n",
        .headers = {{"Cache-Control", "no-store"}}
    };
}

http_server::Response invalid(std::string_view detail, std::string_view field) {
    return http_server::problem(400, "invalid-input", detail, field);
}

}  // namespace footfall::ads::routes
