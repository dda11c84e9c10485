// Keys that ask the ledger for what is another's.

#include "ads_input.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <string>
#include <vector>

namespace footfall {
namespace {

using http_server::ClientResponse;
using http_server::Method;
using testing::HasSubstr;
using testing::Not;
using namespace test_support;

/// Who asks for what with a key that is not for it.
struct Try {
    const char* key;
    Method method;
    std::string target;
    int status;
    const char* type;
};

std::vector<Try> tries() {
    const std::string rate = reseller + "/rates/2013-11-30";
    return {
        {"", Method::get, reseller + "/income", 401, "key-required"},
        {"", Method::put, rate, 401, "key-required"},
        {"read", Method::get, reseller + "/income", 403, "scope-missing"},
        {"read", Method::get, reseller + "/rates", 403, "scope-missing"},
        {"read", Method::get, "/api/v1/ledger/split", 403, "scope-missing"},
        {"read", Method::put, rate, 403, "scope-missing"},
        {"write", Method::put, rate, 403, "scope-missing"},
        {"write", Method::get, reseller + "/clicks", 403, "scope-missing"},
        {"money", Method::get, reseller + "/clicks", 403, "scope-missing"},
        {"two", Method::get, reseller + "/income", 404, "not-found"},
        {"two", Method::get, reseller + "/rates", 404, "not-found"},
        {"two", Method::get, reseller + "/clicks", 404, "not-found"},
        {"two", Method::get, reseller + "/statements/2013-11", 404, "not-found"},
        {"two", Method::get, "/api/v1/publishers/two/income", 404, "not-found"},
        {"two", Method::get, "/api/v1/publishers/site-3/income", 404, "not-found"},
        {"two", Method::put, "/api/v1/resellers/two/rates/2013-11-30", 403, "key-bound"},
        {"two", Method::del, "/api/v1/resellers/two/rates/2013-11-30", 403, "key-bound"},
        {"two", Method::get, "/api/v1/resellers", 403, "key-bound"},
        {"two", Method::get, "/api/v1/ledger/split", 403, "key-bound"},
        {"two", Method::get, "/api/v1/ads/banner/clicks", 403, "key-bound"},
        {"site-3", Method::get, reseller + "/income", 404, "not-found"},
        {"no-site", Method::get, reseller + "/income", 404, "not-found"},
        {"no-site", Method::put, "/api/v1/ledger/months/2013-11", 403, "key-bound"}
    };
}

class AdsKeys : public AdsInput {
protected:
    void SetUp() override {
        AdsInput::SetUp();
        add("admin", R"("scopes":["admin"])");
        for (const char* scope : {"money", "read", "write"}) {
            add(scope, fmt::format(R"("scopes":["{}"])", scope));
        }
        add("two", R"("reseller":"two")");
        add("site-3", R"("publisher":"site-3")");
        add("no-site", R"("publisher":"r-7")");
    }

    ClientResponse ask(
        const std::string& key,
        Method method,
        const std::string& target,
        const std::string& body = {}
    ) {
        http_server::Client client = server_.client();
        const std::string shown = keys_.contains(key) ? "Bearer " + keys_.at(key) : "";
        return must(client.send(method, target, body, {{"Authorization", shown}}));
    }

private:
    void add(const std::string& name, const std::string& rights) {
        const auto made =
            ask("admin",
                Method::post,
                "/api/v1/keys",
                fmt::format(R"({{"name":"{}",{}}})", name, rights));
        ASSERT_EQ(made.status, 201) << made.body;
        keys_[name] = std::string{parse_object(made.body).at("key").as_string()};
    }

    std::map<std::string, std::string> keys_;
};

TEST_F(AdsKeys, of_others_see_nothing_and_change_nothing) {
    const std::string before = ask("money", Method::get, reseller + "/rates").body;
    for (const Try& each : tries()) {
        SCOPED_TRACE(fmt::format("{} with {}", each.target, each.key));
        const std::string body = each.method == Method::put ? share_of("0.9") : "";
        const auto answer = ask(each.key, each.method, each.target, body);
        EXPECT_EQ(answer.status, each.status) << answer.body;
        EXPECT_THAT(answer.body, HasSubstr(std::string{"/problems/"} + each.type));
        EXPECT_EQ(ask("money", Method::get, reseller + "/rates").body, before);
    }
}

TEST_F(AdsKeys, of_a_party_show_what_is_its_own) {
    const std::string own = "/api/v1/resellers/two/income?group_by=none&currency=EUR";
    EXPECT_EQ(ask("two", Method::get, own).status, 200);
    EXPECT_EQ(ask("site-3", Method::get, "/api/v1/publishers/site-3/clicks").status, 200);
    const auto clicks = ask("read", Method::get, "/api/v1/ads/banner/clicks");
    EXPECT_THAT(clicks.body, Not(HasSubstr("amounts")));
}

}  // namespace
}  // namespace footfall
