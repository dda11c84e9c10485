#include "ads_routes/statement_page.h"

#include "ads/income_rows.h"
#include "ads/money_text.h"
#include "ads_routes/statement_figures.h"
#include "api/table_answer.h"
#include "events/rfc3339.h"
#include "foundation/json_string.h"
#include "keys/party.h"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace footfall::ads::routes {
namespace {

// #embed is C23; clang 19, our reference compiler, knows it in C++ too.
#pragma clang diagnostic ignored "-Wc23-extensions"

constexpr char style[] = {
#embed "statement.css"
};

std::string html(std::string_view text) {
    std::string escaped;
    for (const char each : text) {
        switch (each) {
            case '&':
                escaped += "&amp;";
                break;
            case '<':
                escaped += "&lt;";
                break;
            case '>':
                escaped += "&gt;";
                break;
            case '"':
                escaped += "&quot;";
                break;
            default:
                escaped += each;
        }
    }
    return escaped;
}

/// The rows of a statement, which were written by this program.
boost::json::object rows_of(const Statement& statement) {
    return boost::json::parse("{" + statement.rows + "}").as_object();
}

/// A number, a text, or nothing, as text.
std::string text_at(const boost::json::object& row, std::string_view name) {
    const boost::json::value& value = row.at({name.data(), name.size()});
    if (value.is_null()) {
        return "";
    }
    return value.is_string() ? std::string{value.get_string()}
                             : fmt::format("{}", value.to_number<std::int64_t>());
}

std::string_view state_of(const Statement& statement) {
    return statement.sealed_at ? "sealed" : "draft";
}

/// What begins a table of these columns; a reader scrolls one that is too wide, paper has room.
std::string table_head(std::string_view title, std::string_view columns) {
    return fmt::format(
        "<h2>{0}</h2>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\">"
        "<table>\n<thead><tr>{1}</tr></thead>\n<tbody>\n",
        title,
        columns
    );
}

std::size_t decimals_at(const boost::json::array& rows, std::string_view name) {
    std::size_t decimals = least_decimals;
    for (const boost::json::value& each : rows) {
        decimals = std::max(decimals, decimals_of(text_at(each.as_object(), name)));
    }
    return decimals;
}

std::string days_html(const boost::json::object& rows) {
    const boost::json::array& days = rows.at("days").as_array();
    if (days.empty()) {
        return "<h2>Days</h2>\n<p>Nothing happened in this month.</p>\n";
    }
    const std::string earned = text_at(rows, "earned");
    std::string body = table_head(
        "Days",
        "<th scope=\"col\">Day</th><th scope=\"col\">Clicks</th>"
        "<th scope=\"col\">Sales</th><th scope=\"col\">Refunds</th>"
        "<th scope=\"col\">Amount</th><th scope=\"col\">Share</th>"
        "<th scope=\"col\">Income</th>"
    );
    const std::size_t of_amounts = decimals_at(days, "amount");
    const std::size_t of_incomes = std::max(decimals_at(days, "income"), decimals_of(earned));
    for (const boost::json::value& each : rows.at("days").as_array()) {
        const boost::json::object& day = each.as_object();
        body += fmt::format(
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
            "<td>{}</td></tr>\n",
            text_at(day, "day"),
            text_at(day, "clicks"),
            text_at(day, "sales"),
            text_at(day, "refunds"),
            money_figure(text_at(day, "amount"), of_amounts),
            share_figure(text_at(day, "reward_percent")),
            money_figure(text_at(day, "income"), of_incomes)
        );
    }
    return body + fmt::format(
                      "</tbody>\n<tfoot><tr><th scope=\"row\" colspan=\"6\">Earned</th>"
                      "<td>{}</td></tr></tfoot>\n</table></div>\n",
                      money_figure(earned, of_incomes)
                  );
}

std::string adjustments_html(const boost::json::object& rows) {
    const boost::json::array& adjustments = rows.at("adjustments").as_array();
    if (adjustments.empty()) {
        return "";
    }
    const std::string corrected = text_at(rows, "corrected");
    const std::size_t of_values =
        std::max(decimals_at(adjustments, "was"), decimals_at(adjustments, "is"));
    const std::size_t of_differences =
        std::max(decimals_at(adjustments, "difference"), decimals_of(corrected));
    std::string body = table_head(
        "Adjustments of earlier months",
        "<th scope=\"col\">Of day</th><th scope=\"col\" class=\"text\">Why</th>"
        "<th scope=\"col\">Was</th><th scope=\"col\">Is</th>"
        "<th scope=\"col\">Difference</th>"
    );
    for (const boost::json::value& each : adjustments) {
        const boost::json::object& row = each.as_object();
        const std::string author = text_at(row, "author");
        body += fmt::format(
            "<tr><th scope=\"row\">{}</th><td class=\"text\">{}{}</td><td>{}</td><td>{}</td>"
            "<td>{}</td></tr>\n",
            text_at(row, "day"),
            text_at(row, "cause") == "late" ? "late events" : "rate changed",
            author.empty() ? "" : html(fmt::format(": {} ({})", text_at(row, "reason"), author)),
            money_figure(text_at(row, "was"), of_values),
            money_figure(text_at(row, "is"), of_values),
            money_figure(text_at(row, "difference"), of_differences)
        );
    }
    return body + fmt::format(
                      "</tbody>\n<tfoot><tr><th scope=\"row\" colspan=\"4\">Adjustments</th>"
                      "<td>{}</td></tr></tfoot>\n</table></div>\n",
                      money_figure(corrected, of_differences)
                  );
}

}  // namespace

std::string statement_json(const StatementOf& of, const Statement& statement) {
    return fmt::format(
        R"({{"{}":{},"month":"{}","zone":{},"currency":{},"state":"{}","sealed_at":{},{},)"
        R"("amount":"{}","income":"{}",{}}})"
        "\n",
        keys::name_of(of.kind),
        json_string(of.party),
        month_text(statement.month),
        json_string(of.zone),
        json_string(of.currency),
        state_of(statement),
        statement.sealed_at ? fmt::format(R"("{}")", events::format_rfc3339(*statement.sealed_at))
                            : "null",
        counts_json(statement.amounts),
        money_text(statement.amounts.amount),
        money_text(statement.income),
        statement.rows
    );
}

std::string statement_csv(const StatementOf& of, const Statement& statement) {
    const boost::json::object rows = rows_of(statement);
    std::string table = fmt::format(
        "row,{},month,currency,day,clicks,sales,refunds,amount,reward_percent,income,cause,was,is,"
        "recorded_at,author,reason\r\n",
        keys::name_of(of.kind)
    );
    const std::string head = fmt::format(
        "{},{},{}", api::csv_cell(of.party), month_text(statement.month), api::csv_cell(of.currency)
    );
    for (const boost::json::value& each : rows.at("days").as_array()) {
        const boost::json::object& day = each.as_object();
        table += fmt::format(
            "day,{},{},{},{},{},{},{},{},,,,,,\r\n",
            head,
            text_at(day, "day"),
            text_at(day, "clicks"),
            text_at(day, "sales"),
            text_at(day, "refunds"),
            text_at(day, "amount"),
            text_at(day, "reward_percent"),
            text_at(day, "income")
        );
    }
    for (const boost::json::value& each : rows.at("adjustments").as_array()) {
        const boost::json::object& row = each.as_object();
        table += fmt::format(
            "adjustment,{},{},{},{},{},{},,{},{},{},{},{},{},{}\r\n",
            head,
            text_at(row, "day"),
            text_at(row, "clicks"),
            text_at(row, "sales"),
            text_at(row, "refunds"),
            text_at(row, "amount"),
            text_at(row, "difference"),
            text_at(row, "cause"),
            text_at(row, "was"),
            text_at(row, "is"),
            text_at(row, "recorded_at"),
            api::csv_cell(text_at(row, "author")),
            api::csv_cell(text_at(row, "reason"))
        );
    }
    table += fmt::format(
        "sum,{},,{},{},{},{},,{},,,,,,\r\n",
        head,
        statement.amounts.clicks,
        statement.amounts.sales,
        statement.amounts.refunds,
        money_text(statement.amounts.amount),
        money_text(statement.income)
    );
    return table;
}

std::string statement_html(const StatementOf& of, const Statement& statement) {
    const boost::json::object rows = rows_of(statement);
    const std::string title =
        fmt::format("Statement {} of {}", month_text(statement.month), of.party);
    std::string page = fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n",
        html(title),
        std::string_view{style, sizeof style}
    );
    page += fmt::format(
        "<h1>{}</h1>\n<p class=\"state\">{}</p>\n",
        html(title),
        statement.sealed_at
            ? fmt::format("Sealed on {}.", events::format_rfc3339(*statement.sealed_at))
            : "Draft: the month is not sealed, and these figures may still change."
    );
    page += fmt::format(
        "<dl>\n<div><dt>Income</dt><dd>{0} {1}</dd></div>\n<div><dt>Earned</dt><dd>{2} "
        "{1}</dd></div>\n<div><dt>Adjustments</dt><dd>{3} {1}</dd></div>\n<div><dt>Amount</dt>"
        "<dd>{4} {1}</dd></div>\n<div><dt>Clicks</dt><dd>{5}</dd></div>\n<div><dt>Sales</dt>"
        "<dd>{6}</dd></div>\n<div><dt>Refunds</dt><dd>{7}</dd></div>\n</dl>\n",
        money_figure(money_text(statement.income), least_decimals),
        html(of.currency),
        money_figure(text_at(rows, "earned"), least_decimals),
        money_figure(text_at(rows, "corrected"), least_decimals),
        money_figure(money_text(statement.amounts.amount), least_decimals),
        statement.amounts.clicks,
        statement.amounts.sales,
        statement.amounts.refunds
    );
    page += days_html(rows) + adjustments_html(rows);
    return page + fmt::format(
                      "<footer>Days of {}. Money in {}, to a millionth. "
                      "Counted by Footfall.</footer>\n</main>\n</body>\n</html>\n",
                      html(of.zone),
                      html(of.currency)
                  );
}

}  // namespace footfall::ads::routes
