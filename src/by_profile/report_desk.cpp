#include "by_profile/report_desk.h"

#include "api/answers.h"
#include "api/on_pool.h"

#include <optional>
#include <stop_token>
#include <string>
#include <utility>

namespace footfall::by_profile {

using http_server::Request;
using http_server::Response;

runtime::Task<> ReportDesk::answer_in_turns(http_server::Exchange* exchange, Turn turn) {
    const std::stop_token left = exchange->client_left();
    auto turn_if_wanted = [&]() -> std::optional<Response> {
        if (left.stop_requested() || stopping_.load()) {
            return api::answer_error(
                {.kind = ErrorKind::cancelled,
                 .message = "the client left or the program is stopping; ask again"}
            );
        }
        return turn();
    };
    exchange->response() = co_await api::on_pool_in_turns(&pool_, std::move(turn_if_wanted));
}

runtime::Task<> ReportDesk::answer(http_server::Exchange* exchange, Read read, Tell tell) {
    std::optional<Survey> survey;
    auto turn = [&]() -> std::optional<Response> {
        const Request& request = exchange->request();
        if (!survey) {
            api::Asked<Question> question = read(request);
            if (!question) {
                return std::move(question).error();
            }
            if (const Result<void> checked = check(question->range); !checked) {
                return api::answer_error(checked.error(), "from");
            }
            survey.emplace(*intake_, *profiles_, *std::move(question), limits_);
        }
        const Result<std::optional<Report>> done = survey->step();
        if (!done) {
            return api::answer_error(done.error(), "from");
        }
        return *done ? std::optional{tell(request, **done)} : std::nullopt;
    };
    co_await answer_in_turns(exchange, std::move(turn));
}

api::Asked<bool> asks_by_profile(const Request& request, const ReportDesk* desk) {
    const api::Asked<std::string> by = api::text_parameter(request, "by", "actor");
    if (!by || (*by != "actor" && *by != "profile")) {
        return std::unexpected(api::invalid_input("by must be actor or profile", "by"));
    }
    if (*by == "profile" && desk == nullptr) {
        return std::unexpected(not_by_profile(
            "by=profile needs identities, which say who is one person, and this program is built "
            "without them"
        ));
    }
    return *by == "profile";
}

Response not_by_profile(std::string_view why) {
    return api::invalid_input(why, "by");
}

}  // namespace footfall::by_profile
