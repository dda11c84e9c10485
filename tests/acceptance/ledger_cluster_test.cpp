// The ledger on a real cluster (./test cluster): a process that counts, and one that answers and
// counts nothing.

#include "foundation_testing/temporary_directory.h"
#include "test_support/api.h"
#include "test_support/eventually.h"
#include "test_support/footfall_process.h"
#include "test_support/must.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <string>
#include <string_view>

namespace footfall {
namespace {

using http_server::ClientResponse;
using http_server::Method;
using testing::HasSubstr;
using namespace std::chrono_literals;
using namespace test_support;

class LedgerOnCluster : public testing::Test {
protected:
    FootfallProcess start(const std::string& roles, const std::string& name) {
        return FootfallProcess{directory_ / "data", {"--roles", roles, "--instance", name}};
    }

    void take(const std::string& lines) {
        http_server::Client client = counting_.client();
        const ClientResponse answer = must(client.send(
            Method::post, "/api/v1/events", lines, {{"Content-Type", "application/x-ndjson"}}
        ));
        ASSERT_EQ(answer.status, 200) << answer.body;
        ASSERT_THAT(answer.body, HasSubstr("\"rejected\":[]"));
    }

    void click(std::string_view time, std::string_view amount, std::string_view reseller = "r") {
        take(fmt::format(
            R"({{"time":"{}","action":"click","object":"/a","actor":"u{}","ad":"a",)"
            R"("reseller":"{}","publisher":"p","amount":"{}"}})",
            time,
            ++actors_,
            reseller,
            amount
        ));
    }

    ClientResponse put(const std::string& path, const std::string& body) {
        http_server::Client client = answering_.client();
        return must(client.send(Method::put, path, body, {{"Content-Type", "application/json"}}));
    }

    void rate(const std::string& party, const std::string& day, const std::string& share) {
        ClientResponse answer;
        // One that was taken and cannot be read yet is to be said again.
        eventually([&] {
            answer =
                put(fmt::format("/api/v1/{}/rates/{}", party, day),
                    fmt::format(R"({{"reward_percent":"{}","reason":"agreed"}})", share));
            return answer.status != 503;
        });
        EXPECT_EQ(answer.status / 100, 2) << answer.body;
    }

    std::string text(const std::string& target, const char* field) {
        const boost::json::object told = api_.get_json(target);
        last_ = boost::json::serialize(told);
        return std::string{told.at(field).as_string()};
    }

    /// Waits until it is so: whoever answers is told of events behind their answers.
    testing::AssertionResult comes(
        const std::string& target, const char* field, std::string_view value
    ) {
        if (eventually([&] { return text(target, field) == value; })) {
            return testing::AssertionSuccess();
        }
        return testing::AssertionFailure() << target << ": " << last_;
    }

    static constexpr const char* whole = "?from=2013-11-28&to=2013-12-01";

    /// Three rates, and clicks around a change of them.
    void tell_the_example() {
        rate("resellers/r", "2011-02-13", "0.2");
        rate("resellers/r", "2012-01-22", "0.25");
        rate("resellers/r", "2013-11-30", "0.3");
        click("2013-11-28T10:00:00Z", "0.005");
        click("2013-11-29T10:00:00Z", "0.0075");
        click("2013-11-30T10:00:00Z", "0.005");
        click("2013-12-01T10:00:00Z", "0.01");
    }

    TemporaryDirectory directory_;
    FootfallProcess counting_ = start("collect,guard,project", "counts");
    FootfallProcess answering_ = start("query", "answers");
    Api api_{answering_};
    std::string last_;
    int actors_ = 0;
};

TEST_F(LedgerOnCluster, rates_hold_from_their_days_whoever_is_asked) {
    tell_the_example();
    const std::string income = fmt::format("/api/v1/resellers/r/income{}", whole);
    // 0.0125 at 25 %, 0.015 at 30 %.
    EXPECT_TRUE(comes(income, "income", "0.007625"));
    const boost::json::object told = api_.get_json(income);
    EXPECT_EQ(told.at("clicks").to_number<int>(), 4) << told;
    EXPECT_EQ(told.at("amount").as_string(), "0.0275");
    EXPECT_FALSE(told.at("provisional").as_bool()) << told;
    ASSERT_EQ(told.at("days").as_array().size(), 4U);
    EXPECT_EQ(told.at("days").at(1).at("reward_percent").as_string(), "0.25");
    EXPECT_EQ(told.at("days").at(2).at("reward_percent").as_string(), "0.3");
    const auto clicks = api_.get_json(fmt::format("/api/v1/ads/a/clicks{}", whole));
    EXPECT_EQ(clicks.at("clicks").to_number<int>(), 4) << clicks;
    const std::string split = fmt::format("/api/v1/ledger/split{}", whole);
    EXPECT_TRUE(comes(split, "network", "0.019875"));
    rate("publishers/p", "2013-01-01", "0.1");
    EXPECT_TRUE(comes(split, "publishers", "0.00275"));
    // The rate of a month ago changes, and with it what its days earned.
    rate("resellers/r", "2013-11-29", "0.4");
    EXPECT_TRUE(comes(income, "income", "0.00875")) << "0.00125 + 0.003 + 0.0045";
}

TEST_F(LedgerOnCluster, a_sealed_month_stays_as_it_is) {
    tell_the_example();
    EXPECT_TRUE(comes(fmt::format("/api/v1/resellers/r/income{}", whole), "income", "0.007625"));
    const ClientResponse sealed =
        put("/api/v1/ledger/months/2013-12", R"({"state":"sealed","reason":"over"})");
    ASSERT_EQ(sealed.status, 201) << sealed.body;
    ASSERT_TRUE(eventually([&] {
        return api_.send(Method::get, "/api/v1/ledger/months")
            .body.contains(R"("month":"2013-12","state":"sealed")");
    })) << api_.send(Method::get, "/api/v1/ledger/months").body;
    EXPECT_EQ(
        put("/api/v1/ledger/months/2013-12", R"({"state":"sealed","reason":"again"})").status, 200
    );
    const std::string path = "/api/v1/resellers/r/statements/2013-11";
    const std::string statement = api_.send(Method::get, path).body;
    EXPECT_THAT(statement, HasSubstr(R"("income":"0.004625")"));
    click("2013-11-28T11:00:00Z", "1");
    rate("resellers/r", "2013-11-28", "0.5");
    // Both are posted in the first month that is open.
    EXPECT_TRUE(
        comes("/api/v1/resellers/r/income?from=2014-01-01&group_by=none", "income", "0.503125")
    );
    EXPECT_EQ(api_.send(Method::get, path).body, statement);
    counting_.kill();
    counting_.restart();
    EXPECT_EQ(api_.send(Method::get, path).body, statement);
    EXPECT_TRUE(
        comes("/api/v1/resellers/r/income?from=2014-01-01&group_by=none", "income", "0.503125")
    );
}

/// By a question to the process that has it in memory alone.
TEST_F(LedgerOnCluster, a_click_is_money_before_its_row_is_written) {
    rate("resellers/r", "2013-01-01", "0.5");
    constexpr int rounds = 20;
    const std::string income = fmt::format("/api/v1/resellers/r/income{}", whole);
    click("2013-11-28T10:00:00Z", "1");
    ASSERT_TRUE(eventually([&] { return api_.send(Method::get, income).status == 200; }));
    ASSERT_TRUE(comes(income, "income", "0.5"));
    const auto begin = std::chrono::steady_clock::now();
    for (int round = 2; round <= rounds; ++round) {
        click("2013-11-28T10:00:00Z", "2");
        ASSERT_TRUE(comes(income, "amount", std::to_string(2 * round - 1)));
    }
    const auto took = std::chrono::steady_clock::now() - begin;
    const auto each = std::chrono::duration_cast<std::chrono::milliseconds>(took) / (rounds - 1);
    fmt::print("a click is income in another process after {} ms\n", each.count());
    EXPECT_LT(each, 1s) << "rows are written a second after what they say";
    EXPECT_FALSE(api_.get_json(income).at("provisional").as_bool());
    Api counting{counting_};
    ASSERT_TRUE(eventually([&] { return counting.metric("footfall_ads_waiting") == 0; }));
    counting_.kill();
    EXPECT_TRUE(api_.get_json(income).at("provisional").as_bool()) << "nobody knows what is newer";
    EXPECT_EQ(text(income, "amount"), std::to_string(2 * rounds - 1));
    counting_.restart();
    EXPECT_TRUE(eventually([&] { return !api_.get_json(income).at("provisional").as_bool(); }));
    EXPECT_EQ(text(income, "amount"), std::to_string(2 * rounds - 1));
}

TEST_F(LedgerOnCluster, a_signed_link_of_one_process_counts_in_another) {
    ASSERT_EQ(
        put("/api/v1/ads/banner",
            R"({"targets":["http://shop.example/"],"price":"0.25","publisher":"p"})")
            .status,
        201
    );
    rate("resellers/r", "2013-01-01", "0.5");
    const std::string url = text("/api/v1/ads/banner/link?reseller=r", "url");
    const std::string target = url.substr(url.find("/r/"));
    http_server::Client client = counting_.client();
    const auto lead = [&] { return must(client.send(Method::get, target)).status; };
    ASSERT_TRUE(eventually([&] { return lead() != 404; })) << "others hear of ads within a second";
    EXPECT_EQ(must(client.send(Method::get, "/r/unknown")).status, 404);
    ASSERT_TRUE(eventually([&] {
        return api_.send(Method::get, "/api/v1/resellers/r/income").body.contains(R"("clicks":1)");
    })) << api_.send(Method::get, "/api/v1/resellers/r/income").body;
    EXPECT_EQ(text("/api/v1/resellers/r/income", "income"), "0.125");
    EXPECT_EQ(text("/api/v1/publishers/p/income", "amount"), "0.25");
}

}  // namespace
}  // namespace footfall
