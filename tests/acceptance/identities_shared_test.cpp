// What is said of a shared id is kept: until an operator lifts it, and to be looked through.
#include "identities_server.h"
#include "test_support/eventually.h"
#include "test_support/running_server.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace footfall {
namespace {

using http_server::Method;
using testing::HasSubstr;
using testing::SizeIs;
using namespace test_support;

class IdentitiesShared : public IdentitiesServer {};

TEST_F(IdentitiesShared, unites_once_an_operator_lifts_it) {
    const std::vector<std::string> guards{
        "--config",
        directory_.write(
            "guards.toml",
            "[[identifier]]\nname = \"kiosk\"\nshared_above = 2\nnever = [\"lobby\"]\n"
        )
    };
    restart(guards);
    for (const char* const id : {"www:w1", "www:w2", "www:w3"}) {
        match({id, "kiosk:k"});
        match({id, "kiosk:lobby"});
    }
    const auto lift = [&](const std::string& id, bool dry_run = false) {
        return api_.send(
            Method::post,
            fmt::format("/api/v1/identities/decisions?dry_run={}", dry_run),
            fmt::format(R"({{"kind":"lift","id":{},"reason":"a family"}})", id_json(id))
        );
    };
    const auto shown = parse_object(api_.send(Method::get, path_of("kiosk:k")).body);
    EXPECT_TRUE(shown.at("shared").as_bool());
    EXPECT_EQ(shown.at("shared_by").at("guard").as_string(), "shared_above");
    EXPECT_EQ(shown.at("shared_by").at("most").as_int64(), 2);

    EXPECT_THAT(parse_object(lift("kiosk:k", true).body).at("profiles").as_array(), SizeIs(1));
    EXPECT_NE(sid("www:w1"), sid("www:w2")) << "a dry run decides nothing";
    const auto answer = lift("kiosk:k");
    ASSERT_EQ(answer.status, 200) << answer.body;
    const std::vector<std::string> all{"kiosk:k", "www:w1", "www:w2", "www:w3"};
    EXPECT_EQ(ids_of(sid("kiosk:k")), all) << "with what was said before";
    EXPECT_THAT(
        said_of(sid("kiosk:k")),
        testing::Contains("this machine decided that kiosk/id/k is one person, whoever else it was "
                          "linked with")
    );
    EXPECT_EQ(parse_object(lift("kiosk:k").body).at("decided").as_int64(), 0) << "said again";
    EXPECT_THAT(lift("kiosk:lobby").body, HasSubstr("one of `never`"));
    EXPECT_EQ(lift("www:w1").status, 409) << "it is not shared";

    const std::string decision{parse_object(answer.body).at("decision").as_string()};
    ASSERT_EQ(
        api_.send(Method::del, "/api/v1/identities/decisions/" + decision + "?reason=no").status,
        200
    );
    EXPECT_NE(sid("www:w1"), sid("www:w2"));
    ASSERT_EQ(lift("kiosk:k").status, 200);
    server_.kill();
    server_.restart(guards);
    api_ = Api{server_};
    EXPECT_EQ(sid("www:w1"), sid("www:w3"));
    // Verify holds no profiles to facts until all are settled under the guards that hold.
    EXPECT_TRUE(eventually([&] { return !is_provisional("www:w1"); }));
    ASSERT_EQ(server_.stop(), 0);
    const CommandResult verified = verify();
    EXPECT_EQ(verified.exit_code, 0) << verified.output << verified.errors;
}

TEST_F(IdentitiesShared, and_other_contested_links_are_listed_by_who_objects) {
    restart(
        {"--config",
         directory_.write(
             "guards.toml",
             "[[identifier]]\nname = \"kiosk\"\nnever = [\"k\"]\n"
             "[[identifier]]\nname = \"www\"\nper_profile = 1\n"
         )}
    );
    for (int number = 0; number < 4; ++number) {
        match({fmt::format("www:w{}", number), "kiosk:k"});
        match({fmt::format("www:w{}", number), "shop:c"});
    }
    const auto listed = [&](const std::string& guard) {
        std::size_t links = 0;
        std::string cursor;
        do {
            const auto page = api_.get_json(fmt::format(
                "/api/v1/identities/contested?limit=2&guard={}&cursor={}", guard, cursor
            ));
            for (const auto& each : page.at("contested").as_array()) {
                EXPECT_EQ(each.at("guard").as_string(), guard);
                ++links;
            }
            cursor = page.at("next").is_null() ? "" : page.at("next").as_string().c_str();
        } while (!cursor.empty());
        return links;
    };
    // What was said before the new guards were recorded is settled under them behind the answers.
    EXPECT_TRUE(eventually([&] { return !is_provisional("www:w1"); }));
    EXPECT_EQ(listed("shared"), 4U);
    EXPECT_EQ(listed("per_profile"), 3U);
    EXPECT_EQ(listed("parting"), 0U);
}

}  // namespace
}  // namespace footfall
