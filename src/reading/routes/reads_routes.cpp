#include "reading_routes/reads_routes.h"

#include "api/answers.h"
#include "api/on_pool.h"
#include "api/parameters.h"
#include "events/canonical_url.h"
#include "events/event.h"
#include "events/rfc3339.h"
#include "foundation/json_string.h"
#include "reading/own_reads.h"
#include "reading_routes/person_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <tuple>
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

/// Where a list goes on: behind this one.
struct Place {
    Instant latest{};
    std::string url;
};

std::string place_text(const OwnRead& read) {
    return fmt::format("{} {}", read.latest.time_since_epoch().count(), read.url);
}

std::optional<Place> place_of(std::string_view text) {
    std::int64_t latest = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), latest);
    if (error != std::errc{} || end == text.data() + text.size() || *end != ' ') {
        return std::nullopt;
    }
    return Place{
        .latest = Instant{std::chrono::microseconds{latest}},
        .url = std::string{end + 1, text.data() + text.size()}
    };
}

std::string reads_json(const std::string& actor, std::span<const OwnRead> reads, bool is_more) {
    std::string json = fmt::format(R"({{"actor":{},"reads":[)", json_string(actor));
    for (const OwnRead& each : reads) {
        json += fmt::format(
            R"({}{{"url":{},"time":"{}","until":"{}"}})",
            &each == reads.data() ? "" : ",",
            json_string(each.url),
            events::format_rfc3339(each.latest),
            events::format_rfc3339(each.until)
        );
    }
    return json + fmt::format(
                      R"(],"next":{}}})",
                      is_more ? json_string(place_text(reads.back())) : std::string{"null"}
                  );
}

Response list(const ReadsSources& sources, const Request& request, const std::string& actor) {
    if (auto refused = api::refuse_unknown_parameter(request, {"limit", "after"})) {
        return *std::move(refused);
    }
    const auto limit = api::number_parameter(request, "limit", 100, 1, 1000);
    const auto after = api::text_parameter(request, "after", "");
    if (!limit || !after) {
        return !limit ? limit.error() : after.error();
    }
    std::optional<Place> place;
    if (!after->empty()) {
        place = place_of(*after);
        if (!place) {
            return invalid_input("after is what `next` of the page before said", "after");
        }
    }
    const auto reads = own_reads(*sources.readership, readers_of(sources.people->sharers(), actor));
    if (!reads) {
        return answer_error(reads.error());
    }
    const auto begin =
        !place ? reads->begin() : std::ranges::find_if(*reads, [&](const OwnRead& each) {
            return std::tie(each.latest, place->url) < std::tie(place->latest, each.url);
        });
    const auto left = static_cast<std::uint64_t>(reads->end() - begin);
    const std::span<const OwnRead> page{begin, std::min<std::uint64_t>(left, *limit)};
    return json_answer(reads_json(actor, page, page.size() < left));
}

/// What the one parameter that is there says.
Read<people::TakeBack> read_take_back(
    std::string_view name, const std::string& value, Instant now
) {
    const auto fault = [&](std::string detail) {
        return std::unexpected(Fault{.field = std::string{name}, .detail = std::move(detail)});
    };
    if (name == "url") {
        if (value.empty() || value.size() > events::longest_name) {
            return fault("url is the article as it was read, or as the list of reads has it");
        }
        return people::TakeBack{.taken = people::Taken::url, .text = events::article_named(value)};
    }
    if (name == "site") {
        auto site = checked_site(value, name);
        if (!site) {
            return std::unexpected(std::move(site).error());
        }
        return people::TakeBack{.taken = people::Taken::site, .text = *std::move(site)};
    }
    if (name == "from") {
        const std::optional<Instant> from = events::parse_rfc3339(value);
        if (!from) {
            return fault("from is an instant such as \"2026-11-21T10:00:00Z\"");
        }
        if (*from > now) {
            return fault("from is to come; what is read then is not known yet");
        }
        return people::TakeBack{.taken = people::Taken::since, .since = *from};
    }
    if (value != "true") {
        return fault("all=true takes back all; it is nothing else");
    }
    return people::TakeBack{};
}

Response remove(const ReadsSources& sources, const Request& request, const std::string& actor) {
    static constexpr std::initializer_list<std::string_view> known{"url", "site", "from", "all"};
    if (auto refused = api::refuse_unknown_parameter(request, known)) {
        return *std::move(refused);
    }
    std::vector<std::pair<std::string_view, std::string>> said;
    for (const std::string_view name : known) {
        const std::string absent(1, '\0');
        Asked<std::string> value = api::text_parameter(request, name, absent);
        if (!value) {
            return std::move(value).error();
        }
        if (*value != absent) {
            said.emplace_back(name, *std::move(value));
        }
    }
    if (said.size() != 1) {
        return invalid_input(
            "say what is taken back: exactly one of ?url=, ?site=, ?from=, ?all=true",
            said.empty() ? "all" : said.back().first
        );
    }
    if (request.query.find('&') != std::string_view::npos) {
        return invalid_input("say what is taken back once: a request for each", said.front().first);
    }
    const auto what = read_take_back(said.front().first, said.front().second, sources.clock->now());
    if (!what) {
        return invalid_input(what.error().detail, what.error().field);
    }
    const auto taken = take_back(*sources.readership, *sources.people, actor, *what);
    return taken ? json_answer(fmt::format(R"({{"taken_back":{}}})", *taken))
                 : answer_error(taken.error());
}

/// What answers a request about a person's reads. May wait.
using AnswerOfReads = Response (*)(const ReadsSources&, const Request&, const std::string& actor);

Response answer_now(const ReadsSources& sources, const Request& request, AnswerOfReads answer) {
    Asked<std::string> actor = api::name_in_path(request, 0, "actor", events::longest_name);
    return actor ? answer(sources, request, *actor) : std::move(actor).error();
}

runtime::Task<> answer_on_pool(ReadsSources sources, AnswerOfReads answer, Exchange* exchange) {
    auto work = [&] { return answer_now(sources, exchange->request(), answer); };
    exchange->response() = co_await api::on_pool(sources.surveys, std::move(work));
}

}  // namespace

void add_reads_routes(api::FrontDoor& door, const ReadsSources& sources) {
    const api::FrontDoor taking_back = door.acting(
        {.kind = "reads_taken_back",
         .about = api::ActAbout::persons,
         .person_in_path = audit::person_of_actor}
    );
    const auto add = [&](Method method, AnswerOfReads answer) {
        api::FrontDoor behind = method == Method::get ? door : taking_back;
        behind.add(
            keys::Scope::people,
            method,
            "/api/v1/people/{actor}/reads",
            [sources, answer](Exchange& exchange) {
                return std::optional{answer_on_pool(sources, answer, &exchange)};
            }
        );
    };
    add(Method::get, list);
    add(Method::del, remove);
}

}  // namespace footfall::reading::routes
