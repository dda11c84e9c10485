#include "ads/account.h"
#include "foundation/random.h"
#include "foundation/testing/rounds.h"
#include "storage/testing/random_rows.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace footfall::ads {
namespace {

using Whole = boost::multiprecision::cpp_int;

/// What was said to the ledger, in its order: money of a day, a share from a day on (or none), or
/// that all months up to one are sealed. Days count from the first day of month 0.
struct Said {
    enum class Kind { money, share, seal } kind;
    int day = 0;
    long amount = 0;  ///< Micros; or millionths, below 0: withdrawn; or the month.
};

/// Days of 30-day months would be simpler, so the oracle has a calendar of its own: of the year
/// 1970.
constexpr int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

int begin_of(int month) {
    int begin = 0;
    for (int at = 0; at < month; ++at) {
        begin += lengths[at];
    }
    return begin;
}

int month_with(int day) {
    int month = 0;
    while (begin_of(month + 1) <= day) {
        ++month;
    }
    return month;
}

/// The value of a day by what was booked up to a month, from the whole story each time.
Whole naive_value(const std::vector<Said>& story, int day, int month) {
    int sealed = -1;
    Whole amount = 0;
    std::map<int, long> shares;  // the last that holds of each day; below 0: withdrawn
    for (const Said& said : story) {
        if (said.kind == Said::Kind::seal) {
            sealed = std::max(sealed, static_cast<int>(said.amount));
        } else if (said.kind == Said::Kind::share) {
            if (sealed < 0 || sealed + 1 <= month) {
                shares[said.day] = said.amount;
            }
        } else if (said.day == day && std::max(month_with(day), sealed + 1) <= month) {
            amount += said.amount;
        }
    }
    long share = 0;
    for (const auto& [since, said] : shares) {
        share = since <= day && said >= 0 ? said : share;
    }
    return amount * share;
}

Whole naive_month(const std::vector<Said>& story, int month) {
    Whole earned = 0;
    for (int day = 0; day < begin_of(month + 1); ++day) {
        earned += naive_value(story, day, month);
        if (day < begin_of(month)) {
            earned -= naive_value(story, day, month - 1);
        }
    }
    return earned;
}

struct Books {
    Rates rates;
    Account account;
    std::optional<Month> sealed;
    std::uint64_t recorded = 0;

    void hear(const Said& said) {
        switch (said.kind) {
            case Said::Kind::money:
                account.add(
                    said.day,
                    booked_month(said.day, sealed),
                    {.clicks = said.amount >= 0 ? 1U : 0U,
                     .refunds = said.amount < 0 ? 1U : 0U,
                     .amount = said.amount}
                );
                return;
            case Said::Kind::share:
                rates.add(
                    {.effective = said.day,
                     .share = said.amount < 0 ? std::nullopt
                                              : std::optional{static_cast<Millionths>(said.amount)},
                     .booked = booked_month_of_rate(sealed),
                     .recorded = ++recorded}
                );
                return;
            case Said::Kind::seal:
                sealed = std::max(sealed.value_or(-1), static_cast<Month>(said.amount));
        }
    }

    Whole earned(int from, int to) const {
        const Income income = account.income(from, to, rates).value();
        Exact sum = 0;
        for (const DayIncome& each : income.days) {
            sum += each.income;
        }
        for (const Adjustment& each : income.adjustments) {
            sum += each.is - each.was;
        }
        return Whole{sum};
    }
};

constexpr int months = 6;

Said draw(Random& random, bool may_seal, int sealed) {
    const int days = begin_of(months - 1);  // the last month has adjustments only
    const auto what = random.below(100);
    if (what < 4 && may_seal) {
        return {.kind = Said::Kind::seal, .amount = sealed + 1};
    }
    const int day = static_cast<int>(random.below(static_cast<std::uint64_t>(days)));
    if (what < 30) {
        const long share = random.below(5) == 0 ? -1 : static_cast<long>(random.below(whole + 1));
        return {.kind = Said::Kind::share, .day = day, .amount = share};
    }
    const long amount = static_cast<long>(random.below(2'000'000'000'000)) - 500'000'000'000;
    return {.kind = Said::Kind::money, .day = day, .amount = amount};
}

/// The latest rates of all amounts, each day for itself.
Whole at_the_latest_rates(const std::vector<Said>& story) {
    Whole all = 0;
    for (int day = 0; day < begin_of(months); ++day) {
        all += naive_value(story, day, 1000);
    }
    return all;
}

void play(std::uint64_t seed) {
    Random random{seed};
    Books books;
    std::vector<Said> story;
    std::vector<Whole> sealed_months;
    for (int said = 0; said < 60; ++said) {
        const int sealed = static_cast<int>(sealed_months.size()) - 1;
        const Said next = draw(random, sealed < months - 2, sealed);
        story.push_back(next);
        books.hear(next);
        if (next.kind == Said::Kind::seal) {
            const int month = static_cast<int>(next.amount);
            sealed_months.push_back(books.earned(begin_of(month), begin_of(month + 1) - 1));
        }
        for (std::size_t month = 0; month < sealed_months.size(); ++month) {
            const int at = static_cast<int>(month);
            ASSERT_EQ(books.earned(begin_of(at), begin_of(at + 1) - 1), sealed_months[month])
                << "a sealed month changed";
        }
    }
    for (int month = 0; month < months; ++month) {
        ASSERT_EQ(books.earned(begin_of(month), begin_of(month + 1) - 1), naive_month(story, month))
            << "month " << month;
    }
    ASSERT_EQ(books.earned(0, begin_of(months) - 1), at_the_latest_rates(story));
}

TEST(Ledger, equals_what_is_computed_from_the_whole_story) {
    const std::uint64_t seed = storage::test_seed();
    for (std::uint64_t round = 0; round < rounds(1000); ++round) {
        SCOPED_TRACE(fmt::format("FOOTFALL_SEED={}", seed + round));
        play(seed + round);
        if (testing::Test::HasFatalFailure()) {
            return;
        }
    }
}

}  // namespace
}  // namespace footfall::ads
