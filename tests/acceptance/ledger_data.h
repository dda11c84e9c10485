#pragma once

#include "events/money.h"
#include "test_support/api.h"

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace footfall::acceptance {

/// The real sales of ledger-retail, from the first day through one.
struct Sales {
    std::string name;  ///< As a test is named.
    std::string through;

    /// A line for each sale below a header, as tests/ads/retail_sales.py makes them.
    std::string csv() const;

    /// The words of `footfall import` for a file of csv().
    static std::vector<std::string> import_words(
        const std::string& file, const std::vector<std::string>& target
    );

    /// How gtest names it.
    friend void PrintTo(const Sales& sales, std::ostream* out) { *out << sales.name; }
};

Sales december();  ///< 42,481 sales in 20 days.
Sales whole();     ///< 541,909 sales in 305 days.

/// Sales and refunds of one day, or of something on one day.
struct Sum {
    std::uint64_t rows = 0;
    events::Micros amount = 0;

    Sum& operator+=(const Sum& other);
    friend bool operator==(const Sum&, const Sum&) = default;
};

/// By day, "2010-12-01", or by day and stock code, "2010-12-01 85123A".
using Sums = std::map<std::string, Sum>;

/// What the data set says of itself, computed by other means.
Sums truth_by_day(const Sales& sales);
Sums truth_by_day_and_code(const Sales& sales);

Sum sum_of(const Sums& sums);

/// "42481 GBP 748957.02".
std::string text_of(const Sum& sum);

/// Sums that differ, a line each and at most ten; "" if none.
std::string different_sums(const Sums& expected, const Sums& actual);

/// Days on which there is more than there can be, by the number of rows.
std::string surplus_days(const Sums& truth, const Sums& actual);

/// What GET /api/v1/ledger/split says there is in all.
std::string split_amount(test_support::Api& api);

/// The names of all resellers.
std::vector<std::string> resellers_of(test_support::Api& api);

/// What the incomes of all resellers say, by day.
Sums days_by_income(test_support::Api& api, const Sales& sales);

/// The same by day and ad, a question for each day on which a reseller has something.
Sums days_and_codes_by_income(test_support::Api& api, const Sales& sales);

/// What the table clicks_per_ad has; `place`: the words that say where rows are.
Sums days_and_codes_by_table(const std::vector<std::string>& place);

/// These words for a data directory, or what stands for it (test_support::store_words).
std::vector<std::string> rows_of(const std::string& data);

}  // namespace footfall::acceptance
