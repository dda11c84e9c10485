#include "api/recorded_acts.h"

#include "api/answers.h"
#include "api/flag_parameter.h"
#include "api/front_door.h"
#include "api/on_pool.h"
#include "foundation/json_string.h"
#include "foundation/log.h"
#include "foundation/utf8.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace footfall::api {
namespace {

using http_server::Exchange;
using http_server::Handler;
using http_server::Request;
using http_server::Response;
using runtime::Task;

/// A longer body is named by its digest.
constexpr std::size_t body_shown_max = 8 << 10;
constexpr std::size_t query_shown_max = 2 << 10;
constexpr std::size_t body_depth_max = 12;
/// Whom an act is about that names nobody, so that there is something to erase it by.
constexpr std::string_view nobody = "nobody";

/// How routes call facts of identities, which are hashes of ids.
constexpr std::array<std::string_view, 3> fact_members{"fact", "facts", "decision"};

/// The parts of a path that the route names, decoded.
std::vector<std::string> named_in(std::string_view pattern, const Request& request) {
    const auto count = static_cast<std::size_t>(std::ranges::count(pattern, '{'));
    std::vector<std::string> named;
    for (std::size_t at = 0; at < count; ++at) {
        std::string text;
        const bool is_text =
            http_server::percent_decode(request.placeholders[at], text) && is_utf8(text);
        named.push_back(is_text ? std::move(text) : std::string{});
    }
    return named;
}

/// The body as JSON, if it is some, and short; absent: it is to be named by its digest.
std::optional<boost::json::value> shown_body(std::string_view body) {
    if (body.empty() || body.size() > body_shown_max) {
        return std::nullopt;
    }
    boost::json::error_code error;
    const boost::json::parse_options options{.max_depth = body_depth_max};
    boost::json::value value = boost::json::parse(body, error, {}, options);
    return error ? std::nullopt : std::optional{std::move(value)};
}

std::string_view view_of(const boost::json::string& text) {
    return {text.data(), text.size()};
}

/// The persons that a body names: ids of networks, actors, facts of identities.
class PersonsIn {
public:
    explicit PersonsIn(std::vector<std::string>& persons) : persons_{&persons} {}

    void look(const boost::json::value& value) {
        if (const auto* const list = value.if_array()) {
            for (const boost::json::value& each : *list) {
                look(each);
            }
        } else if (const auto* const object = value.if_object()) {
            look_at(*object);
        }
    }

private:
    void look_at(const boost::json::object& object) {
        const auto* const identifier = text_in(object, "identifier");
        const auto* const id_name = text_in(object, "id_name");
        const auto* const id_value = text_in(object, "id_value");
        if (identifier != nullptr && id_name != nullptr && id_value != nullptr) {
            add(audit::person_of_id(view_of(*identifier), view_of(*id_name), view_of(*id_value)));
        }
        for (const auto& member : object) {
            const std::string_view name{member.key().data(), member.key().size()};
            if (name == "actor" || name == "friends" || name == "add" || name == "remove") {
                add_texts(member.value(), audit::person_of_actor);
            } else if (name == "sid") {
                add_texts(member.value(), audit::person_of_sid);
            } else if (std::ranges::find(fact_members, name) != fact_members.end()) {
                add_texts(member.value(), audit::person_of_fact);
            }
            look(member.value());
        }
    }

    static const boost::json::string* text_in(
        const boost::json::object& object, std::string_view name
    ) {
        const boost::json::value* const value = object.if_contains({name.data(), name.size()});
        return value == nullptr ? nullptr : value->if_string();
    }

    void add_texts(const boost::json::value& value, std::string (*person)(std::string_view)) {
        if (const auto* const text = value.if_string()) {
            add(person(view_of(*text)));
        } else if (const auto* const list = value.if_array()) {
            for (const boost::json::value& each : *list) {
                if (const auto* const one = each.if_string()) {
                    add(person(view_of(*one)));
                }
            }
        }
    }

    void add(std::string person) {
        if (persons_->size() < audit::people_max &&
            std::ranges::find(*persons_, person) == persons_->end()) {
            persons_->push_back(std::move(person));
        }
    }

    std::vector<std::string>* persons_;
};

/// What a request says: the parts of its path, its query, its body.
struct Said {
    std::vector<std::string> named;
    std::string_view query;
    std::optional<boost::json::value> body;
    std::string body_text;  ///< As it is shown, a JSON value; empty: there is none.
};

std::string json_of_said(const Said& said) {
    std::string json = R"("named":[)";
    for (const std::string& each : said.named) {
        json += json.ends_with('[') ? "" : ",";
        append_json_string(json, each);
    }
    json += ']';
    if (!said.query.empty()) {
        json += R"(,"query":)";
        append_json_string(json, said.query);
    }
    if (!said.body_text.empty()) {
        json += R"(,"body":)" + said.body_text;
    }
    return json;
}

std::vector<std::string> persons_of(const ActKind& kind, const Said& said) {
    std::vector<std::string> persons;
    if (kind.person_in_path != nullptr && !said.named.empty()) {
        persons.push_back(kind.person_in_path(said.named.front()));
    }
    if (said.body) {
        PersonsIn{persons}.look(*said.body);
    }
    if (persons.empty()) {
        persons.emplace_back(nobody);
    }
    return persons;
}

/// Records on a thread that may wait; the answer that refuses where that fails.
Task<std::optional<Response>> record_on(
    const ActDesk* desk, audit::Act act, std::uint64_t* number
) {
    bool is_recorded = false;
    auto record = [&]() -> Response {
        const Result<std::uint64_t> recorded = desk->acts->record(std::move(act));
        if (!recorded) {
            return answer_error(with_context(
                recorded.error(), "the audit log did not take this, so it was not done"
            ));
        }
        *number = *recorded;
        is_recorded = true;
        return {};
    };
    Response answer = co_await on_pool(desk->pool, std::move(record));
    co_return is_recorded ? std::nullopt : std::optional{std::move(answer)};
}

Task<> record_and_do(
    ActDesk desk,
    Doorkeeper keeper,
    const ActKind* kind,
    const std::string* pattern,
    const Handler* handler,
    Exchange* exchange
) {
    Asked<std::string> author = keeper.author(exchange->request());
    if (!author) {
        exchange->response() = author.error();
        co_return;
    }
    audit::Act act =
        act_of(*kind, *pattern, exchange->request(), *author, [&](std::string_view bytes) {
            return desk.acts->digest(bytes);
        });
    std::uint64_t number = 0;
    if (auto refused = co_await record_on(&desk, std::move(act), &number)) {
        exchange->response() = *std::move(refused);
        co_return;
    }
    if (auto rest = (*handler)(*exchange)) {
        co_await *std::move(rest);
    }
    const int status = exchange->response().status;
    if (status >= 400) {
        audit::Act refused_act{
            .kind = "refused",
            .author = *std::move(author),
            .detail = fmt::format(R"({{"entry":{},"status":{}}})", number, status)
        };
        if (co_await record_on(&desk, std::move(refused_act), &number)) {
            log(LogLevel::warning,
                "the audit log does not say that act {} was refused with {}",
                number,
                status);
        }
    }
}

bool is_trial(const ActKind& kind, const Request& request) {
    return kind.has_trial && flag_parameter(request, "dry_run").value_or(false);
}

}  // namespace

audit::Act act_of(
    const ActKind& kind,
    std::string_view pattern,
    const Request& request,
    std::string author,
    const std::function<std::string(std::string_view)>& digest
) {
    Said said{
        .named = named_in(pattern, request),
        .query = request.query.substr(0, query_shown_max),
        .body = shown_body(request.body),
        .body_text = {}
    };
    if (!is_utf8(said.query)) {
        said.query = {};
    }
    if (said.body) {
        said.body_text = boost::json::serialize(*said.body);
    } else if (!request.body.empty()) {
        said.body_text = fmt::format(
            R"({{"bytes":{},"digest":"{}"}})", request.body.size(), digest(request.body)
        );
    }
    const std::string of_said = json_of_said(said);
    audit::Act act{
        .kind = std::string{kind.kind}, .author = std::move(author), .detail = {}, .people = {}
    };
    std::string route = fmt::format(R"({{"method":"{}","route":)", name_of(request.method));
    append_json_string(route, pattern);
    if (kind.about == ActAbout::things) {
        act.detail = fmt::format("{},{}}}", route, of_said);
    } else {
        act.detail = route + R"(,"said":{"person":0}})";
        act.people.push_back(
            {.persons = persons_of(kind, said), .payload = fmt::format("{{{}}}", of_said)}
        );
    }
    return act;
}

Handler recorded(
    const ActDesk& desk,
    const Doorkeeper& keeper,
    const ActKind& kind,
    std::string_view pattern,
    Handler handler
) {
    return [desk, keeper, kind, pattern = std::string{pattern}, handler = std::move(handler)](
               Exchange& exchange
           ) -> std::optional<Task<>> {
        if (is_trial(kind, exchange.request())) {
            return handler(exchange);
        }
        return record_and_do(desk, keeper, &kind, &pattern, &handler, &exchange);
    };
}

}  // namespace footfall::api
