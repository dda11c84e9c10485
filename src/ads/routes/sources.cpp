#include "ads_routes/sources.h"

#include "api/on_pool.h"
#include "events/event.h"

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
    return api::name_in_path(request, 0, keys::name_of(kind), events::longest_id);
}

std::optional<DayRange> days_of(const std::optional<api::AskedRange>& asked) {
    return asked.transform([](const api::AskedRange& range) {
        return DayRange{.from = range.from, .to = range.to};
    });
}

}  // namespace footfall::ads::routes
