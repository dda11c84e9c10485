// What a key with the scope `audience` is told by the real program: numbers of people with noise,
// one answer a question and day, so many a day, and nothing else.
#include "segments_server.h"

#include <boost/json/array.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace footfall {
namespace {

using http_server::Method;
using testing::HasSubstr;
using namespace test_support;

class Audience : public SegmentsServer {
protected:
    /// Ids w0, w1 .. and so on.
    static std::string ids_from_to(int first, int end) {
        std::string lines;
        for (int each = first; each < end; ++each) {
            lines += member_line(fmt::format("www:w{}", each));
        }
        return lines;
    }

    std::string make_key(const std::string& name, const std::string& scope) {
        const auto answer = send(
            Method::post,
            "/api/v1/keys",
            fmt::format(R"({{"name":"{}","scopes":["{}"]}})", name, scope),
            boss_
        );
        EXPECT_EQ(answer.status, 201) << answer.body;
        return std::string{parse_object(answer.body).at("key").as_string()};
    }

    void SetUp() override {
        add("spring", ids_from_to(0, 1000));
        add("bought", ids_from_to(500, 2000));
        add("few", ids_from_to(0, 20));
        expect_size("spring", 1000);
        expect_size("bought", 1500);
        expect_size("few", 20);
        boss_ = make_key("boss", "admin");
        partner_ = make_key("partner", "audience");
    }

    http_server::ClientResponse send(
        Method method, const std::string& target, const std::string& body, const std::string& key
    ) {
        std::vector<std::pair<std::string, std::string>> headers;
        if (!key.empty()) {
            headers.emplace_back("Authorization", "Bearer " + key);
        }
        auto client = server_.client();
        return must(client.send(method, target, body, headers));
    }

    http_server::ClientResponse ask(
        Method method, const std::string& rest, const std::string& body
    ) {
        return send(method, "/api/v1/segments" + rest, body, partner_);
    }

    std::string size(const std::string& segment) {
        const auto answer = ask(Method::get, "/" + segment, {});
        EXPECT_EQ(answer.status, 200) << answer.body;
        return answer.body;
    }

    std::string boss_;
    std::string partner_;
};

TEST_F(Audience, sees_numbers_with_noise_that_hold_all_day) {
    const std::string first = size("spring");
    const auto told = parse_object(first);
    EXPECT_LE(std::abs(told.at("people").to_number<int>() - 1000), 112) << first;
    EXPECT_FALSE(told.at("exact").as_bool());
    EXPECT_NEAR(told.at("error").to_number<double>(), 0.028, 0.004);
    ASSERT_EQ(
        send(Method::post, "/api/v1/segments/spring/members", ids_from_to(5000, 6000), boss_)
            .status,
        200
    );
    ASSERT_TRUE(eventually([&] {
        return send(Method::get, "/api/v1/segments/spring", {}, boss_)
            .body.contains(R"("people":2000,)");
    }));
    EXPECT_EQ(size("spring"), first);
    const std::string other = make_key("other", "audience");
    EXPECT_EQ(send(Method::get, "/api/v1/segments/spring", {}, other).body, first);
    server_.kill();
    server_.restart();
    EXPECT_EQ(size("spring"), first) << "also after a restart";
}

TEST_F(Audience, sees_what_segments_share_and_nothing_of_few) {
    const auto overlap =
        parse_object(ask(Method::post, "/overlap", R"({"segments":["spring","bought","few"]})").body
        );
    EXPECT_LE(std::abs(overlap.at("sizes").at("bought").to_number<int>() - 1500), 112);
    EXPECT_TRUE(overlap.at("sizes").at("few").is_null());
    const auto& pair = overlap.at("overlap").at(0);
    EXPECT_LE(std::abs(pair.at("count").to_number<int>() - 500), 112);
    EXPECT_LT(pair.at("low").to_number<int>(), pair.at("count").to_number<int>());
    EXPECT_GT(pair.at("high").to_number<int>(), pair.at("count").to_number<int>());
    EXPECT_TRUE(overlap.at("overlap").at(1).at("count").is_null());
    EXPECT_THAT(
        size("few"), HasSubstr(R"("people":null,"exact":false,"error":null,"fewer_than":162)")
    );
    const auto count =
        parse_object(ask(Method::post, "/count", R"({"all":["bought"],"none":["spring"]})").body);
    EXPECT_LE(std::abs(count.at("people").to_number<int>() - 1000), 112);
}

TEST_F(Audience, sees_nothing_else) {
    for (const char* const rest :
         {"", "/spring/members", "/spring/members/www/id/w1", "/spring/changes"}) {
        expect_problem(ask(Method::get, rest, {}), 403, "scope-missing", "Authorization");
    }
    expect_problem(
        ask(Method::post, "/spring/members", ids_from_to(0, 1)),
        403,
        "scope-missing",
        "Authorization"
    );
    expect_problem(ask(Method::get, "/nobody", {}), 404, "not-found", "segment");
    const std::string reader = make_key("reader", "read");
    expect_problem(
        send(Method::get, "/api/v1/segments/spring", {}, reader),
        403,
        "scope-missing",
        "Authorization"
    );
}

TEST_F(Audience, sees_so_many_numbers_a_day) {
    server_.stop();
    server_.restart({"--segments-numbers", "7"});
    const std::string three = R"({"segments":["spring","bought","few"]})";
    const auto first = ask(Method::post, "/overlap", three);
    EXPECT_EQ(first.status, 200) << first.body;
    const auto seventh = ask(Method::post, "/count", R"({"any":["spring","bought"]})");
    EXPECT_EQ(seventh.status, 200) << seventh.body;
    const auto spent = ask(Method::post, "/count", R"({"any":["spring","few"]})");
    expect_problem(spent, 429, "numbers-spent", "");
    EXPECT_EQ(ask(Method::post, "/overlap", three).body, first.body) << "asked before";
    server_.kill();
    server_.restart();
    expect_problem(
        ask(Method::post, "/count", R"({"any":["spring","few"]})"), 429, "numbers-spent", ""
    );
}

}  // namespace
}  // namespace footfall
