// Real sales of a laptop that grew onto a real cluster and came back are the same money in each
// place. `./prove stores` has them, and all of them.

#include "ledger_data.h"
#include "moving_parts.h"
#include "test_support/random_seed.h"
#include "test_support/running_server.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace footfall::acceptance {
namespace {

using namespace test_support;

class LedgerMoved : public testing::Test {
protected:
    /// The money there is, and that a second import brings none.
    void expect_truth_of(const FootfallProcess& server) const {
        Api api{server};
        const std::string amount = events::format_money(all_.amount);
        EXPECT_EQ(split_amount(api), amount);
        EXPECT_EQ(different_sums(days_, days_by_income(api, sales_)), "");
        EXPECT_EQ(run_well(Sales::import_words(file_, {"--server", server.url()})).exit_code, 0);
        api.wait_until_counted(all_.rows);
        EXPECT_EQ(split_amount(api), amount);
        EXPECT_EQ(different_sums(days_, days_by_income(api, sales_)), "");
    }

    const TemporaryDirectory directory_;
    const Sales sales_ = environment_number("FOOTFALL_WHOLE_LEDGER", 0) == 0 ? december() : whole();
    const std::string file_ = directory_.write("sales.csv", sales_.csv());
    const Sums days_ = truth_by_day(sales_);
    const Sum all_ = sum_of(days_);
};

TEST_F(LedgerMoved, to_cassandra_and_back) {
    const std::string laptop = directory_ / "laptop";
    run_well(Sales::import_words(file_, {"--data", laptop}));
    run_well({"export", directory_ / "there", "--data", laptop});
    const std::vector<std::string> cluster = rows_of(directory_ / "cluster");
    const auto at_cluster = [&](std::vector<std::string> words) {
        words.insert(words.end(), cluster.begin(), cluster.end());
        return words;
    };
    run_well(at_cluster({"import-tables", directory_ / "there"}));
    {
        FootfallProcess server{directory_ / "cluster"};
        expect_truth_of(server);
        ASSERT_EQ(server.stop(), 0);
    }
    run_well(at_cluster({"export", directory_ / "back"}));
    run_well({"import-tables", directory_ / "back", "--data", directory_ / "again"});
    EXPECT_EQ(
        different_sums(
            truth_by_day_and_code(sales_), days_and_codes_by_table({"--data", directory_ / "again"})
        ),
        ""
    );
}

}  // namespace
}  // namespace footfall::acceptance
