// What is said of ids of a network with a ttl ends unless it is said again.
#include "identities_server.h"
#include "test_support/eventually.h"
#include "test_support/run_command.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <string>
#include <vector>

namespace footfall {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;
using namespace test_support;

class IdentitiesTtl : public IdentitiesServer {
protected:
    /// From when on these guards are recorded, and hold.
    void begin() {
        restart(flags());
        match({"mail:first", "shop:first"});
        ASSERT_TRUE(eventually([&] { return !is_provisional("shop:first"); }, 30s));
    }

    std::vector<std::string> flags() {
        return {
            "--config",
            directory_.write("ttl.toml", "[[identifier]]\nname = \"www\"\nttl = \"1h\"\n")
        };
    }

    static std::string time_ago(std::chrono::seconds ago) {
        return fmt::format(
            "{:%FT%TZ}",
            std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()) - ago
        );
    }

    void match_ago(const std::vector<std::string>& ids, std::chrono::seconds ago) {
        match(ids, fmt::format(R"(,"source":"crm","time":"{}")", time_ago(ago)));
    }

    /// What is told of the one link that names this id.
    boost::json::object link_of(const std::string& id) {
        const auto why = api_.get_json("/api/v1/profiles/" + sid(id) + "/why");
        EXPECT_EQ(why.at("facts").as_array().size(), 1U);
        return why.at("facts").as_array().at(0).as_object();
    }

    void expect_sound() {
        ASSERT_EQ(server_.stop(), 0);
        const CommandResult verified = verify();
        EXPECT_EQ(verified.exit_code, 0) << verified.output << verified.errors;
    }
};

TEST_F(IdentitiesTtl, parts_ids_once_nobody_says_again_that_they_are_one) {
    begin();
    match_ago({"www:old", "shop:old"}, 2h);
    EXPECT_NE(sid("www:old"), sid("shop:old")) << "its time is over when it comes";
    match_ago({"www:stays", "shop:stays"}, 1h - 8s);
    match_ago({"www:goes", "shop:goes"}, 1h - 8s);
    match_ago({"mail:stays", "shop:stays"}, 9999h);
    match({"www:stays", "shop:stays"}, R"(,"source":"crm")");
    const std::string together = sid("shop:goes");
    EXPECT_EQ(sid("www:goes"), together);
    EXPECT_TRUE(link_of("www:goes").contains("ends"));
    EXPECT_FALSE(link_of("www:goes").contains("ended"));
    // It ends while nobody is there.
    server_.kill();
    server_.restart(flags());
    api_ = Api{server_};
    ASSERT_TRUE(eventually([&] { return sid("www:goes") != sid("shop:goes"); }, 60s));
    EXPECT_EQ(sid("www:stays"), sid("shop:stays")) << "it was said again";
    EXPECT_EQ(sid("mail:stays"), sid("shop:stays")) << "a network without a ttl";
    EXPECT_EQ(api_.send(http_server::Method::get, "/api/v1/profiles/" + together).status, 200);
    const auto link = link_of("www:goes");
    EXPECT_TRUE(link.at("ended").as_bool());
    EXPECT_FALSE(link.contains("revoked"));
    EXPECT_THAT(
        std::string{link.at("says").as_string()},
        HasSubstr("are one person; nobody has said it again, so it does not hold since ")
    );
    const auto path = api_.get_json(
        "/api/v1/identities/path?from_identifier=www&from_id_name=id&from_id_value=goes"
        "&to_identifier=shop&to_id_name=id&to_id_value=goes"
    );
    EXPECT_FALSE(path.at("together").as_bool());
    EXPECT_TRUE(path.at("apart").as_array().at(0).at("ended").as_bool());
    match({"www:goes", "shop:goes"}, R"(,"source":"crm")");
    EXPECT_EQ(sid("www:goes"), sid("shop:goes")) << "said again it holds again";
    EXPECT_EQ(sid("www:goes"), together);
    expect_sound();
}

TEST_F(IdentitiesTtl, also_holds_for_what_was_said_before_it) {
    match_ago({"www:a", "shop:a"}, 2h);
    match_ago({"www:b", "shop:b"}, 10min);
    EXPECT_EQ(sid("www:a"), sid("shop:a"));
    begin();
    EXPECT_NE(sid("www:a"), sid("shop:a"));
    EXPECT_EQ(sid("www:b"), sid("shop:b"));
    expect_sound();
    server_.restart({});
    api_ = Api{server_};
    ASSERT_TRUE(eventually([&] { return !is_provisional("www:a"); }, 30s));
    EXPECT_EQ(sid("www:a"), sid("shop:a")) << "without a ttl all of it holds";
    expect_sound();
}

TEST_F(IdentitiesTtl, that_cannot_be_is_named_at_the_start) {
    const std::string file =
        directory_.write("bad.toml", "[[identifier]]\nname = \"www\"\nttl = \"59m\"\n");
    const CommandResult refused =
        run_footfall({"serve", "--listen", "127.0.0.1:0", "--config", file});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.output + refused.errors, HasSubstr("bad.toml:3: ttl: "));
    EXPECT_THAT(refused.output + refused.errors, HasSubstr("1h to 3650d"));
}

}  // namespace
}  // namespace footfall
