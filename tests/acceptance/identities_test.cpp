// One profile from many networks, asked of the real program: whatever is said in whatever order,
// and by however many at once, the profiles are the same; each can be explained and undone.
#include "events/rfc3339.h"
#include "foundation/clock.h"
#include "foundation/random.h"
#include "identities_server.h"
#include "test_support/eventually.h"
#include "test_support/random_seed.h"
#include "test_support/run_command.h"
#include "test_support/running_server.h"
#include "test_support/tested_store.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace footfall {
namespace {

using http_server::Method;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::UnorderedElementsAre;
using namespace test_support;

class Identities : public IdentitiesServer {
protected:
    boost::json::object path(const std::string& from, const std::string& to) {
        const auto end = [](std::string_view name, const std::string& id) {
            const auto colon = id.find(':');
            return fmt::format(
                "{0}_identifier={1}&{0}_id_name=id&{0}_id_value={2}",
                name,
                id.substr(0, colon),
                id.substr(colon + 1)
            );
        };
        return api_.get_json(
            fmt::format("/api/v1/identities/path?{}&{}", end("from", from), end("to", to))
        );
    }
};

TEST_F(Identities, of_two_networks_are_one_profile_by_whatever_links) {
    const auto first = match({"www:w111", "xxxx:x111"}, R"(,"source":"crm")");
    EXPECT_TRUE(first.at("created").as_bool());
    const std::string named{first.at("sid").as_string()};
    const auto other = match({"yyyy:y111"});
    EXPECT_TRUE(other.at("created").as_bool());
    const auto both = match({"xxxx:x111", "yyyy:y111"});
    EXPECT_FALSE(both.at("created").as_bool());
    EXPECT_EQ(both.at("sid").as_string(), named) << "of the id that was said first";
    EXPECT_THAT(both.at("merged").as_array(), SizeIs(2));
    EXPECT_EQ(sid("yyyy:y111"), named);
    EXPECT_THAT(ids_of(named), ElementsAre("www:w111", "xxxx:x111", "yyyy:y111"));
    EXPECT_THAT(ids_of(std::string{other.at("sid").as_string()}), SizeIs(3))
        << "a sid that was given out goes on answering";
    EXPECT_THAT(
        said_of(named),
        ElementsAre(
            "crm said that www/id/w111 and xxxx/id/x111 are one person",
            "somebody said that there is yyyy/id/y111",
            "somebody said that xxxx/id/x111 and yyyy/id/y111 are one person"
        )
    );
    EXPECT_EQ(sid("www:x111"), "");
    EXPECT_EQ(api_.send(Method::get, "/api/v1/profiles/" + std::string(36, 'a')).status, 404);
}

TEST_F(Identities, a_merge_can_be_undone_and_stays_undone) {
    match({"www:w1", "shop:c1"});
    match({"www:w2", "shop:c2"});
    const std::string one = sid("www:w1");
    const std::string two = sid("www:w2");
    match({"shop:c1", "kiosk:k", "shop:c2"});
    ASSERT_EQ(sid("www:w2"), one);
    const std::string body =
        fmt::format(R"({{"ids":{},"reason":"a kiosk"}})", ids_json({"www:w2", "shop:c2"}));

    const auto trial = parse_object(detach(one, body, true).body);
    EXPECT_TRUE(trial.at("decision").is_null());
    EXPECT_THAT(trial.at("profiles").as_array(), SizeIs(2));
    EXPECT_EQ(sid("www:w2"), one) << "a dry run decides nothing";

    const auto decided = parse_object(detach(one, body).body);
    EXPECT_EQ(sid("www:w2"), two) << "as if they had never been one";
    EXPECT_THAT(ids_of(two), UnorderedElementsAre("www:w2", "shop:c2"));
    EXPECT_THAT(ids_of(one), UnorderedElementsAre("www:w1", "shop:c1", "kiosk:k"));
    const auto again = match({"shop:c1", "kiosk:k", "shop:c2"});
    ASSERT_THAT(again.at("contested").as_array(), SizeIs(1));
    EXPECT_EQ(again.at("contested").at(0).at("guard").as_string(), "parting");
    EXPECT_EQ(sid("www:w2"), two) << "said again it stays undone";

    const std::string decision{decided.at("decision").as_string()};
    EXPECT_EQ(
        api_.send(Method::del, "/api/v1/identities/decisions/" + decision + "?reason=wrong").status,
        200
    );
    EXPECT_EQ(sid("www:w2"), one) << "a parting can be taken back";
    EXPECT_THAT(said_of(one), SizeIs(5));
    EXPECT_THAT(
        said_of(one),
        testing::Contains(
            "this machine decided that kiosk/id/k, shop/id/c1 and www/id/w1 are somebody else than "
            "shop/id/c2 and www/id/w2"
        )
    );
}

TEST_F(Identities, a_link_is_rejected_and_accepted_again) {
    match({"www:w1", "shop:c1"});
    const std::string one = sid("www:w1");
    const auto facts = api_.get_json("/api/v1/profiles/" + one + "/why").at("facts").as_array();
    const std::string fact{facts.at(0).at("fact").as_string()};
    EXPECT_EQ(
        detach(one, fmt::format(R"({{"facts":["{}"],"reason":"a guess"}})", fact)).status, 200
    );
    EXPECT_NE(sid("www:w1"), sid("shop:c1"));
    const auto now =
        api_.get_json("/api/v1/profiles/" + sid("shop:c1") + "/why").at("facts").as_array();
    ASSERT_THAT(now, SizeIs(2));
    EXPECT_TRUE(now.at(0).as_object().contains("revoked")) << "the link was rejected";
    EXPECT_FALSE(now.at(1).as_object().contains("revoked")) << "and the reject holds";
    match({"www:w1", "shop:c1"});
    EXPECT_NE(sid("www:w1"), sid("shop:c1")) << "said again it does not hold";
    const auto answer = api_.send(
        Method::post,
        "/api/v1/identities/decisions",
        fmt::format(R"({{"kind":"accept","fact":"{}"}})", fact)
    );
    EXPECT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(sid("www:w1"), sid("shop:c1")) << "the later decision holds";
}

/// What facts of a path, or of what keeps two apart, say.
std::vector<std::string> said_in(const boost::json::array& facts) {
    std::vector<std::string> said;
    for (const boost::json::value& each : facts) {
        const boost::json::value& named = each.at("fact");
        said.emplace_back((named.is_object() ? named : each).at("says").as_string());
    }
    return said;
}

TEST_F(Identities, are_tied_by_the_shortest_path_or_kept_apart_by_what_is_told) {
    match({"www:w1", "shop:c1"}, R"(,"source":"crm","time":"2026-11-01T00:00:00Z")");
    match({"shop:c1", "tv:t1"}, R"(,"source":"crm","time":"2026-11-02T00:00:00Z")");
    match({"tv:t1", "app:a1"}, R"(,"source":"crm","time":"2026-11-03T00:00:00Z")");
    match({"www:w1", "shop:c1"}, R"(,"source":"crm","time":"2026-11-09T00:00:00Z")");
    const auto long_way = path("www:w1", "app:a1");
    EXPECT_TRUE(long_way.at("together").as_bool());
    EXPECT_THAT(
        said_in(long_way.at("path").as_array()),
        ElementsAre(
            "crm said that shop/id/c1 and www/id/w1 are one person",
            "crm said that shop/id/c1 and tv/id/t1 are one person",
            "crm said that app/id/a1 and tv/id/t1 are one person"
        )
    );
    const auto& step = long_way.at("path").at(0);
    EXPECT_EQ(step.at("to").at("id_value").as_string(), "c1");
    EXPECT_EQ(step.at("fact").at("time").as_string(), "2026-11-01T00:00:00Z");
    EXPECT_EQ(step.at("fact").at("last").as_string(), "2026-11-09T00:00:00Z");

    match({"www:w1", "tv:t1"}, R"(,"source":"shop","time":"2026-11-04T00:00:00Z")");
    EXPECT_THAT(
        said_in(path("www:w1", "app:a1").at("path").as_array()),
        ElementsAre(
            "shop said that tv/id/t1 and www/id/w1 are one person",
            "crm said that app/id/a1 and tv/id/t1 are one person"
        )
    );

    const std::string body = fmt::format(R"({{"ids":{}}})", ids_json({"app:a1"}));
    ASSERT_EQ(detach(sid("www:w1"), body).status, 200);
    const auto apart = path("www:w1", "app:a1");
    EXPECT_FALSE(apart.at("together").as_bool());
    EXPECT_THAT(apart.at("path").as_array(), SizeIs(0));
    EXPECT_EQ(apart.at("to").at("sid").as_string(), sid("app:a1"));
    EXPECT_EQ(apart.at("apart").at(0).at("contested").as_string(), "parting");
    EXPECT_THAT(
        said_in(apart.at("apart").as_array()),
        ElementsAre(
            "crm said that app/id/a1 and tv/id/t1 are one person",
            "this machine decided that app/id/a1 is somebody else than shop/id/c1, tv/id/t1 and "
            "www/id/w1"
        )
    );
    match({"www:w9", "shop:c9"});
    EXPECT_THAT(path("www:w1", "shop:c9").at("apart").as_array(), SizeIs(0));
}

TEST_F(Identities, are_detached_by_all_links_of_a_source_at_once) {
    constexpr int customers = 40;
    const auto customer = [](int number) { return fmt::format("shop:c{}", number); };
    for (int each = 0; each < customers; ++each) {
        match({fmt::format("www:w{}", each), customer(each)}, R"(,"time":"2026-11-01T00:00:00Z")");
    }
    const std::vector<std::string> sids{sid(customer(0)), sid(customer(1)), sid(customer(39))};
    for (int each = 1; each < customers; ++each) {
        match(
            {customer(each - 1), customer(each)},
            R"(,"source":"broken","time":"2026-11-02T00:00:00Z")"
        );
    }
    match({customer(0), "tv:t"}, R"(,"source":"broken","time":"2026-11-03T00:00:00Z")");
    const std::string one = sid(customer(0));
    ASSERT_THAT(ids_of(one), SizeIs(2 * customers + 1));
    const std::string body =
        R"({"links":{"source":"broken","from":"2026-11-02T00:00:00Z","until":"2026-11-03T00:00:00Z"}})";

    const auto trial = parse_object(detach(one, body, true).body);
    EXPECT_EQ(trial.at("decided").as_int64(), customers - 1);
    EXPECT_THAT(trial.at("profiles").as_array(), SizeIs(customers));
    EXPECT_THAT(ids_of(one), SizeIs(2 * customers + 1)) << "a dry run decides nothing";

    const auto decided = parse_object(detach(one, body).body);
    EXPECT_THAT(decided.at("decisions").as_array(), SizeIs(customers - 1));
    EXPECT_EQ(decided.at("profiles"), trial.at("profiles"));
    EXPECT_EQ((std::vector{sid(customer(0)), sid(customer(1)), sid(customer(39))}), sids)
        << "as if they had never been one";
    EXPECT_EQ(ids_of(sid(customer(0))), (std::vector<std::string>{"shop:c0", "tv:t", "www:w0"}))
        << "what was said at another time holds";
    EXPECT_EQ(parse_object(detach(one, body).body).at("decided").as_int64(), 0)
        << "sent again it decides nothing";

    std::string names;
    for (const auto& each : decided.at("decisions").as_array()) {
        const std::string name{each.as_string()};
        ASSERT_EQ(api_.send(Method::del, "/api/v1/identities/decisions/" + name).status, 200);
    }
    EXPECT_THAT(ids_of(one), SizeIs(2 * customers + 1)) << "each can be taken back";
    for (const auto& each :
         api_.get_json("/api/v1/profiles/" + one + "/why").at("facts").as_array()) {
        if (each.at("source").as_string() == "broken") {
            names += fmt::format(
                R"({}"{}")", names.empty() ? "" : ",", std::string_view{each.at("fact").as_string()}
            );
        }
    }
    const auto by_name = parse_object(detach(one, fmt::format(R"({{"facts":[{}]}})", names)).body);
    EXPECT_EQ(by_name.at("decided").as_int64(), customers) << "more than a match has ids";
    EXPECT_EQ(ids_of(sid(customer(0))), (std::vector<std::string>{"shop:c0", "www:w0"}));
}

TEST_F(Identities, are_stated_by_events_that_name_them) {
    const auto outcome = api_.post_events(
        R"({"action":"view","object":"a","actor":"ann",)"
        R"("identifiers":[{"identifier":"www","id_name":"id","id_value":"w1"}]})"
        "\n"
        R"({"action":"sale","object":"b","amount":"1","currency":"EUR","identifiers":[)"
        R"({"identifier":"www","id_name":"id","id_value":"w1"},)"
        R"({"identifier":"shop","id_name":"id","id_value":"c1"}]})"
        "\n"
    );
    EXPECT_EQ(outcome.at("accepted").to_number<int>(), 2) << outcome;
    EXPECT_TRUE(eventually([&] { return !sid("shop:c1").empty(); }));
    const std::string one = sid("shop:c1");
    EXPECT_EQ(sid("www:w1"), one);
    EXPECT_THAT(ids_of(one), UnorderedElementsAre("footfall:ann", "shop:c1", "www:w1"));
}

TEST_F(Identities, are_not_stated_by_reads) {
    ASSERT_EQ(api_.send(Method::put, "/api/v1/people/ann", R"({"reading":"shared"})").status, 200);
    api_.post_events(R"({"action":"read","object":"https://news.example/a","actor":"ann",)"
                     R"("identifiers":[{"identifier":"www","id_name":"id","id_value":"w1"}]})"
                     "\n"
                     R"({"action":"view","object":"a","actor":"eve",)"
                     R"("identifiers":[{"identifier":"www","id_name":"id","id_value":"w2"}]})"
                     "\n");
    EXPECT_TRUE(eventually([&] { return !sid("www:w2").empty(); }));
    EXPECT_EQ(sid("www:w1"), "");
    EXPECT_EQ(sid("footfall:ann"), "");
}

/// 20 ids of four people, each link said by one of several clients, in an order of their own.
TEST_F(Identities, are_the_same_whoever_says_what_in_whatever_order) {
    constexpr std::size_t people = 4;
    constexpr std::size_t ids = 5;
    constexpr std::size_t clients = 8;
    std::vector<std::vector<std::string>> links;
    for (std::size_t person = 0; person < people; ++person) {
        for (std::size_t id = 0; id + 1 < ids; ++id) {
            links.push_back(
                {fmt::format("n{}:p{}", id, person), fmt::format("n{}:p{}", id + 1, person)}
            );
        }
    }
    const std::uint64_t seed = random_seed();
    {
        std::vector<std::jthread> threads;
        threads.reserve(clients);
        for (std::size_t client = 0; client < clients; ++client) {
            threads.emplace_back([&, client] {
                Api api{server_.client()};
                Random random{seed + client};
                std::vector<std::vector<std::string>> mine = links;
                for (std::size_t at = mine.size(); at > 1; --at) {
                    std::swap(mine[at - 1], mine[random.below(at)]);
                }
                for (const auto& link : mine) {
                    const auto answer = api.send(
                        Method::post,
                        "/api/v1/identities/match",
                        fmt::format(R"({{"ids":{},"time":"2026-11-01T00:00:00Z"}})", ids_json(link))
                    );
                    EXPECT_EQ(answer.status, 200) << answer.body;
                }
            });
        }
    }
    std::set<std::string> sids;
    for (std::size_t person = 0; person < people; ++person) {
        const std::string one = sid(fmt::format("n0:p{}", person));
        EXPECT_THAT(ids_of(one), SizeIs(ids)) << "FOOTFALL_SEED=" << seed;
        for (std::size_t id = 0; id < ids; ++id) {
            EXPECT_EQ(sid(fmt::format("n{}:p{}", id, person)), one);
        }
        EXPECT_THAT(said_of(one), SizeIs(ids - 1)) << "one fact for a statement";
        sids.insert(one);
    }
    EXPECT_THAT(sids, SizeIs(people));
}

TEST_F(Identities, follow_the_guards_of_the_configuration_and_those_after_them) {
    const std::vector<std::string> all{"shop:x", "www:a", "www:b"};
    match({"www:a", "shop:x"});
    match({"www:b", "shop:x"});
    EXPECT_EQ(ids_of(sid("shop:x")), all);
    restart(
        {"--config",
         directory_.write(
             "guards.toml",
             "[[identifier]]\nname = \"www\"\nper_profile = 1\n"
             "[[identifier]]\nname = \"mail\"\nnormalise = \"email\"\n"
         )}
    );
    const auto settled = [&](const std::vector<std::string>& ids) {
        return eventually(
            [&] { return ids_of(sid("shop:x")) == ids && !is_provisional("shop:x"); },
            std::chrono::seconds{30}
        );
    };
    ASSERT_TRUE(settled({"shop:x", "www:a"})) << "the second link is objected to";
    const auto contested = match({"www:c", "shop:x"}).at("contested").as_array();
    ASSERT_THAT(contested, SizeIs(1));
    EXPECT_EQ(contested[0].at("guard").as_string(), "per_profile");
    match({"mail:Ann@Example.org", "shop:x"});
    EXPECT_EQ(sid("mail:ANN@example.org"), sid("shop:x")) << "whoever asks in whatever letters";
    EXPECT_EQ(ids_of(sid("shop:x")).front(), "mail:ann@example.org");
    restart({});
    EXPECT_TRUE(settled({"mail:ann@example.org", "shop:x", "www:a", "www:b", "www:c"}))
        << "no word of guards is those that hold anyway";
    // Verify holds no profiles to facts until all are settled under the guards that hold.
    EXPECT_TRUE(eventually([&] { return !is_provisional("www:a"); }));
    ASSERT_EQ(server_.stop(), 0);
    const CommandResult verified = verify();
    EXPECT_EQ(verified.exit_code, 0) << verified.output << verified.errors;
    EXPECT_EQ(verified.output, "verified 4 events of 5 objects: 0 differences\n");
}

TEST_F(Identities, have_the_data_that_win_by_rule_and_say_why) {
    restart({"--identities-data", "city=sources:crm>shop,born=first"});
    match(
        {"crm:7", "www:w1"},
        R"(,"source":"crm","time":"2026-11-01T00:00:00Z","data":{"city":"Oslo","born":1971,"consent":"denied"})"
    );
    match(
        {"shop:c1", "www:w1"},
        R"(,"source":"shop","time":"2026-11-02T00:00:00Z","data":{"city":"Bergen","born":1999,"consent":"granted"})"
    );
    const auto profile = api_.get_json("/api/v1/profiles/" + sid("www:w1"));
    EXPECT_EQ(
        profile.at("data"),
        (boost::json::value{{"born", 1971}, {"city", "Oslo"}, {"consent", "denied"}})
    );
    const auto& why = profile.at("data_why").as_array();
    ASSERT_EQ(why.size(), 3U);
    EXPECT_EQ(why[1].at("source").as_string(), "crm");
    EXPECT_EQ(why[1].at("wins").as_string(), "sources");
    EXPECT_EQ(why[1].at("of").at("id_value").as_string(), "7");
    EXPECT_EQ(why[1].at("others").as_int64(), 1);
    EXPECT_THAT(
        said_of(sid("www:w1")),
        testing::Contains(HasSubstr("shop said that city of shop/id/c1 is \"Bergen\""))
    );
    // Each goes with its id.
    ASSERT_EQ(
        detach(sid("www:w1"), fmt::format(R"({{"ids":{}}})", ids_json({"crm:7"}))).status, 200
    );
    EXPECT_EQ(
        api_.get_json("/api/v1/profiles/" + sid("www:w1")).at("data").at("city").as_string(),
        "Bergen"
    );
    ASSERT_EQ(server_.stop(), 0);
    const CommandResult verified = verify();
    EXPECT_EQ(verified.exit_code, 0) << verified.output << verified.errors;
    server_.restart({});
    api_ = Api{server_};
    EXPECT_EQ(
        api_.get_json("/api/v1/profiles/" + sid("crm:7")).at("data").at("city").as_string(), "Oslo"
    );
}

TEST_F(Identities, can_be_asked_of_an_instant_that_is_past) {
    const auto now = [] { return events::format_rfc3339(SystemClock{}.now()); };
    const auto sid_at = [&](const std::string& id, const std::string& instant) {
        const auto answer = api_.send(Method::get, path_of(id) + "?as_of=" + instant);
        return answer.status == 404 ? std::string{}
                                    : std::string{parse_object(answer.body).at("sid").as_string()};
    };
    const std::string before = now();
    match({"www:w1", "shop:c1"});
    match({"www:w2", "shop:c2"});
    const std::string apart = now();
    match({"shop:c1", "shop:c2"}, R"(,"time":"2026-01-01T00:00:00Z")");
    const std::string together = now();
    EXPECT_EQ(
        detach(sid("www:w1"), fmt::format(R"({{"ids":{}}})", ids_json({"www:w2", "shop:c2"})))
            .status,
        200
    );
    EXPECT_EQ(sid_at("www:w1", before), "");
    EXPECT_NE(sid_at("www:w1", apart), sid_at("www:w2", apart))
        << "what was said of earlier was not known then";
    EXPECT_EQ(sid_at("www:w1", together), sid_at("www:w2", together));
    EXPECT_EQ(sid_at("www:w1", now()), sid("www:w1"));
    EXPECT_EQ(sid_at("www:w2", now()), sid("www:w2"));
    EXPECT_NE(sid("www:w1"), sid("www:w2"));
}

TEST_F(Identities, stand_after_the_program_was_killed) {
    for (int person = 0; person < 20; ++person) {
        match({fmt::format("www:w{}", person), fmt::format("shop:c{}", person)});
    }
    const std::string before = sid("www:w7");
    server_.kill();
    server_ = FootfallProcess{directory_ / "data"};
    api_ = Api{server_};
    for (int person = 0; person < 20; ++person) {
        EXPECT_EQ(sid(fmt::format("www:w{}", person)), sid(fmt::format("shop:c{}", person)));
    }
    EXPECT_EQ(sid("www:w7"), before);
}

}  // namespace
}  // namespace footfall
