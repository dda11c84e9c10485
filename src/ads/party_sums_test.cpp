#include "ads/party_sums.h"

#include "ads/history_world.h"
#include "ads/split.h"
#include "ads/test_days.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace footfall::ads {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A click of a reseller on the day on which all of this happens.
events::JudgedEvent click_of(const std::string& reseller, const std::string& currency = "XXX") {
    events::JudgedEvent judged;
    judged.arrival = Instant{std::chrono::days{day_named("2025-10-02")}};
    judged.event.time = judged.arrival;
    judged.event.action = "click";
    judged.event.object = "page";
    judged.event.amount = 1'000;
    judged.event.currency = currency;
    judged.event.reseller = reseller;
    return judged;
}

class PartySumsTest : public testing::TestWithParam<bool> {
protected:
    /// In rows, or waiting for them.
    void come(const std::vector<events::JudgedEvent>& clicks, bool in_rows) {
        for (const events::JudgedEvent& each : clicks) {
            world_.append(world_.ledger().lane_of(each.event.reseller), each);
        }
        world_.apply_all();
        if (in_rows) {
            world_.flush();
        }
    }

    /// "name clicks", and "more" if there is; in the currency of the ledger.
    std::vector<std::string> list(
        std::string_view prefix, std::string_view after, std::size_t most
    ) {
        const auto listed = list_sums(world_.ledger(), PartyKind::reseller, prefix, after, most);
        EXPECT_TRUE(listed) << listed.error().message;
        std::vector<std::string> told;
        for (const PartySums& each : listed->parties) {
            const auto sum = each.by_currency.find("XXX");
            const auto clicks = sum == each.by_currency.end() ? 0 : sum->second.clicks;
            told.push_back(each.party + " " + std::to_string(clicks));
        }
        if (listed->more) {
            told.emplace_back("more");
        }
        return told;
    }

    HistoryWorld world_{
        "UTC", Instant{std::chrono::days{day_named("2025-10-03")}}, 1, false, GetParam()
    };
};

TEST_P(PartySumsTest, who_waits_for_rows_is_listed_among_the_others) {
    come({click_of("ann"), click_of("cid"), click_of("eve")}, true);
    come({click_of("bob"), click_of("cid"), click_of("dan"), click_of("bob")}, false);
    EXPECT_THAT(list("", "", 10), ElementsAre("ann 1", "bob 2", "cid 2", "dan 1", "eve 1"));
    EXPECT_THAT(list("", "", 2), ElementsAre("ann 1", "bob 2", "more"));
    EXPECT_THAT(list("", "bob", 2), ElementsAre("cid 2", "dan 1", "more"));
    EXPECT_THAT(list("", "dan", 2), ElementsAre("eve 1"));
    EXPECT_THAT(list("d", "", 2), ElementsAre("dan 1"));
    EXPECT_THAT(list("x", "", 2), IsEmpty());
}

TEST_P(PartySumsTest, a_currency_that_waits_for_its_rows_is_there) {
    come({click_of("ann", "EUR")}, true);
    EXPECT_THAT(list("", "", 1), ElementsAre("ann 0"));
    come({click_of("ann")}, false);
    EXPECT_THAT(list("", "", 1), ElementsAre("ann 1"));
}

TEST_P(PartySumsTest, a_split_ends_where_it_begins_or_later_though_nobody_is_listed) {
    const Day day = day_named("2025-10-02");
    const auto backward =
        split_of(world_.ledger(), "XXX", DayRange{.from = day + 1, .to = day}, {});
    ASSERT_FALSE(backward);
    EXPECT_EQ(backward.error().kind, ErrorKind::invalid_input);
    EXPECT_TRUE(split_of(world_.ledger(), "XXX", DayRange{.from = day, .to = day}, {}));
}

TEST_P(PartySumsTest, the_ledger_has_the_currencies_of_rows_and_of_what_waits_for_them) {
    come({click_of("ann", "EUR")}, true);
    come({click_of("bob", "USD")}, false);
    const auto currencies = ledger_currencies(world_.ledger(), {});
    ASSERT_TRUE(currencies) << currencies.error().message;
    EXPECT_THAT(*currencies, ElementsAre("EUR", "USD"));
}

INSTANTIATE_TEST_SUITE_P(Lanes, PartySumsTest, testing::Bool(), [](const auto& shared) {
    return shared.param ? "half_are_anothers" : "all_are_ours";
});

}  // namespace
}  // namespace footfall::ads
