#include "ads/page.h"

#include "ads/income_report.h"
#include "foundation/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace footfall::ads {
namespace {

constexpr Day start = 16'000;

/// An account with rates and seals as they may come, with what was said of it.
struct History {
    struct Booking {
        Day day;
        Month booked;
        Amounts amounts;
    };

    std::vector<Booking> bookings;
    Account account;
    Rates rates;
    std::optional<Month> sealed;

    void book(Day day, Month booked, const Amounts& amounts) {
        bookings.push_back({.day = day, .booked = booked, .amounts = amounts});
        account.add(day, booked, amounts);
    }
};

Amounts random_amounts(Random& random) {
    const auto amount = static_cast<WideMicros>(random.below(100'000)) - 20'000;
    return {
        .clicks = amount < 0 ? 0 : 1 + random.below(200),
        .sales = random.below(3),
        .refunds = amount < 0 ? 1U : 0U,
        .amount = amount
    };
}

History random_history(Random& random) {
    History history;
    const auto days = 1 + static_cast<Day>(random.below(500));
    std::optional<Month> sealed;
    std::uint64_t recorded = 0;
    for (Day today = start; today < start + days; ++today) {
        if (random.below(20) == 0) {
            history.rates.add(
                {.effective = today - 30 + static_cast<Day>(random.below(60)),
                 .share = random.below(5) == 0
                              ? std::nullopt
                              : std::optional{static_cast<Millionths>(random.below(whole + 1))},
                 .booked = booked_month_of_rate(sealed),
                 .recorded = ++recorded,
                 .known = today}
            );
        }
        if (random.below(40) == 0) {
            const Month over = month_of(today) - 1;
            sealed = std::max(sealed.value_or(over), over);
        }
        for (std::uint64_t events = random.below(4); events > 0; --events) {
            const Day day = today - static_cast<Day>(random.below(4) == 0 ? random.below(90) : 0);
            history.book(day, booked_month(day, sealed), random_amounts(random));
        }
    }
    history.sealed = sealed;
    return history;
}

void expect_same(const Page& page, const History& history, DayRange range) {
    const auto asked = page.totals(range);
    const auto told = make_income(history.account, history.rates, history.sealed, range);
    ASSERT_TRUE(asked && told);
    EXPECT_EQ(asked->amounts, told->amounts);
    EXPECT_TRUE(asked->income() == told->income())
        << static_cast<std::int64_t>(asked->income()) << " and not "
        << static_cast<std::int64_t>(told->income());
    EXPECT_EQ(asked->sealed, told->sealed);
    const auto apart = static_cast<std::int64_t>(asked->corrected - told->corrected);
    const auto rows = static_cast<std::int64_t>(told->adjustments.size());
    EXPECT_LE(std::abs(apart), rows) << "a micro a row at most, by how it was rounded";
}

TEST(Page, saysOfAnyRangeWhatTheAccountDoes) {
    Random random{4};
    for (int round = 0; round < 100; ++round) {
        const History history = random_history(random);
        const auto page = Page::make(history.account, history.rates, history.sealed);
        ASSERT_TRUE(page);
        for (int question = 0; question < 20; ++question) {
            const Day from = start - 100 + static_cast<Day>(random.below(650));
            const Day to = from + static_cast<Day>(random.below(random.below(2) == 0 ? 40 : 600));
            expect_same(*page, history, {.from = from, .to = to});
        }
        expect_same(*page, history, all_days);
    }
}

TEST(Page, takesInWhatComesLive) {
    Random random{5};
    for (int round = 0; round < 100; ++round) {
        History history = random_history(random);
        auto page = Page::make(history.account, history.rates, history.sealed);
        ASSERT_TRUE(page);
        for (int event = 0; event < 20; ++event) {
            const Day day = start + 480 + static_cast<Day>(random.below(60));
            const Month booked = booked_month(day, history.sealed);
            const Amounts amounts = random_amounts(random);
            history.book(day, booked, amounts);
            const auto added = page->add(day, booked, amounts);
            ASSERT_TRUE(added);
            if (!*added) {
                page = Page::make(history.account, history.rates, history.sealed);
                ASSERT_TRUE(page);
            }
            expect_same(*page, history, {.from = day - 20, .to = day + 10});
        }
        expect_same(*page, history, all_days);
    }
}

TEST(Page, begunEmptyKnowsItsDays) {
    auto page = Page::make({}, {}, std::nullopt);
    ASSERT_TRUE(page);
    const auto added = page->add(start, month_of(start), {.clicks = 1, .amount = 5});
    ASSERT_TRUE(added && *added);
    EXPECT_EQ(page->days().from, start);
    EXPECT_EQ(page->days().to, start);
}

TEST(Page, takesTwelveBytesADayAtMost) {
    Account account;
    Rates rates;
    rates.add({.effective = start, .share = 300'000});
    constexpr Day days = 3652;
    for (Day day = start; day < start + days; ++day) {
        account.add(day, month_of(day), {.clicks = 120, .amount = 120 * 7'500});
    }
    for (const std::optional<Month> sealed :
         {std::optional<Month>{}, std::optional{month_of(start + days - 40)}}) {
        const auto page = Page::make(account, rates, sealed);
        ASSERT_TRUE(page);
        EXPECT_LE(page->bytes() + sizeof(Page), std::size_t{12} * days) << sealed.has_value();
    }
}

}  // namespace
}  // namespace footfall::ads
