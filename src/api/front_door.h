#pragma once

#include "api/parameters.h"
#include "api/recorded_acts.h"
#include "http_server/request.h"
#include "http_server/router.h"
#include "keys/key_registry.h"
#include "keys/party.h"
#include "keys/rights.h"
#include "keys/sessions.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace footfall::api {

/// Without API keys only this machine may ask: the client must sit on it, the Host must be a
/// loopback name, and an Origin, if a browser sends one, the same. So no page of another site can
/// use the browser of somebody who runs Footfall, nor can a name that was made to point here, nor a
/// neighbour who only says that he asks for a loopback name. Absent: come in.
std::optional<http_server::Response> refuse_stranger(const http_server::Request& request);

/// The public door, for pages of these sites ("https://example.org"): whatever the Host, and
/// without an Origin, as images have none, or with one of theirs. There is nothing to be read
/// behind it. Without any site only this machine may ask, also when there are keys: those who are
/// counted have none. Absent: come in.
std::optional<http_server::Response> refuse_other_sites(
    const http_server::Request& request, std::span<const std::string> sites
);

/// Whether a browser sent this from a page of ours, or whether no page sent it. What a browser adds
/// by itself, a cookie, is only worth something then.
bool is_from_own_page(const http_server::Request& request);

/// The cookie that stands for a session.
inline constexpr std::string_view session_cookie = "footfall_session";

/// The session's id that the request's cookie names; empty if there is none.
std::string_view session_in(const http_server::Request& request);

/// What whoever may not know of a party is told, and so whoever asks for one that nobody has heard
/// of: the same, so that nobody learns from it which there are.
http_server::Response unknown_party(keys::PartyKind kind);

/// Who may come in by the trusted door. Without a key in the registry: refuse_stranger(). With one:
/// whoever shows a key that has the scope, from wherever, under whatever Host, since no browser can
/// be made to send a key; or the cookie of a session, from a page of ours. A key that is bound to a
/// party has no scope: it is refused but where a route is about that party.
///
/// A plain value; what it is made of must outlive it. Thread-safe. Looks at no header where there
/// is no key, and allocates nothing but refusals.
class Doorkeeper {
public:
    Doorkeeper(const keys::KeyRegistry& keys, keys::Sessions& sessions)
        : keys_{&keys}, sessions_{&sessions} {}

    /// The refusal of a request for something that needs `needed`; absent: come in.
    std::optional<http_server::Response> refuse(
        const http_server::Request& request, keys::Scope needed
    ) const;

    /// The same where it is about the party `id`, decoded: whoever has the scope comes in, and the
    /// key that is bound to this party. One that is bound to another is told that it is unknown.
    std::optional<http_server::Response> refuse_party(
        const http_server::Request& request,
        keys::Scope needed,
        keys::PartyKind kind,
        std::string_view id
    ) const;

    /// The same where ?reseller= or ?publisher=, as the kind is called, says whom it is about;
    /// without that parameter as refuse().
    std::optional<http_server::Response> refuse_asked_party(
        const http_server::Request& request, keys::Scope needed, keys::PartyKind kind
    ) const;

    /// Who a change was made by, for people: the name of the key, or "this machine", which no key
    /// can be called. Refused if the key is not good any more.
    Asked<std::string> author(const http_server::Request& request) const;

    /// The key that a request shows, itself or by a session, if it is good now; else the refusal.
    /// Only where there are keys.
    Asked<keys::ApiKey> caller(const http_server::Request& request) const;

    /// The same for a key in itself.
    Asked<keys::ApiKey> holder(std::string_view key) const;

    /// Whether anybody needs a key.
    bool asks_for_keys() const { return keys_->any(); }

private:
    Asked<keys::SecretHash> shown_key(const http_server::Request& request) const;
    Asked<keys::Access> access_of(const http_server::Request& request) const;
    Asked<keys::ApiKey> holder_of(const keys::SecretHash& hash) const;

    const keys::KeyRegistry* keys_;
    keys::Sessions* sessions_;
};

/// The limit of requests that need no body: one that is sent all the same is not looked at.
inline constexpr http_server::BodyLimit no_body{.bytes = 4 << 10};

/// Where routes are added, each behind the door it names: one that none was thought of for cannot
/// be written. Who may not come in is told so before the body is read, and so is he whose body is
/// longer than the route's limit. Used at start-up; the router keeps copies of the doorkeeper.
///
/// What changes something and needs the scope `admin` or `money` is an administrative act: it is
/// added by acting(), or the program does not start. Other routes may be.
class FrontDoor {
public:
    FrontDoor(http_server::Router& router, Doorkeeper keeper) : router_{&router}, keeper_{keeper} {}

    /// The same with a desk at which acts are recorded. Without one, in tests of routes, they are
    /// not.
    FrontDoor(http_server::Router& router, Doorkeeper keeper, const ActDesk& desk)
        : router_{&router}, keeper_{keeper}, desk_{desk} {}

    /// Behind the trusted door: whoever has a key with this scope, or this machine without keys.
    void add(
        keys::Scope needed,
        http_server::Method method,
        std::string_view pattern,
        http_server::Handler handler,
        http_server::BodyLimit body = no_body
    );

    /// The answer that refuses a request by its header; absent: come in.
    using Refuse = std::function<std::optional<http_server::Response>(const http_server::Request&)>;

    /// The same where the scope depends on what is asked: whom `refuse` lets in, by keeper().
    void add_refusing(
        Refuse refuse,
        http_server::Method method,
        std::string_view pattern,
        http_server::Handler handler,
        http_server::BodyLimit body = no_body
    );

    /// The same for what is about one party, which the pattern's first placeholder names: also for
    /// the key that is bound to it (Doorkeeper::refuse_party).
    void add_for_party(
        keys::Scope needed,
        keys::PartyKind kind,
        http_server::Method method,
        std::string_view pattern,
        http_server::Handler handler,
        http_server::BodyLimit body = no_body
    );

    /// The same where a parameter names the party (Doorkeeper::refuse_asked_party). The handler
    /// must not answer with what belongs to others than the one that was asked for.
    void add_for_asked_party(
        keys::Scope needed,
        keys::PartyKind kind,
        http_server::Method method,
        std::string_view pattern,
        http_server::Handler handler,
        http_server::BodyLimit body = no_body
    );

    /// The program's own pages, which tell nothing but what the program is: for everybody once
    /// there are keys, and for this machine without.
    void add_page(
        http_server::Method method,
        std::string_view pattern,
        http_server::Handler handler,
        http_server::BodyLimit body = no_body
    );

    /// For everybody, or for whom `refuse` lets in: health, and the public door.
    void add_open(
        http_server::Method method,
        std::string_view pattern,
        http_server::Handler handler,
        http_server::BodyLimit body = no_body,
        Refuse refuse = {}
    );

    /// The same door where nobody is at home: what is added there is answered 421 with `detail`,
    /// which says where to go. Strangers are refused as here.
    FrontDoor elsewhere(std::string detail) const;

    /// The same door for routes that are administrative acts of this kind: each of their requests
    /// is recorded before it is carried out (recorded_acts.h). Of no effect behind other doors than
    /// the trusted one.
    FrontDoor acting(const ActKind& kind) const;

    const Doorkeeper& keeper() const { return keeper_; }

private:
    void put_trusted(
        std::optional<keys::Scope> needed,
        http_server::Method method,
        std::string_view pattern,
        http_server::Handler handler,
        http_server::BodyLimit body,
        Refuse refuse
    );
    void put(
        http_server::Method method,
        std::string_view pattern,
        http_server::Handler handler,
        http_server::Entrance entrance
    );

    http_server::Router* router_;
    Doorkeeper keeper_;
    std::optional<ActDesk> desk_;
    std::optional<ActKind> acting_;
    std::string elsewhere_;  ///< Empty: handlers of this process answer.
};

}  // namespace footfall::api
