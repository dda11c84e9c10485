// What nobody should ask of the ledger, and what comes of it: an answer that says what is wrong,
// and nothing else.

#include "ads_input.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall {
namespace {

using http_server::ClientResponse;
using http_server::Method;
using testing::HasSubstr;
using testing::Not;
using namespace test_support;

/// PUT of a rate with this body.
Bad rate(std::string body, std::string field, std::string detail) {
    return {
        .method = Method::put,
        .target = reseller + "/rates/2013-11-01",
        .body = std::move(body),
        .field = std::move(field),
        .detail = std::move(detail)
    };
}

TEST_F(AdsInput, percentages) {
    const std::string kind_words = R"(30 % is \"0.3\")";
    std::vector<Bad> all;
    for (const char* share :
         {R"("30")",
          R"("1.000001")",
          R"("-0.1")",
          R"("0.3000001")",
          R"("30 %")",
          R"("0,3")",
          R"("")",
          R"(".3")",
          R"("3e-1")",
          R"(" 0.3")",
          R"("NaN")",
          "0.3",
          "30",
          "null",
          "true",
          "[0.3]",
          R"("99999999999999999999999999")"}) {
        all.push_back(
            rate(fmt::format(R"({{"reward_percent":{}}})", share), "reward_percent", kind_words)
        );
    }
    all.push_back(rate(R"({"reason":"none"})", "reward_percent", kind_words));
    all.push_back(rate(
        R"({"reward_percent":"0.3","share":"0.3"})", "share", "there are reward_percent, reason"
    ));
    all.push_back(rate(R"({"reward_percent":"0.3","reason":7})", "reason", "must be a string"));
    all.push_back(rate(
        fmt::format(R"({{"reward_percent":"0.3","reason":"{}"}})", std::string(1025, 'r')),
        "reason",
        "1024"
    ));
    for (const char* body :
         {"", "0.3", "[]", "{", R"({"reward_percent":"0.3"}{})", "reward_percent=0.3", "\xff"}) {
        all.push_back(rate(body, "", "one JSON object"));
    }
    Bad large = rate(std::string(9000, ' '), "", "8192");
    large.status = 413;
    large.type = "body-too-large";
    all.push_back(large);
    expect_refused(all);
}

TEST_F(AdsInput, days) {
    std::vector<Bad> all;
    for (const char* day :
         {"2013-02-29",
          "2013-13-01",
          "2013-11-00",
          "13-11-30",
          "30.11.2013",
          "2013-11-30T00:00:00Z",
          "today",
          "2013-11"}) {
        all.push_back(
            {.method = Method::put,
             .target = rates(day),
             .body = share_of("0.3"),
             .field = "day",
             .detail = "such as 2026-11-21"}
        );
        all.push_back(
            {.method = Method::del,
             .target = rates(day),
             .field = "day",
             .detail = "such as 2026-11-21"}
        );
        all.push_back(
            {.target = fmt::format("{}/income?from={}", reseller, day),
             .field = "from",
             .detail = "such as 2026-11-21"}
        );
        all.push_back(
            {.target = fmt::format("{}/income?as_of={}", reseller, day),
             .field = "as_of",
             .detail = "such as 2026-11-21"}
        );
    }
    expect_refused(all);
}

TEST_F(AdsInput, ranges_and_withdrawals) {
    std::vector<Bad> all;
    const auto ask = [&](const char* query, const char* field, const char* detail) {
        for (const std::string& target :
             {reseller + "/income",
              reseller + "/clicks",
              std::string{"/api/v1/ads/banner/clicks"},
              std::string{"/api/v1/ledger/split"}}) {
            all.push_back(
                {.target = fmt::format("{}?{}", target, query), .field = field, .detail = detail}
            );
        }
    };
    ask("from=2013-11-28&to=", "to", "must be a day");
    ask("to=2013-11-28", "from", "first day");
    ask("from=2013-11-28&until=2013-11-29", "until", "no parameter");
    all.push_back(
        {.target = reseller + "/income?from=2013-11-28&to=2013-11-27",
         .field = "from",
         .detail = "ends on 2013-11-27"}
    );
    all.push_back(
        {.target = reseller + "/income?from=0001-01-01&to=9999-12-31",
         .field = "from",
         .detail = "group_by=month"}
    );
    all.push_back(
        {.target = reseller + "/income?group_by=hour&from=2013-01-01&to=2013-12-31",
         .field = "from",
         .detail = "more than 31"}
    );
    all.push_back(
        {.target = reseller + "/income?as_of=9999-12-31", .field = "as_of", .detail = "after today"}
    );
    for (const char* tried : {"", "?dry_run=true"}) {
        all.push_back(
            {.method = Method::del,
             .target = rates("2013-11-29") + tried,
             .status = 404,
             .type = "not-found",
             .field = "day",
             .detail = "withdrawn"}
        );
    }
    all.push_back(
        {.method = Method::del,
         .target = rates("2013-11-30") + "?dry_run=perhaps",
         .field = "dry_run",
         .detail = "true or false"}
    );
    all.push_back(
        {.method = Method::del,
         .target = rates("2013-11-30") + "?reason=%ff",
         .field = "reason",
         .detail = "UTF-8"}
    );
    expect_refused(all);
}

TEST_F(AdsInput, zones_currencies_groups_and_pages) {
    std::vector<Bad> all;
    for (const char* zone : {"Mars/Olympus", "", "../../etc/passwd", "UTC+25", "%ff"}) {
        all.push_back({.target = fmt::format("{}/income?tz={}", reseller, zone), .field = "tz"});
        all.push_back({.target = fmt::format("{}/clicks?tz={}", reseller, zone), .field = "tz"});
    }
    for (const char* currency : {"usd", "US", "EURO", "$", "U%20D", "%ff"}) {
        all.push_back(
            {.target = fmt::format("{}/income?currency={}", reseller, currency), .field = "currency"
            }
        );
        all.push_back(
            {.target = fmt::format("/api/v1/ledger/split?currency={}", currency),
             .field = "currency"}
        );
    }
    for (const char* target :
         {"/api/v1/resellers/two/income?group_by=none",
          "/api/v1/ledger/split",
          "/api/v1/publishers/site-3/statements/2013-12"}) {
        all.push_back(
            {.target = target,
             .status = 409,
             .type = "currency-needed",
             .field = "currency",
             .detail = R"(["EUR","USD"])"}
        );
    }
    for (const char* group : {"week", "reseller", "", "Day", "%ff"}) {
        all.push_back(
            {.target = fmt::format("{}/income?group_by={}", reseller, group), .field = "group_by"}
        );
    }
    for (const char* limit : {"0", "501", "-1", "1.5", "many", "18446744073709551616"}) {
        all.push_back(
            {.target = fmt::format("/api/v1/resellers?limit={}", limit),
             .field = "limit",
             .detail = "from 1 to 500"}
        );
    }
    all.push_back(
        {.target = "/api/v1/resellers?sort=income", .field = "sort", .detail = "name or amount"}
    );
    all.push_back(
        {.target = "/api/v1/publishers?sort=amount&prefix=a", .field = "sort", .detail = "sort=name"
        }
    );
    all.push_back(
        {.target = "/api/v1/resellers?order=up", .field = "order", .detail = "no parameter"}
    );
    expect_refused(all);
}

TEST_F(AdsInput, months) {
    const std::string months = "/api/v1/ledger/months/";
    const std::string seal = R"({"state":"sealed"})";
    std::vector<Bad> all;
    for (const char* month :
         {"2013-13", "2013-00", "2013-1", "2013-11-01", "November", "%ff", "", "99999-01"}) {
        all.push_back(
            {.method = Method::put, .target = months + month, .body = seal, .field = "month"}
        );
        all.push_back({.target = fmt::format("{}/statements/{}", reseller, month), .field = "month"}
        );
    }
    for (const char* state : {R"("open")", R"("")", R"("SEALED")", "true", "null"}) {
        all.push_back(
            {.method = Method::put,
             .target = months + "2013-11",
             .body = fmt::format(R"({{"state":{}}})", state),
             .field = "state",
             .detail = "nothing undoes it"}
        );
    }
    for (const char* month : {"2999-01", "9999-12"}) {
        all.push_back(
            {.method = Method::put,
             .target = months + month,
             .body = seal,
             .status = 409,
             .type = "month-not-over",
             .field = "month",
             .detail = "is not over in UTC"}
        );
    }
    all.push_back(
        {.method = Method::put,
         .target = months + "2013-11",
         .body = R"({"state":"sealed","until":1})",
         .field = "until"}
    );
    all.push_back(
        {.method = Method::del,
         .target = months + "2013-11",
         .status = 405,
         .type = "method-not-allowed",
         .detail = "PUT"}
    );
    expect_refused(all);
}

TEST_F(AdsInput, names) {
    std::vector<Bad> all;
    for (const std::string& path :
         {std::string{"/api/v1/resellers/"}, std::string{"/api/v1/publishers/"}}) {
        const std::string kind = path.contains("reseller") ? "reseller" : "publisher";
        for (const char* what : {"/income", "/clicks", "/rates", "/statements/2013-11"}) {
            all.push_back(
                {.target = path + "nobody" + what,
                 .status = 404,
                 .type = "not-found",
                 .field = kind,
                 .detail = "of this name"}
            );
        }
        for (const char* name : {"%ff", "%zz", "%", "", "a%00b", "a%0Ab", "%7F"}) {
            all.push_back(
                {.method = Method::put,
                 .target = path + name + "/rates/2013-11-01",
                 .body = share_of("0.3"),
                 .field = kind}
            );
        }
        all.push_back(
            {.method = Method::put,
             .target = path + std::string(257, 'n') + "/rates/2013-11-01",
             .body = share_of("0.3"),
             .status = 414,
             .type = "name-too-long",
             .field = kind,
             .detail = "256 bytes"}
        );
    }
    expect_refused(all);
}

TEST_F(AdsInput, a_change_of_what_was_changed_since) {
    http_server::Client client = server_.client();
    const std::string before = all_there_is();
    for (const Method method : {Method::put, Method::del}) {
        for (const auto& [tag, status, type] :
             {std::tuple{R"("0-0")", 412, "version-changed"},
              {R"("2")", 412, "version-changed"},
              {"2-0", 400, "invalid-input"},
              {"\"", 400, "invalid-input"}}) {
            const std::string body = method == Method::put ? share_of("0.9") : "";
            const auto answer =
                must(client.send(method, rates("2013-11-30"), body, {{"If-Match", tag}}));
            expect_problem(answer, status, type, "If-Match");
            EXPECT_EQ(all_there_is(), before) << tag;
        }
    }
}

TEST_F(AdsInput, amounts_currencies_and_names_of_events) {
    const std::pair<const char*, const char*> lines[]{
        {R"("amount":0.005)", "amount"},
        {R"("amount":"1e3")", "amount"},
        {R"("amount":"0.0000001")", "amount"},
        {R"("amount":"1000000000000.000001")", "amount"},
        {R"("amount":"-")", "amount"},
        {R"("amount":"+1")", "amount"},
        {R"("amount":"1,5")", "amount"},
        {R"("amount":"NaN")", "amount"},
        {R"("currency":"usd")", "currency"},
        {R"("currency":"EURO")", "currency"},
        {R"("reseller":"a\nb")", "reseller"},
        {R"("publisher":7)", "publisher"},
        {R"("ad":{})", "ad"}
    };
    const std::string before = all_there_is();
    for (const auto& [fields, field] : lines) {
        const auto outcome = api_.post_events(fmt::format(
            R"({{"time":"2013-11-28T10:00:00Z","action":"sale","object":"banner",{}}})", fields
        ));
        ASSERT_EQ(outcome.at("rejected").as_array().size(), 1U) << fields;
        EXPECT_EQ(outcome.at("rejected").as_array()[0].at("field"), field) << fields;
        EXPECT_EQ(all_there_is(), before) << fields;
    }
}

TEST_F(AdsInput, the_same_id_of_another_amount_pays_nothing) {
    const auto again = [](const char* amount) {
        return fmt::format(
            R"({{"id":"c-1","time":"2013-11-28T10:00:00Z","action":"click","object":"banner","actor":"c-1",)"
            R"("ad":"banner","publisher":"site-3","currency":"USD","reseller":"r-7","amount":"{}"}})",
            amount
        );
    };
    const std::string before = boost::json::serialize(api_.get_json(reseller + "/income?" + range));
    EXPECT_EQ(api_.post_events(again("0.005")).at("duplicates").to_number<int>(), 1);
    EXPECT_EQ(boost::json::serialize(api_.get_json(reseller + "/income?" + range)), before);
    EXPECT_EQ(api_.post_events(again("5000")).at("accepted").to_number<int>(), 1);
    EXPECT_EQ(boost::json::serialize(api_.get_json(reseller + "/income?" + range)), before);
    EXPECT_EQ(
        boost::json::serialize(api_.get_json(reseller + "/clicks").at("refused")),
        R"({"id_conflict":1})"
    );
}

TEST_F(AdsInput, a_table_is_one_however_often_it_is_asked_for) {
    http_server::Client client = server_.client();
    // What has no adjustments is told from memory once it is there.
    const std::string target =
        fmt::format("/api/v1/resellers/two/income?{}&group_by=none&currency=USD", range);
    for (int time = 0; time < 4; ++time) {
        const auto table = must(client.send(Method::get, target, {}, {{"Accept", "text/csv"}}));
        EXPECT_EQ(table.content_type, "text/csv; charset=utf-8") << time;
        EXPECT_THAT(table.body, HasSubstr("row,day,clicks")) << time;
    }
}

TEST_F(AdsInput, formulas_and_scripts_in_names) {
    http_server::Client client = server_.client();
    const auto as = [&](const std::string& target, const char* type) {
        return must(client.send(Method::get, target, {}, {{"Accept", type}}));
    };
    const std::pair<std::string, std::string> names[]{
        {"=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"},
        {"+1+1", "'+1+1"},
        {"-2+3", "'-2+3"},
        {"@SUM(A1:A9)", "'@SUM(A1:A9)"},
        {"<script>alert(1)</script>", "<script>alert(1)</script>"},
        {"\"><img src=x onerror=alert(1)>", "\"\"\"><img src=x onerror=alert(1)>\""}
    };
    for (const auto& [name, cell] : names) {
        SCOPED_TRACE(name);
        const std::string json = boost::json::serialize(boost::json::string{name});
        const auto outcome = api_.post_events(fmt::format(
            R"({{"time":"2013-11-28T10:00:00Z","action":"sale","object":"o","amount":"1","currency":"USD",)"
            R"("reseller":"shop","publisher":{0},"ad":{0}}})",
            json
        ));
        EXPECT_EQ(outcome.at("accepted").to_number<int>(), 1);
        const std::string income = "/api/v1/resellers/shop/income?group_by=publisher&" + range;
        const ClientResponse table = as(income, "text/csv");
        EXPECT_EQ(table.content_type, "text/csv; charset=utf-8");
        EXPECT_THAT(table.body, HasSubstr("\r\npublisher," + cell + ",,0,1,0,1,"));
        const ClientResponse shown = as(income, "application/json");
        EXPECT_EQ(shown.content_type, "application/json");
        EXPECT_THAT(boost::json::serialize(parse_object(shown.body)), HasSubstr(json));
        const std::string own = "/api/v1/publishers/" + http_server::percent_encode(name);
        const ClientResponse page = as(own + "/statements/2013-11", "text/html");
        EXPECT_EQ(page.status, 200) << page.body;
        EXPECT_THAT(page.body, Not(HasSubstr("<script")));
        EXPECT_THAT(page.body, Not(HasSubstr("<img")));
    }
}

}  // namespace
}  // namespace footfall
