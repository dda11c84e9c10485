// Real sales with their refunds, to the thousandth of a pound: all of them, each day, each day and
// stock code are what was computed beforehand by other means; also after a second import, after
// kills in the middle of one, and in another directory.

#include "foundation/random.h"
#include "ledger_data.h"
#include "moving_parts.h"
#include "test_support/eventually.h"
#include "test_support/random_seed.h"
#include "test_support/running_server.h"
#include "test_support/tested_store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace footfall::acceptance {
namespace {

using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;
using namespace test_support;

/// Events that the server has decided on since its start.
std::uint64_t events_seen(Api& api) {
    return api.metric(R"(footfall_events_judged_total{verdict="counted"})") +
           api.metric("footfall_events_duplicate_total");
}

class LedgerTruth : public testing::TestWithParam<Sales> {
protected:
    std::vector<std::string> import_words(const std::vector<std::string>& target) const {
        return Sales::import_words(file_, target);
    }

    std::string last_line(std::uint64_t imported, std::uint64_t duplicates) const {
        return fmt::format("imported {} duplicates {} rejected 0", imported, duplicates);
    }

    /// What the server answers of all money, and of each day. Embedded at once; on a cluster some
    /// may be only on its way, and when lanes came again meanwhile no figure says how much.
    void expect_truth_of(Api& api) const {
        const std::string amount = events::format_money(all_.amount);
        eventually([&] { return split_amount(api) == amount; }, log_is_kafka() ? 60s : 0s, 100ms);
        EXPECT_EQ(split_amount(api), amount);
        EXPECT_EQ(different_sums(days_, days_by_income(api, GetParam())), "");
    }

    void expect_truth_in(const std::vector<std::string>& place) const {
        const Sums truth = truth_by_day_and_code(GetParam());
        EXPECT_EQ(text_of(sum_of(truth)), text_of(all_)) << "the truth is not one";
        EXPECT_EQ(different_sums(truth, days_and_codes_by_table(place)), "");
    }

    const TemporaryDirectory directory_;
    const std::string data_ = directory_ / "data";
    const std::string file_ = directory_.write("sales.csv", GetParam().csv());
    const Sums days_ = truth_by_day(GetParam());
    const Sum all_ = sum_of(days_);
};

TEST_P(LedgerTruth, holds_through_a_server_and_a_second_import) {
    FootfallProcess server{data_};
    Api api{server};
    const auto words = import_words({"--server", server.url()});
    EXPECT_EQ(run_well(words).last_line(), last_line(all_.rows, 0));
    api.wait_until_counted(all_.rows);
    expect_truth_of(api);
    EXPECT_EQ(
        different_sums(
            truth_by_day_and_code(GetParam()), days_and_codes_by_income(api, GetParam())
        ),
        ""
    );

    EXPECT_EQ(run_well(words).last_line(), last_line(0, all_.rows));
    api.wait_until_counted(2 * all_.rows);
    expect_truth_of(api);

    server.kill();
    server.restart();
    Api again{server};
    again.wait_until_counted(0);
    expect_truth_of(again);
    ASSERT_EQ(server.stop(), 0);
    expect_truth_in(rows_of(data_));
}

TEST_P(LedgerTruth, holds_when_a_server_is_killed_in_mid_import) {
    FootfallProcess server{data_};
    Random random{random_seed()};
    const auto words = import_words({"--server", server.url()});
    for (const unsigned part : {0U, 1U}) {
        const std::uint64_t threshold = all_.rows * (1 + part) / 3 + random.below(all_.rows / 4);
        fmt::print("killing the server after {} sales\n", threshold);
        Api api{server};
        ChildProcess import{footfall_command(words)};
        // Embedded an import takes seconds; on a cluster minutes, and each question a part of its
        // core.
        const auto pause = log_is_kafka() ? 100ms : 2ms;
        ASSERT_TRUE(eventually([&] { return events_seen(api) >= threshold; }, 600s, pause));
        server.kill();
        EXPECT_EQ(import.wait(20s).exit_code, 1);
        EXPECT_THAT(import.output(), Not(HasSubstr("imported")));

        server.restart();
        Api after{server};
        after.wait_until_counted(0);
        EXPECT_EQ(surplus_days(days_, days_by_income(after, GetParam())), "");
    }
    EXPECT_THAT(run_well(words).last_line(), Not(HasSubstr("duplicates 0 ")));
    Api api{server};
    expect_truth_of(api);
    ASSERT_EQ(server.stop(), 0);
    expect_truth_in(rows_of(data_));
}

class LedgerDirectory : public LedgerTruth {};

TEST_P(LedgerDirectory, holds_when_its_import_is_killed_and_when_moved_to_another_one) {
    Random random{random_seed()};
    // By what is written: what is read may be far ahead of the rows that are kept.
    const std::uint64_t bytes = std::filesystem::file_size(file_);
    const KilledRun import =
        run_with_kills(import_words({"--data", data_}), FileUse::written, bytes, 2, random);
    EXPECT_GT(import.kills, 0);
    EXPECT_EQ(import.last.exit_code, 0) << import.last.errors;
    EXPECT_THAT(import.last.output, Not(HasSubstr("duplicates 0 ")));
    expect_truth_in({"--data", data_});

    run_well({"export", directory_ / "export", "--data", data_});
    const std::string other = directory_ / "other";
    run_well({"import-tables", directory_ / "export", "--data", other});
    expect_truth_in({"--data", other});
    EXPECT_EQ(run_well(import_words({"--data", other})).last_line(), last_line(0, all_.rows));
    const FootfallProcess server{other};
    Api api{server};
    expect_truth_of(api);
}

const auto name_of_sales = [](const testing::TestParamInfo<Sales>& sales) {
    return sales.param.name;
};

INSTANTIATE_TEST_SUITE_P(, LedgerTruth, testing::Values(december(), whole()), name_of_sales);
// A month is not long enough for a kill that leaves something.
INSTANTIATE_TEST_SUITE_P(, LedgerDirectory, testing::Values(whole()), name_of_sales);

}  // namespace
}  // namespace footfall::acceptance
