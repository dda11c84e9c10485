// Rates from a file: each line one change, recorded once, by HTTP as in a data directory.

#include "test_support/run_command.h"
#include "test_support/running_server.h"

#include <boost/json/array.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace footfall::acceptance {
namespace {

using testing::HasSubstr;
using namespace test_support;

constexpr const char* rates_csv =
    "who,from,share,note\n"
    "caf\u00e9 1/2,2026-01-01,0.3,the contract\n"
    "caf\u00e9 1/2,2026-07-01,0.25,\n"
    "anna,2026-01-01,0.1,first\n"
    "anna,2026-01-01,0.000001,second thoughts\n";

class ImportRates : public RunningServer {
protected:
    static CommandResult import(const std::string& text, std::vector<std::string> target) {
        std::vector<std::string> words{
            "import",
            "-",
            "--as",
            "rates",
            "--format",
            "csv",
            "--map",
            "reseller=who,effective_since=from,reward_percent=share,reason=note"
        };
        words.insert(words.end(), target.begin(), target.end());
        return run_footfall(std::move(words), text);
    }

    CommandResult import(const std::string& text) const {
        return import(text, {"--server", server_.url()});
    }

    /// "2026-07-01 0.25 reason by author", newest first.
    std::vector<std::string> rates_of(Api& api, const std::string& path) {
        std::vector<std::string> texts;
        const auto answer = api.get_json("/api/v1/" + path + "/rates");
        for (const boost::json::value& each : answer.at("rates").as_array()) {
            texts.push_back(fmt::format(
                "{} {} {} by {}",
                each.at("effective_since").as_string().c_str(),
                each.at("reward_percent").as_string().c_str(),
                each.at("reason").as_string().c_str(),
                each.at("author").as_string().c_str()
            ));
        }
        return texts;
    }

    void expect_rates(Api& api) {
        EXPECT_THAT(
            rates_of(api, "resellers/caf%C3%A9%201%2F2"),
            testing::ElementsAre(
                "2026-07-01 0.25  by this machine", "2026-01-01 0.3 the contract by this machine"
            )
        );
        EXPECT_THAT(
            rates_of(api, "resellers/anna"),
            testing::ElementsAre(
                "2026-01-01 0.000001 second thoughts by this machine",
                "2026-01-01 0.1 first by this machine"
            )
        );
    }
};

TEST_F(ImportRates, records_each_line_in_order_and_nothing_that_stands) {
    const auto done = import(rates_csv);
    EXPECT_EQ(done.exit_code, 0) << done.errors;
    EXPECT_EQ(done.output, "imported 4 duplicates 0 rejected 0\n");
    expect_rates(api_);
    const std::string of_one = "who,from,share,note\ncaf\u00e9 1/2,2026-07-01,0.25,\n";
    EXPECT_EQ(import(of_one).output, "imported 0 duplicates 1 rejected 0\n");
    expect_rates(api_);
}

TEST_F(ImportRates, names_the_line_and_the_field_that_are_wrong) {
    const auto done = import(
        "who,from,share,note\n"
        "anna,2026-01-01,30,\n"
        "anna,2026-02-30,0.3,\n"
        ",2026-01-01,0.3,\n"
        "anna,2026-01-01,0.3," +
        std::string(1025, 'x') +
        "\n"
        "anna,2026-01-01,0.3,good\n"
    );
    EXPECT_EQ(done.exit_code, 0);
    EXPECT_EQ(done.last_line(), "imported 1 duplicates 0 rejected 4");
    EXPECT_THAT(done.errors, HasSubstr(":2: rejected: reward_percent is not understood: "));
    EXPECT_THAT(done.errors, HasSubstr(R"(30 % is "0.3")"));
    EXPECT_THAT(done.errors, HasSubstr(":3: rejected: effective_since must be a day"));
    EXPECT_THAT(done.errors, HasSubstr(":4: rejected: reseller must be a name of 1 to 256 bytes"));
    EXPECT_THAT(done.errors, HasSubstr(":5: rejected: reason has at most 1024 bytes"));
}

TEST_F(ImportRates, goes_into_a_directory_with_the_same_words) {
    const std::string data = directory_ / "other";
    EXPECT_EQ(import(rates_csv, {"--data", data}).output, "imported 4 duplicates 0 rejected 0\n");
    const FootfallProcess server{data};
    Api api{server};
    expect_rates(api);
}

TEST_F(ImportRates, takes_those_of_publishers_and_what_is_the_same_for_all) {
    const auto done = run_footfall(
        {"import",
         "-",
         "--as",
         "rates",
         "--format",
         "ndjson",
         "--map",
         "publisher=p,reward_percent=r",
         "--set",
         "effective_since=2026-01-01",
         "--set",
         "reason=all",
         "--server",
         server_.url()},
        "{\"p\":\"blog\",\"r\":\"0.5\"}\n{\"p\":\"blog\"}\n"
    );
    EXPECT_EQ(done.last_line(), "imported 1 duplicates 0 rejected 1") << done.errors;
    EXPECT_THAT(
        rates_of(api_, "publishers/blog"),
        testing::ElementsAre("2026-01-01 0.5 all by this machine")
    );
}

TEST_F(ImportRates, ends_where_the_key_is_none_for_money) {
    const auto key = api_.send(
        http_server::Method::post, "/api/v1/keys", R"({"name":"reader","scopes":["read"]})"
    );
    ASSERT_EQ(key.status / 100, 2) << key.body;
    const std::string secret{parse_object(key.body).at("key").as_string()};
    const auto done = import(rates_csv, {"--server", server_.url(), "--key", secret});
    EXPECT_EQ(done.exit_code, 1);
    EXPECT_THAT(done.errors, HasSubstr("the server answered 403"));
    EXPECT_EQ(done.output, "");
}

}  // namespace
}  // namespace footfall::acceptance
