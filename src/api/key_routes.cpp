#include "api/key_routes.h"

#include "api/answers.h"
#include "api/on_pool.h"
#include "api/small_json.h"
#include "events/rfc3339.h"
#include "http_server/problem.h"
#include "keys/key_json.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace footfall::api {
namespace {

using http_server::Exchange;
using http_server::Method;
using http_server::Request;
using http_server::Response;
using keys::ApiKey;
using keys::KeyRegistry;
using keys::Party;
using keys::PartyKind;
using keys::Rights;
using keys::Scope;
using keys::Scopes;
using keys::Sessions;
using runtime::Task;

constexpr std::string_view session_path = "/api/v1/session";

/// What a request for a new key says.
struct NewKey {
    std::string name;
    Rights rights;
    std::optional<Instant> expires;
};

Asked<std::string> text_field(const boost::json::object& body, std::string_view name) {
    const boost::json::value* value = body.if_contains({name.data(), name.size()});
    if (value == nullptr || !value->is_string()) {
        return std::unexpected(invalid_input(fmt::format("{} must be a string", name), name));
    }
    return std::string{value->get_string()};
}

Asked<Scopes> scopes_field(const boost::json::object& body) {
    const boost::json::value* value = body.if_contains("scopes");
    const boost::json::array* list = value == nullptr ? nullptr : value->if_array();
    if (list == nullptr || list->empty()) {
        return std::unexpected(invalid_input(
            "scopes must be a list of read, write, people, money, audience or admin; in their "
            "place, "
            "reseller or publisher may name one",
            "scopes"
        ));
    }
    Scopes scopes;
    for (const boost::json::value& each : *list) {
        const boost::json::string* name = each.if_string();
        const Result<void> added =
            scopes.add(name == nullptr ? "" : std::string_view{name->data(), name->size()});
        if (!added) {
            return std::unexpected(invalid_input(added.error().message, "scopes"));
        }
    }
    return scopes;
}

Asked<Rights> party_field(const boost::json::object& body, PartyKind kind) {
    const std::string_view field = keys::name_of(kind);
    Asked<std::string> id = text_field(body, field);
    if (!id) {
        return std::unexpected(std::move(id).error());
    }
    Result<Party> party = Party::make(kind, *std::move(id));
    if (!party) {
        return std::unexpected(invalid_input(party.error().message, field));
    }
    return *std::move(party);
}

/// Scopes, or a party in their place.
Asked<Rights> rights_fields(const boost::json::object& body) {
    std::string_view given;
    for (const std::string_view field : {"scopes", "reseller", "publisher"}) {
        if (!body.contains({field.data(), field.size()})) {
            continue;
        }
        if (!given.empty()) {
            return std::unexpected(invalid_input(
                fmt::format(
                    "a key has scopes, a reseller or a publisher, and only one of them: leave out "
                    "{} or {}",
                    given,
                    field
                ),
                field
            ));
        }
        given = field;
    }
    for (const PartyKind kind : {PartyKind::reseller, PartyKind::publisher}) {
        if (given == keys::name_of(kind)) {
            return party_field(body, kind);
        }
    }
    return scopes_field(body);
}

Asked<NewKey> read_new_key(const Request& request) {
    const auto body =
        small_json_body(request, {"name", "scopes", "reseller", "publisher", "expires"});
    if (!body) {
        return std::unexpected(body.error());
    }
    NewKey asked;
    Asked<std::string> name = text_field(*body, "name");
    Asked<Rights> rights = rights_fields(*body);
    if (!name || !rights) {
        return std::unexpected(name ? rights.error() : name.error());
    }
    asked.name = *std::move(name);
    asked.rights = *std::move(rights);
    const boost::json::value* const expires = body->if_contains("expires");
    if (expires != nullptr && !expires->is_null()) {
        const boost::json::string* const text = expires->if_string();
        asked.expires =
            text == nullptr ? std::nullopt : events::parse_rfc3339({text->data(), text->size()});
        if (!asked.expires) {
            return std::unexpected(invalid_input(
                "expires must be a time such as 2027-01-01T00:00:00Z, or null for never", "expires"
            ));
        }
    }
    return asked;
}

Response add_key(KeyRegistry& keys, const Request& request) {
    if (auto refusal = refuse_unknown_parameter(request, {})) {
        return *std::move(refusal);
    }
    Asked<NewKey> asked = read_new_key(request);
    if (!asked) {
        return std::move(asked).error();
    }
    const auto added = keys.add(std::move(asked->name), std::move(asked->rights), asked->expires);
    if (!added) {
        return answer_error(
            added.error(), added.error().kind == ErrorKind::invalid_input ? "name" : ""
        );
    }
    return json_answer(keys::made_key_json(*added), 201);
}

Response revoke_key(KeyRegistry& keys, const Request& request) {
    if (auto refusal = refuse_unknown_parameter(request, {})) {
        return *std::move(refusal);
    }
    const Asked<std::string> name = text_in_path(request, 0, "name");
    if (!name) {
        return name.error();
    }
    const Result<std::size_t> left = keys.revoke(*name);
    if (!left) {
        return answer_error(left.error(), "name");
    }
    return json_answer(keys::revoked_key_json(*name, *left));
}

using Change = Response (*)(KeyRegistry&, const Request&);

Task<> change_on(
    runtime::BlockingPool* pool, KeyRegistry* keys, Change change, Exchange* exchange
) {
    auto work = [&] { return change(*keys, exchange->request()); };
    exchange->response() = co_await on_pool(pool, std::move(work));
}

/// Secure where the page came by TLS, which only what stands in front of us knows, and the origin
/// of the page tells.
std::string cookie(const Request& request, std::string_view id, std::chrono::seconds age) {
    return fmt::format(
        "{}={}; Path=/; Max-Age={}; HttpOnly; SameSite=Strict{}",
        session_cookie,
        id,
        age.count(),
        request.known.origin.starts_with("https://") ? "; Secure" : ""
    );
}

std::optional<Response> refuse_foreign_page(const Request& request) {
    if (is_from_own_page(request)) {
        return std::nullopt;
    }
    return http_server::problem(
        403, "other-origin", "a page of another site cannot sign you in or out", "Origin"
    );
}

/// The dashboard shows what belongs to all.
Response no_dashboard_for(const Party& party) {
    return http_server::problem(
        403,
        "key-bound",
        fmt::format(
            "this key is bound to {0}, so it cannot open the dashboard: use it for "
            "/api/v1/{1}s/{{id}}/income, rates, statements and clicks, or sign in with a key that "
            "has the scope read",
            party.description(),
            keys::name_of(party.kind)
        ),
        "key"
    );
}

Response sign_in(const Doorkeeper& keeper, Sessions& sessions, const Request& request) {
    if (auto refusal = refuse_foreign_page(request)) {
        return *std::move(refusal);
    }
    const auto body = small_json_body(request, {"key"});
    if (!body) {
        return body.error();
    }
    const Asked<std::string> text = text_field(*body, "key");
    if (!text) {
        return text.error();
    }
    if (!keeper.asks_for_keys()) {
        return answer_error(
            {.kind = ErrorKind::conflict, .message = "there are no API keys: nobody has to sign in"}
        );
    }
    const Asked<ApiKey> key = keeper.holder(*text);
    if (!key) {
        return key.error();
    }
    if (const Party* const party = keys::party_of(key->rights)) {
        return no_dashboard_for(*party);
    }
    const auto opened = sessions.open(key->hash);
    if (!opened) {
        return answer_error(opened.error());
    }
    Response response = json_answer(keys::caller_json(key->name, key->rights));
    response.headers.emplace_back("Set-Cookie", cookie(request, opened->id, Sessions::lifetime));
    return response;
}

Response sign_out(Sessions& sessions, const Request& request) {
    if (auto refusal = refuse_foreign_page(request)) {
        return *std::move(refusal);
    }
    sessions.end(session_in(request));
    return {
        .status = 204, .headers = {{"Set-Cookie", cookie(request, "", std::chrono::seconds{0})}}
    };
}

Response who_am_i(const Doorkeeper& keeper, const Request& request) {
    if (auto refusal = refuse_unknown_parameter(request, {})) {
        return *std::move(refusal);
    }
    if (!keeper.asks_for_keys()) {
        return json_answer(keys::caller_json(std::nullopt, Scopes::all()));
    }
    const Asked<ApiKey> key = keeper.caller(request);
    return key ? json_answer(keys::caller_json(key->name, key->rights)) : key.error();
}

/// A handler for what is answered at once.
template <class Answer>
http_server::Handler at_once(Answer answer) {
    return [answer = std::move(answer)](Exchange& exchange) -> std::optional<Task<>> {
        exchange.response() = answer(exchange.request());
        return std::nullopt;
    };
}

}  // namespace

void add_key_routes(
    FrontDoor& door, KeyRegistry& keys, Sessions& sessions, runtime::BlockingPool& pool
) {
    const auto change = [&](Change change) {
        return [&keys, &pool, change](Exchange& exchange) {
            return std::optional{change_on(&pool, &keys, change, &exchange)};
        };
    };
    constexpr std::string_view path = "/api/v1/keys";
    door.add(Scope::admin, Method::get, path, at_once([&keys](const Request& request) {
                 auto refusal = refuse_unknown_parameter(request, {});
                 return refusal ? *std::move(refusal)
                                : json_answer(keys::key_list_json(keys.list(), keys.clock().now()));
             }));
    constexpr http_server::BodyLimit small_json{.bytes = small_json_bytes_max};
    door.acting({.kind = "key_added"})
        .add(Scope::admin, Method::post, path, change(add_key), small_json);
    door.acting({.kind = "key_revoked"})
        .add(Scope::admin, Method::del, "/api/v1/keys/{name}", change(revoke_key));
    const Doorkeeper keeper = door.keeper();
    door.add_page(Method::get, session_path, at_once([keeper](const Request& request) {
                      return who_am_i(keeper, request);
                  }));
    door.add_page(
        Method::post,
        session_path,
        at_once([keeper, &sessions](const Request& request) {
            return sign_in(keeper, sessions, request);
        }),
        small_json
    );
    door.add_page(Method::del, session_path, at_once([&sessions](const Request& request) {
                      return sign_out(sessions, request);
                  }));
}

}  // namespace footfall::api
