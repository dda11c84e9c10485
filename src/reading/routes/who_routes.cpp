#include "reading_routes/who_routes.h"

#include "api/answers.h"
#include "api/on_pool.h"
#include "api/parameters.h"
#include "api/small_json.h"
#include "events/event.h"
#include "foundation/json_string.h"
#include "foundation/names.h"
#include "reading/who_read.h"
#include "reading_routes/person_json.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

namespace footfall::reading::routes {
namespace {

using api::invalid_input;
using http_server::Exchange;
using http_server::Request;
using http_server::Response;

constexpr std::size_t who_json_bytes_max =
    2 * (people::friends_max + urls_max) * (events::longest_name + 8);

Read<std::vector<std::string>> read_urls(const boost::json::object& body) {
    constexpr const char* form = R"(urls is a list of 1 to 100 URLs: ["https://news.example/a"])";
    const auto fault = [](std::string detail) {
        return std::unexpected(Fault{.field = "urls", .detail = std::move(detail)});
    };
    const auto* const found = body.if_contains("urls");
    const auto* const list = found == nullptr ? nullptr : found->if_array();
    if (list == nullptr || list->empty()) {
        return fault(form);
    }
    if (list->size() > urls_max) {
        return fault(fmt::format("urls has {} URLs, more than {}", list->size(), urls_max));
    }
    std::vector<std::string> urls;
    urls.reserve(list->size());
    for (const auto& each : *list) {
        const auto* const text = each.if_string();
        if (text == nullptr) {
            return fault(form);
        }
        urls.emplace_back(text->data(), text->size());
        if (const Result<void> checked = check_name("a URL", urls.back()); !checked) {
            return fault(checked.error().message);
        }
    }
    return urls;
}

Read<std::size_t> read_most_names(const boost::json::object& body) {
    const auto* const found = body.if_contains("names");
    if (found == nullptr || found->is_null()) {
        return names_max;
    }
    const auto* const number = found->if_int64();
    if (number == nullptr || *number < 0 || std::cmp_greater(*number, names_max)) {
        return std::unexpected(Fault{
            .field = "names",
            .detail = fmt::format("names is a whole number from 0 to {}", names_max)
        });
    }
    return static_cast<std::size_t>(*number);
}

Read<WhoQuestion> read_question(const boost::json::object& body) {
    WhoQuestion question;
    auto urls = read_urls(body);
    auto actor = read_actor(body);
    auto friends = read_names(body, "friends", people::friends_max);
    const auto names = read_most_names(body);
    if (!urls || !actor) {
        return std::unexpected(!urls ? urls.error() : actor.error());
    }
    if (!friends || !names) {
        return std::unexpected(!friends ? friends.error() : names.error());
    }
    question.urls = *std::move(urls);
    question.actor = *std::move(actor);
    question.names = *names;
    if (const auto* const given = body.if_contains("friends");
        given != nullptr && !given->is_null()) {
        question.friends = *std::move(friends);
    }
    if (!question.actor && !question.friends) {
        return std::unexpected(Fault{
            .field = "actor",
            .detail = "say who asks (actor), or whom they ask about (friends), or both"
        });
    }
    return question;
}

std::string answers_json(const WhoQuestion& question, const WhoAnswer& answers) {
    std::string json = R"({"urls":[)";
    for (std::size_t at = 0; at < answers.urls.size(); ++at) {
        const UrlAnswer& answer = answers.urls[at];
        json += at == 0 ? R"({"url":)" : R"(,{"url":)";
        append_json_string(json, question.urls[at]);
        json += R"(,"readers":[)";
        for (const std::string& each : answer.readers) {
            json += &each == answer.readers.data() ? "" : ",";
            append_json_string(json, each);
        }
        json += fmt::format(
            R"(],"count":{},"more":{}}})", answer.count, answer.count > answer.readers.size()
        );
    }
    return json + fmt::format(R"(],"provisional":{}}})", answers.provisional);
}

Response who_now(const WhoSources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refused);
    }
    const auto body = api::small_json_body(request, {"actor", "friends", "urls", "names"});
    if (!body) {
        return body.error();
    }
    const auto question = read_question(*body);
    if (!question) {
        return invalid_input(question.error().detail, question.error().field);
    }
    const auto answers = who_read(*sources.readership, *sources.people, *question);
    return answers ? api::json_answer(answers_json(*question, *answers))
                   : api::answer_error(answers.error());
}

runtime::Task<> answer_on_pool(WhoSources sources, Exchange* exchange) {
    auto work = [&] { return who_now(sources, exchange->request()); };
    exchange->response() = co_await api::on_pool(sources.lookups, std::move(work));
}

}  // namespace

void add_who_route(api::FrontDoor& door, const WhoSources& sources) {
    door.add(
        keys::Scope::people,
        http_server::Method::post,
        "/api/v1/reading/who",
        [sources](Exchange& exchange) { return std::optional{answer_on_pool(sources, &exchange)}; },
        {.bytes = who_json_bytes_max}
    );
}

}  // namespace footfall::reading::routes
