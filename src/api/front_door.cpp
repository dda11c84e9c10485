#include "api/front_door.h"

#include "foundation/check.h"
#include "http_server/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace footfall::api {
namespace {

using http_server::BodyLimit;
using http_server::Handler;
using http_server::Method;
using http_server::Request;
using http_server::Response;
using keys::Party;
using keys::PartyKind;
using keys::Scope;
using keys::SecretHash;

/// The host of "host:port", with the brackets of an IPv6 address.
std::string_view without_port(std::string_view host) {
    if (host.starts_with('[')) {
        return host.substr(0, host.find(']') + 1);
    }
    return host.substr(0, host.find(':'));
}

bool is_loopback(std::string_view host) {
    const std::string_view name = without_port(host);
    return name == "localhost" || name == "[::1]" ||
           (name.starts_with("127.") && std::ranges::all_of(name, [](char letter) {
                return (letter >= '0' && letter <= '9') || letter == '.';
            }));
}

/// A client that has no address is gone already.
bool is_this_machine(std::string_view peer) {
    return peer.empty() || peer == "::1" || peer.starts_with("127.") ||
           peer.starts_with("::ffff:127.");
}

/// Whether `origin` is that of a page which was asked of `host`, with or without TLS in between.
bool is_origin_of(std::string_view origin, std::string_view host) {
    for (const std::string_view scheme : {"http://", "https://"}) {
        if (origin.starts_with(scheme) && origin.substr(scheme.size()) == host) {
            return true;
        }
    }
    return false;
}

/// The credentials behind a scheme in an Authorization header; absent if it is another scheme.
std::optional<std::string_view> credentials_of(
    std::string_view authorization, std::string_view scheme
) {
    const auto lower = [](char letter) { return static_cast<char>(letter | 0x20); };
    if (authorization.size() <= scheme.size() || authorization[scheme.size()] != ' ' ||
        !std::ranges::equal(authorization.substr(0, scheme.size()), scheme, {}, lower, lower)) {
        return std::nullopt;
    }
    std::string_view credentials = authorization.substr(scheme.size() + 1);
    while (credentials.starts_with(' ')) {
        credentials.remove_prefix(1);
    }
    return credentials;
}

/// No Basic among the challenges: a browser would ask by a window of its own.
Response unauthorized(std::string_view type, std::string_view challenge, std::string_view detail) {
    Response response = http_server::problem(401, type, detail, "Authorization");
    response.headers.emplace_back("WWW-Authenticate", challenge);
    return response;
}

Response key_required(std::string_view detail) {
    return unauthorized("key-required", R"(Bearer realm="footfall")", detail);
}

Response key_refused(std::string_view detail) {
    return unauthorized("key-refused", R"(Bearer realm="footfall", error="invalid_token")", detail);
}

Response key_unknown() {
    return key_refused("this API key is not known here: it is misspelt, or was revoked");
}

Response key_expired() {
    return key_refused("this API key has expired; `footfall keys add` makes a new one");
}

Response scope_missing(Scope needed) {
    return http_server::problem(
        403,
        "scope-missing",
        fmt::format("this needs an API key with the scope {}", keys::name_of(needed)),
        "Authorization"
    );
}

std::optional<Response> refuse_scope(const keys::Access& access, Scope needed) {
    const bool allowed = keys::scopes_of(access.rights).allow(needed);
    return allowed ? std::nullopt : std::optional{scope_missing(needed)};
}

Response key_bound(const Party& party) {
    return http_server::problem(
        403,
        "key-bound",
        fmt::format(
            "this key is bound to {}: it may read the income, rates, statements and clicks of this "
            "{}, and nothing else",
            party.description(),
            keys::name_of(party.kind)
        ),
        "Authorization"
    );
}

/// What is percent-encoded in a request; in `scratch` if there was something to decode. What cannot
/// be decoded is empty, which nobody's id is.
std::string_view decoded(std::string_view encoded, std::string& scratch) {
    if (!encoded.contains('%')) {
        return encoded;
    }
    return http_server::percent_decode(encoded, scratch) ? std::string_view{scratch} : "";
}

}  // namespace

Response unknown_party(PartyKind kind) {
    const std::string_view name = keys::name_of(kind);
    return http_server::problem(
        404, "not-found", fmt::format("there is no {} of this name", name), name
    );
}

std::optional<Response> refuse_stranger(const Request& request) {
    const std::string_view host = request.known.host;
    if (!is_this_machine(request.peer)) {
        return http_server::problem(
            403,
            "not-this-machine",
            "without API keys footfall answers only the machine that it runs on; "
            "`footfall keys add` there makes a key"
        );
    }
    if (!is_loopback(host)) {
        return http_server::problem(
            403,
            "host-not-loopback",
            "without API keys footfall answers only requests to a loopback name such as 127.0.0.1 "
            "or localhost; `footfall keys add` makes a key",
            "Host"
        );
    }
    const std::string_view origin = request.known.origin;
    if (!origin.empty() && origin != "http://" + std::string{host}) {
        return http_server::problem(
            403,
            "other-origin",
            "without API keys footfall answers no page of another site",
            "Origin"
        );
    }
    return std::nullopt;
}

std::optional<Response> refuse_other_sites(
    const Request& request, std::span<const std::string> sites
) {
    if (sites.empty()) {
        return refuse_stranger(request);
    }
    const std::string_view origin = request.known.origin;
    if (origin.empty() || std::ranges::find(sites, origin) != sites.end()) {
        return std::nullopt;
    }
    return http_server::problem(
        403,
        "other-origin",
        "pages of this site are not counted here: it is none of those that the setting `sites` "
        "names",
        "Origin"
    );
}

bool is_from_own_page(const Request& request) {
    // What the browser itself says comes first: behind a proxy the Host may be another.
    const std::string_view site = request.header("sec-fetch-site");
    if (!site.empty()) {
        return site == "same-origin" || site == "none";
    }
    const std::string_view origin = request.known.origin;
    return origin.empty() || is_origin_of(origin, request.known.host);
}

std::string_view session_in(const Request& request) {
    std::string_view cookies = request.header("cookie");
    while (!cookies.empty()) {
        const std::size_t end = std::min(cookies.find(';'), cookies.size());
        std::string_view cookie = cookies.substr(0, end);
        cookies.remove_prefix(std::min(end + 1, cookies.size()));
        while (cookie.starts_with(' ')) {
            cookie.remove_prefix(1);
        }
        const std::size_t equals = std::min(cookie.find('='), cookie.size());
        if (cookie.substr(0, equals) == session_cookie && equals < cookie.size()) {
            return cookie.substr(equals + 1);
        }
    }
    return {};
}

Asked<SecretHash> Doorkeeper::shown_key(const Request& request) const {
    const std::string_view authorization = request.header("authorization");
    if (!authorization.empty()) {
        std::array<char, 300> room;
        std::string_view key;
        if (const auto bearer = credentials_of(authorization, "bearer")) {
            key = *bearer;
        } else if (const auto basic = credentials_of(authorization, "basic")) {
            const std::string_view pair = keys::decode_base64(*basic, room).value_or("");
            key = pair.substr(std::min(pair.find(':') + 1, pair.size()));
        }
        return keys::looks_like_key(key) ? Asked<SecretHash>{keys::hash_of(key)}
                                         : std::unexpected(key_unknown());
    }
    const std::string_view session = session_in(request);
    if (session.empty()) {
        return std::unexpected(key_required(
            "this needs an API key: send `Authorization: Bearer KEY`; `footfall keys add` makes one"
        ));
    }
    if (!is_from_own_page(request)) {
        return std::unexpected(http_server::problem(
            403,
            "other-origin",
            "a page of another site cannot use your session; it needs an API key of its own",
            "Origin"
        ));
    }
    if (const auto hash = sessions_->key_of(session)) {
        return *hash;
    }
    return std::unexpected(key_required("your session has ended: sign in again"));
}

/// What the key may do that a request shows, if it is good now.
Asked<keys::Access> Doorkeeper::access_of(const Request& request) const {
    Asked<SecretHash> shown = shown_key(request);
    if (!shown) {
        return std::unexpected(std::move(shown).error());
    }
    std::optional<keys::Access> access = keys_->find(*shown);
    if (!access) {
        return std::unexpected(key_unknown());
    }
    if (access->expired) {
        return std::unexpected(key_expired());
    }
    return *std::move(access);
}

std::optional<Response> Doorkeeper::refuse(const Request& request, Scope needed) const {
    if (!keys_->any()) {
        return refuse_stranger(request);
    }
    Asked<keys::Access> access = access_of(request);
    if (!access) {
        return std::move(access).error();
    }
    if (const Party* const party = keys::party_of(access->rights)) {
        return key_bound(*party);
    }
    return refuse_scope(*access, needed);
}

std::optional<Response> Doorkeeper::refuse_party(
    const Request& request, Scope needed, PartyKind kind, std::string_view id
) const {
    if (!keys_->any()) {
        return refuse_stranger(request);
    }
    Asked<keys::Access> access = access_of(request);
    if (!access) {
        return std::move(access).error();
    }
    if (const Party* const own = keys::party_of(access->rights)) {
        const bool is_own = own->kind == kind && own->id == id;
        return is_own ? std::nullopt : std::optional{unknown_party(kind)};
    }
    return refuse_scope(*access, needed);
}

std::optional<Response> Doorkeeper::refuse_asked_party(
    const Request& request, Scope needed, PartyKind kind
) const {
    std::string_view asked;
    if (!http_server::query_value(request.query, keys::name_of(kind), asked)) {
        return refuse(request, needed);
    }
    std::string scratch;
    return refuse_party(request, needed, kind, decoded(asked, scratch));
}

Asked<std::string> Doorkeeper::author(const Request& request) const {
    constexpr const char* this_machine = "this machine";
    if (!keys_->any()) {
        return this_machine;
    }
    Asked<keys::ApiKey> key = caller(request);
    if (!key) {
        return std::unexpected(std::move(key).error());
    }
    return key->name.empty() ? this_machine : std::move(key->name);  // a key of the program's own
}

Asked<keys::ApiKey> Doorkeeper::caller(const Request& request) const {
    const Asked<SecretHash> shown = shown_key(request);
    return shown ? holder_of(*shown) : std::unexpected(shown.error());
}

Asked<keys::ApiKey> Doorkeeper::holder(std::string_view key) const {
    return keys::looks_like_key(key) ? holder_of(keys::hash_of(key))
                                     : std::unexpected(key_unknown());
}

Asked<keys::ApiKey> Doorkeeper::holder_of(const SecretHash& hash) const {
    auto key = keys_->key_of(hash);
    if (!key) {
        return std::unexpected(key_unknown());
    }
    if (key->expired_at(keys_->clock().now())) {
        return std::unexpected(key_expired());
    }
    return *std::move(key);
}

void FrontDoor::add(
    Scope needed, Method method, std::string_view pattern, Handler handler, BodyLimit body
) {
    put_trusted(
        needed,
        method,
        pattern,
        std::move(handler),
        body,
        [keeper = keeper_, needed](const Request& request) {
            return keeper.refuse(request, needed);
        }
    );
}

void FrontDoor::add_refusing(
    Refuse refuse, Method method, std::string_view pattern, Handler handler, BodyLimit body
) {
    put_trusted(std::nullopt, method, pattern, std::move(handler), body, std::move(refuse));
}

void FrontDoor::add_for_party(
    Scope needed,
    PartyKind kind,
    Method method,
    std::string_view pattern,
    Handler handler,
    BodyLimit body
) {
    CHECK(pattern.contains('{'), "the path names the party", pattern);
    put_trusted(
        needed,
        method,
        pattern,
        std::move(handler),
        body,
        [keeper = keeper_, needed, kind](const Request& request) {
            std::string scratch;
            const std::string_view id = decoded(request.placeholders[0], scratch);
            return keeper.refuse_party(request, needed, kind, id);
        }
    );
}

void FrontDoor::add_for_asked_party(
    Scope needed,
    PartyKind kind,
    Method method,
    std::string_view pattern,
    Handler handler,
    BodyLimit body
) {
    put_trusted(
        needed,
        method,
        pattern,
        std::move(handler),
        body,
        [keeper = keeper_, needed, kind](const Request& request) {
            return keeper.refuse_asked_party(request, needed, kind);
        }
    );
}

void FrontDoor::add_page(Method method, std::string_view pattern, Handler handler, BodyLimit body) {
    put(method,
        pattern,
        std::move(handler),
        {.refuse = [keeper = keeper_](const Request& request
                   ) { return keeper.asks_for_keys() ? std::nullopt : refuse_stranger(request); },
         .body = body});
}

void FrontDoor::add_open(
    Method method, std::string_view pattern, Handler handler, BodyLimit body, Refuse refuse
) {
    put(method, pattern, std::move(handler), {.refuse = std::move(refuse), .body = body});
}

FrontDoor FrontDoor::elsewhere(std::string detail) const {
    FrontDoor door{*this};
    door.elsewhere_ = std::move(detail);
    return door;
}

FrontDoor FrontDoor::acting(const ActKind& kind) const {
    FrontDoor door{*this};
    door.acting_ = kind;
    return door;
}

void FrontDoor::put_trusted(
    std::optional<Scope> needed,
    Method method,
    std::string_view pattern,
    Handler handler,
    BodyLimit body,
    Refuse refuse
) {
    const bool is_governing = needed == Scope::admin || needed == Scope::money;
    CHECK(
        method == Method::get || !is_governing || acting_,
        "an administrative act is recorded: add it by acting()",
        pattern
    );
    if (acting_ && desk_) {
        handler = recorded(*desk_, keeper_, *acting_, pattern, std::move(handler));
    }
    put(method,
        pattern,
        std::move(handler),
        {.door = http_server::Door::trusted, .refuse = std::move(refuse), .body = body});
}

/// Whoever may come in is told where to go, if this is the door of others.
void FrontDoor::put(
    Method method, std::string_view pattern, Handler handler, http_server::Entrance entrance
) {
    if (!elsewhere_.empty()) {
        entrance.refuse = [refuse = std::move(entrance.refuse),
                           detail = elsewhere_](const Request& request) {
            auto refusal = refuse ? refuse(request) : std::nullopt;
            return refusal ? std::move(refusal)
                           : http_server::problem(421, "another-process", detail);
        };
    }
    router_->add(method, pattern, std::move(handler), std::move(entrance));
}

}  // namespace footfall::api
