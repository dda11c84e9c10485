#include "api/table_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

namespace footfall::api {
namespace {

using http_server::Request;
using http_server::Response;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

Request asking_for(std::string_view accept) {
    Request request;
    request.path = "/list";
    request.known.accept = accept;
    return request;
}

Response answer_of(std::string body) {
    return {.content_type = "application/json", .body = std::move(body)};
}

const TableForm one_list{.lists = {{.name = "rows"}}, .columns = {"name", "amount", "refused"}};

std::string csv(std::string body, const TableForm& form = one_list) {
    const Response shown = as_asked(asking_for("text/csv"), answer_of(std::move(body)), form);
    EXPECT_EQ(shown.content_type, "text/csv; charset=utf-8");
    return shown.body;
}

constexpr std::string_view two_lists =
    R"({"days":[{"day":"2026-11-21","sum":1}],"more":[{"day":"2026-11-20","why":"late"}]})";
const TableForm of_two{
    .lists = {{.name = "days", .row = "day"}, {.name = "more", .row = "other"}},
    .columns = {"day", "sum", "why"}
};

TEST(TableAnswer, stays_json_where_nobody_asks_for_rows) {
    for (const std::string_view accept : {"", "*/*", "application/json", "text/html", "text/*"}) {
        const Response shown = as_asked(asking_for(accept), answer_of(R"({"rows":[]})"), one_list);
        EXPECT_EQ(shown.content_type, "application/json") << accept;
        EXPECT_EQ(shown.body, R"({"rows":[]})") << accept;
    }
}

TEST(TableAnswer, leaves_problems_alone) {
    Response problem{.status = 404, .content_type = "application/problem+json", .body = "{}"};
    EXPECT_EQ(as_asked(asking_for("text/csv"), problem, one_list).body, "{}");
}

TEST(TableAnswer, has_a_header_row_also_where_there_are_no_rows) {
    EXPECT_EQ(csv(R"({"rows":[]})"), "name,amount,refused\r\n");
}

TEST(TableAnswer, quotes_what_would_end_a_cell) {
    EXPECT_EQ(
        csv(R"({"rows":[{"name":"a,b","amount":"1"},{"name":"\"q\"\r\n","amount":null}]})"),
        "name,amount,refused\r\n\"a,b\",1,\r\n\"\"\"q\"\"\r\n\",,\r\n"
    );
}

TEST(TableAnswer, takes_the_point_off_formulas_and_not_off_amounts) {
    const std::pair<std::string_view, std::string> cells[]{
        {"=1+1", "'=1+1"},
        {"+1", "'+1"},
        {"-2+3", "'-2+3"},
        {"-", "'-"},
        {"@SUM(A1)", "'@SUM(A1)"},
        {"\\t=1", "'\t=1"},
        {"\\r=1", "\"'\r=1\""},
        {"=cmd|' /C calc'!A0,", "\"'=cmd|' /C calc'!A0,\""},
        {"-0.005", "-0.005"},
        {"a=1", "a=1"},
        {"<script>", "<script>"}
    };
    for (const auto& [name, cell] : cells) {
        const std::string body =
            R"({"rows":[{"name":")" + std::string{name} + R"(","amount":"1"}]})";
        EXPECT_EQ(csv(body), "name,amount,refused\r\n" + cell + ",1,\r\n");
    }
}

TEST(TableAnswer, makes_a_column_of_each_name_in_an_object) {
    EXPECT_EQ(
        csv(R"({"rows":[{"name":"a","refused":{"repeat":2}},{"name":"b","refused":{"early":1}}]})"),
        "name,amount,refused.early,refused.repeat\r\na,,,2\r\nb,,1,\r\n"
    );
    EXPECT_EQ(csv(R"({"rows":[{"name":"a","refused":{}}]})"), "name,amount\r\na,\r\n");
}

TEST(TableAnswer, names_the_rows_of_several_lists) {
    EXPECT_EQ(
        csv(std::string{two_lists}, of_two),
        "row,day,sum,why\r\nday,2026-11-21,1,\r\nother,2026-11-20,,late\r\n"
    );
    const Response lines =
        as_asked(asking_for("application/x-ndjson"), answer_of(std::string{two_lists}), of_two);
    EXPECT_EQ(lines.content_type, "application/x-ndjson");
    EXPECT_EQ(
        lines.body,
        R"({"row":"day","day":"2026-11-21","sum":1})"
        "\n"
        R"({"row":"other","day":"2026-11-20","why":"late"})"
        "\n"
    );
}

TEST(TableAnswer, links_to_the_next_page) {
    Request request = asking_for("text/csv");
    request.query = "limit=1&cursor=a&prefix=%C3%BC";
    const Response more =
        as_asked(request, answer_of(R"({"rows":[],"next":"\u00fc b"})"), one_list);
    EXPECT_THAT(
        more.headers,
        ElementsAre(Pair("Link", R"(</list?limit=1&prefix=%C3%BC&cursor=%C3%BC%20b>; rel="next")"))
    );
    EXPECT_THAT(
        as_asked(request, answer_of(R"({"rows":[],"next":null})"), one_list).headers, IsEmpty()
    );
}

}  // namespace
}  // namespace footfall::api
