#include "segment_reports/daily.h"

#include "segment_reports/report_rows.h"
#include "segment_reports/schema.h"
#include "storage/memory_store.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace footfall::segment_reports {
namespace {

using namespace std::chrono_literals;

constexpr const storage::Table* report_tables[] = {
    &segment_report_table, &segment_report_day_table
};

class DailyTest : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(write_report(
            store_,
            {.name = "growth",
             .segments = {"spring", "\"loyal\""},
             .minute = 6 * 60,
             .created = clock_.now()}
        ));
    }

    Daily daily() {
        return Daily{
            store_,
            clock_,
            [this](const std::vector<std::string>& segments) -> Result<ReportDay> {
                ++counts_;
                if (fails_with_) {
                    return fail(*fails_with_, "there is no segment \"spring\"");
                }
                EXPECT_EQ(segments.size(), 2);
                return ReportDay{
                    .day = 0,
                    .segments = {},
                    .sizes = {counts_, std::uint64_t{1} << 40},
                    .pairs = {7},
                    .trouble = {},
                    .as_of = clock_.now()
                };
            }
        };
    }

    std::vector<ReportDay> days() {
        auto read = read_days(store_, "growth", clock_.now());
        EXPECT_TRUE(read);
        return read ? *std::move(read) : std::vector<ReportDay>{};
    }

    ManualClock clock_{Instant{std::chrono::sys_days{std::chrono::year{2026} / 11 / 28}} + 5h};
    storage::MemoryStore store_{report_tables, clock_};
    std::uint64_t counts_ = 0;
    std::optional<ErrorKind> fails_with_;
};

TEST_F(DailyTest, counts_once_a_day_whoever_looks_and_however_often) {
    Daily one = daily();
    Daily other = daily();
    EXPECT_EQ(one.take_turn(), 0);
    clock_.advance(1h);
    EXPECT_EQ(one.take_turn(), 1);
    EXPECT_EQ(one.take_turn(), 0);
    EXPECT_EQ(other.take_turn(), 0) << "after a restart, or elsewhere";
    clock_.advance(72h);
    EXPECT_EQ(other.take_turn(), 1) << "of the days in between there is nothing to be known";
    const auto found = days();
    ASSERT_EQ(found.size(), 2);
    EXPECT_EQ(found[0].day, found[1].day + 3);
    EXPECT_EQ(found[1].sizes, (std::vector<std::uint64_t>{1, std::uint64_t{1} << 40}));
    EXPECT_EQ(found[0].sizes.front(), 2);
    EXPECT_EQ(found[0].pairs, std::vector<std::uint64_t>{7});
    EXPECT_EQ(found[0].segments, (std::vector<std::string>{"spring", "\"loyal\""}));
}

TEST_F(DailyTest, tells_why_a_day_has_nothing_and_tries_again_what_may_pass) {
    Daily one = daily();
    clock_.advance(1h);
    fails_with_ = ErrorKind::unavailable;
    EXPECT_FALSE(one.take_turn());
    EXPECT_TRUE(days().empty());
    fails_with_ = ErrorKind::not_found;
    EXPECT_EQ(one.take_turn(), 1);
    ASSERT_EQ(days().size(), 1);
    EXPECT_EQ(days().front().trouble, "there is no segment \"spring\"");
    EXPECT_TRUE(days().front().sizes.empty());
    EXPECT_EQ(one.take_turn(), 0);
}

TEST_F(DailyTest, a_day_goes_after_its_time_and_with_its_report) {
    Daily one = daily();
    clock_.advance(1h);
    EXPECT_EQ(one.take_turn(), 1);
    clock_.advance(kept_days);
    EXPECT_TRUE(days().empty());
    EXPECT_EQ(one.take_turn(), 1);
    EXPECT_EQ(days().size(), 1);
    EXPECT_EQ(remove_report(store_, "growth"), true);
    EXPECT_EQ(remove_report(store_, "growth"), false);
    EXPECT_TRUE(days().empty());
    EXPECT_EQ(one.take_turn(), 0);
}

}  // namespace
}  // namespace footfall::segment_reports
