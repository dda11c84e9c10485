// Keys that are bound to a reseller or a publisher, at the door.
#include "api/front_door.h"
#include "api/test_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace footfall::api {
namespace {

using http_server::Exchange;
using http_server::Method;
using http_server::Response;
using keys::Party;
using keys::PartyKind;
using keys::Scope;
using std::chrono::hours;
using testing::HasSubstr;

/// Routes of each kind that answer "in".
class PartyDoor : public testing::Test {
protected:
    PartyDoor() {
        FrontDoor door{router_, world_.keeper};
        const auto in = [](Exchange& exchange) -> std::optional<runtime::Task<>> {
            exchange.response().body = "in";
            return std::nullopt;
        };
        constexpr auto reseller = PartyKind::reseller;
        constexpr auto publisher = PartyKind::publisher;
        door.add_for_party(Scope::money, reseller, Method::get, "/resellers/{id}/income", in);
        door.add_for_party(Scope::read, reseller, Method::get, "/resellers/{id}/clicks", in);
        door.add_for_party(Scope::money, publisher, Method::get, "/publishers/{id}/income", in);
        door.add_for_asked_party(Scope::read, reseller, Method::get, "/live", in);
        door.add(Scope::money, Method::get, "/resellers/{id}/split", in);
        door.add(Scope::read, Method::get, "/views", in);
        world_.add("admin", "admin");
    }

    /// From another machine, with a key if there is one.
    Response ask(std::string_view target, const std::string& key) {
        const std::string authorization = "Bearer " + key;
        http_server::Request request;
        request.method = Method::get;
        request.path = target.substr(0, target.find('?'));
        request.query = target.substr(std::min(request.path.size() + 1, target.size()));
        request.peer = "192.0.2.7";
        request.known.host = "count.example";
        if (!key.empty()) {
            request.headers.emplace_back("Authorization", authorization);
        }
        return api::ask(router_, request);
    }

    int status(std::string_view target, const std::string& key) { return ask(target, key).status; }

    std::string add_reseller(const char* id, std::optional<Instant> expires = std::nullopt) {
        return world_.add("partner", Party{.kind = PartyKind::reseller, .id = id}, expires);
    }

    KeyWorld world_;
    http_server::Router router_;
};

TEST_F(PartyDoor, opens_to_the_key_of_that_party) {
    const std::string key = add_reseller("r");
    EXPECT_EQ(ask("/resellers/r/income", key).body, "in");
    EXPECT_EQ(status("/resellers/r/clicks", key), 200);
    EXPECT_EQ(status("/resellers/%72/income", key), 200);
    EXPECT_EQ(status("/live?reseller=r", key), 200);
    EXPECT_EQ(status("/live?ad=a&reseller=%72", key), 200);
}

TEST_F(PartyDoor, decodes_ids_once) {
    const std::string key = add_reseller("a/b %2F\u00e9+");
    EXPECT_EQ(status("/resellers/a%2fb%20%252F%C3%A9+/income", key), 200);
    EXPECT_EQ(status("/live?reseller=a/b%20%252F%c3%a9+", key), 200);
    EXPECT_EQ(status("/resellers/a%2fb%20%2F%C3%A9+/income", key), 404);
    EXPECT_EQ(status("/live?reseller=a/b%20%2F%c3%a9+", key), 404);
}

TEST_F(PartyDoor, knows_no_other_party) {
    const std::string key = add_reseller("r");
    for (const std::string_view target :
         {"/resellers/s/income",
          "/resellers/R/income",
          "/resellers/rr/clicks",
          "/resellers//income",
          "/resellers/r%/income",
          "/resellers/r%00/income",
          "/resellers/%FF/income",
          "/live?reseller=s",
          "/live?reseller=",
          "/live?reseller=%",
          "/live?reseller=s&reseller=r"}) {
        const Response refused = ask(target, key);
        EXPECT_EQ(refused.status, 404) << target;
        EXPECT_EQ(refused.body, unknown_party(PartyKind::reseller).body);
    }
    const Response of_other_kind = ask("/publishers/r/income", key);
    EXPECT_EQ(of_other_kind.status, 404);
    EXPECT_EQ(of_other_kind.body, unknown_party(PartyKind::publisher).body);
    EXPECT_THAT(of_other_kind.body, HasSubstr("there is no publisher of this name"));
}

TEST_F(PartyDoor, of_an_id_looks_at_the_kind) {
    const std::string key = world_.add("site", Party{.kind = PartyKind::publisher, .id = "x"});
    EXPECT_EQ(status("/publishers/x/income", key), 200);
    EXPECT_EQ(status("/resellers/x/income", key), 404);
    EXPECT_EQ(status("/live?reseller=x", key), 404);
}

TEST_F(PartyDoor, refuses_a_bound_key_everything_else_and_says_what_it_is_for) {
    const std::string key = add_reseller("r");
    for (const std::string_view target :
         {"/views", "/resellers/r/split", "/resellers/s/split", "/live", "/live?publisher=r"}) {
        const Response refused = ask(target, key);
        EXPECT_EQ(refused.status, 403) << target;
        EXPECT_THAT(refused.body, HasSubstr("/problems/key-bound"));
        EXPECT_THAT(refused.body, HasSubstr(R"(bound to reseller \"r\": it may read)"));
    }
}

TEST_F(PartyDoor, asks_everybody_else_for_the_scope) {
    const std::string money = world_.add("money", "money");
    const std::string read = world_.add("read", "read");
    EXPECT_EQ(status("/resellers/r/income", money), 200);
    EXPECT_EQ(status("/resellers/%/income", money), 200) << "what is wrong, the handler says";
    EXPECT_EQ(status("/live?reseller=r", read), 200);
    EXPECT_EQ(status("/live", read), 200);
    EXPECT_EQ(status("/resellers/r/clicks", money), 403);
    EXPECT_EQ(status("/live?reseller=r", money), 403);
    const Response refused = ask("/resellers/r/income", read);
    EXPECT_EQ(refused.status, 403);
    EXPECT_THAT(refused.body, HasSubstr("an API key with the scope money"));
    EXPECT_EQ(status("/resellers/r/income", ""), 401);
    EXPECT_EQ(status("/live?reseller=r", ""), 401);
}

TEST_F(PartyDoor, is_for_this_machine_as_long_as_there_is_no_key) {
    EXPECT_EQ(world_.keys->revoke("admin"), 0U);
    EXPECT_EQ(status("/resellers/r/income", ""), 403);
    EXPECT_EQ(status("/live?reseller=r", ""), 403);
    http_server::Request request;
    request.peer = "127.0.0.1";
    request.known.host = "localhost";
    EXPECT_FALSE(world_.keeper.refuse_party(request, Scope::money, PartyKind::reseller, "r"));
}

/// Streams ask again each second.
TEST_F(PartyDoor, closes_in_mid_stream_to_a_key_that_is_revoked_or_expires) {
    const auto still_in = [&](const std::string& key) {
        const std::string authorization = "Bearer " + key;
        http_server::Request request;
        request.query = "reseller=r";
        request.headers.emplace_back("Authorization", authorization);
        const auto refusal =
            world_.keeper.refuse_asked_party(request, Scope::read, PartyKind::reseller);
        return refusal ? refusal->status : 200;
    };
    const std::string revoked = add_reseller("r");
    EXPECT_EQ(still_in(revoked), 200);
    EXPECT_TRUE(world_.keys->revoke("partner"));
    EXPECT_EQ(still_in(revoked), 401);
    EXPECT_EQ(status("/resellers/r/income", revoked), 401);

    const std::string expiring = add_reseller("r", world_.clock.now() + hours{1});
    EXPECT_EQ(still_in(expiring), 200);
    world_.clock.advance(hours{1});
    EXPECT_EQ(still_in(expiring), 401);
    EXPECT_EQ(status("/resellers/r/income", expiring), 401);
    EXPECT_EQ(status("/resellers/s/income", expiring), 401);

    EXPECT_TRUE(world_.keys->revoke("partner"));
    EXPECT_EQ(still_in(add_reseller("s")), 404) << "the name alone is worth nothing";
}

TEST_F(PartyDoor, where_nobody_is_at_home_lets_in_and_refuses_the_same) {
    FrontDoor{router_, world_.keeper}
        .elsewhere("by a process with the role query")
        .add_for_party(
            Scope::money,
            PartyKind::reseller,
            Method::get,
            "/resellers/{id}/rates",
            [](Exchange&) { return std::optional<runtime::Task<>>{}; }
        );
    const std::string key = add_reseller("r");
    EXPECT_EQ(status("/resellers/r/rates", key), 421);
    EXPECT_EQ(status("/resellers/s/rates", key), 404);
}

TEST_F(PartyDoor, tells_who_makes_a_change) {
    const auto author = [&](const std::string& key) {
        const std::string authorization = "Bearer " + key;
        http_server::Request request;
        request.headers.emplace_back("Authorization", authorization);
        const Asked<std::string> told = world_.keeper.author(request);
        return told ? *told : std::to_string(told.error().status);
    };
    const std::string key = world_.add("ann", "money");
    EXPECT_EQ(author(key), "ann");
    EXPECT_EQ(author(world_.keys->make_own_key(keys::Scopes::all()).value()), "this machine");
    EXPECT_TRUE(world_.keys->revoke("ann"));
    EXPECT_EQ(author(key), "401");
    EXPECT_TRUE(world_.keys->revoke("admin"));
    EXPECT_EQ(author(key), "this machine");
}

}  // namespace
}  // namespace footfall::api
