#include "ads_routes/statement_page.h"

#include "ads_routes/statement_figures.h"

#include <gtest/gtest.h>

namespace footfall::ads::routes {
namespace {

TEST(StatementFigures, are_grouped_and_as_long_as_their_column_wants) {
    EXPECT_EQ(money_figure("0", 2), "0.00");
    EXPECT_EQ(money_figure("-1234.5", 2), "\u22121,234.50");
    EXPECT_EQ(money_figure("123456.123456", 2), "123,456.123456");
    EXPECT_EQ(money_figure("1000000", 0), "1,000,000");
    EXPECT_EQ(decimals_of("-0.005"), 3U);
    EXPECT_EQ(decimals_of("12"), 0U);
}

TEST(StatementFigures, shares_are_percent) {
    EXPECT_EQ(share_figure("0.3"), "30 %");
    EXPECT_EQ(share_figure("0.325"), "32.5 %");
    EXPECT_EQ(share_figure("0.000001"), "0.0001 %");
    EXPECT_EQ(share_figure("0"), "0 %");
    EXPECT_EQ(share_figure("1"), "100 %");
    EXPECT_EQ(share_figure(""), "");
}

const StatementOf of{.party = "<script>alert(1)</script>", .currency = "EUR", .zone = "UTC"};

TEST(StatementPage, aligns_money_and_shows_names_as_text) {
    const Statement statement{
        .month = 12 * 56 + 9,
        .amounts = {.clicks = 2, .amount = 1'500'000},
        .income = 455'000,
        .rows = R"("earned":"0.45","corrected":"0.005","days":[{"day":"2026-10-01","clicks":1,)"
                R"("sales":0,"refunds":0,"amount":"1","reward_percent":"0.3","income":"0.3",)"
                R"("sealed":false},{"day":"2026-10-02","clicks":1,"sales":0,"refunds":0,)"
                R"("amount":"0.5","reward_percent":"0.3","income":"0.15","sealed":false}],)"
                R"("adjustments":[{"day":"2026-09-30","posted":"2026-10-01","cause":"rate",)"
                R"("clicks":0,"sales":0,"refunds":0,"amount":"0","was":"0.1","is":"0.105",)"
                R"("difference":"0.005","recorded_at":"2026-10-02T00:00:00Z","author":"ann",)"
                R"("reason":"<b>late</b>","sealed":false}])"
    };
    const std::string page = statement_html(of, statement);
    EXPECT_EQ(page.find("<script>"), std::string::npos);
    EXPECT_EQ(page.find("<b>"), std::string::npos);
    EXPECT_NE(page.find("Statement 2026-10 of &lt;script&gt;"), std::string::npos);
    EXPECT_NE(page.find("<td>1.00</td><td>30 %</td><td>0.30</td>"), std::string::npos);
    EXPECT_NE(page.find("Earned</th><td>0.45</td>"), std::string::npos);
    EXPECT_NE(page.find("<td>0.100</td><td>0.105</td><td>0.005</td>"), std::string::npos);
    EXPECT_NE(page.find("<dd>0.455 EUR</dd>"), std::string::npos);
}

TEST(StatementPage, of_a_month_without_events_says_so) {
    const Statement statement{
        .month = 12 * 56 + 9, .rows = R"("earned":"0","corrected":"0","days":[],"adjustments":[])"
    };
    const std::string page = statement_html(of, statement);
    EXPECT_NE(page.find("Nothing happened in this month."), std::string::npos);
    EXPECT_EQ(page.find("<table"), std::string::npos);
}

}  // namespace
}  // namespace footfall::ads::routes
