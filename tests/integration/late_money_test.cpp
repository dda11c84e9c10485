// Money that comes again long after its event, and the id by which it was known, have been let go:
// it is not counted twice. And rows of clicks go when they have been kept for long enough.

#include "ads/dropped_clicks.h"
#include "ads/month.h"
#include "ads/schema.h"
#include "ads_routes/ads_job.h"
#include "ads_routes/ads_settings.h"
#include "ads_routes/said.h"
#include "deployment/deployment.h"
#include "deployment/verify.h"
#include "events/rfc3339.h"
#include "foundation_testing/temporary_directory.h"
#include "jobs/list.h"
#include "metrics/metrics.h"
#include "runtime/lanes.h"
#include "storage/blocking.h"
#include "storage/decimal.h"
#include "test_support/eventually.h"
#include "test_support/must.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace footfall {
namespace {

using namespace std::chrono_literals;
using test_support::eventually;
using test_support::must;

constexpr std::chrono::days keep_events{30};

class LateMoney : public testing::Test {
protected:
    LateMoney() { open(); }

    void open() {
        deployment_ = must(deployment::Deployment::open(
            {.place = deployment::DirectoryPlace{.path = directory_ / "data", .create = true},
             .keep_events = keep_events,
             .jobs = jobs::all(),
             .jobs_options =
                 {{"ads", must(ads::routes::ads_settings.read({.sections = {}, .values = {}}))}}},
            clock_,
            metrics_
        ));
    }

    /// So much later the program is started again, with the settings that hold if nobody says any.
    void resume_after(std::chrono::days time) {
        deployment_.reset();
        clock_.advance(time);
        open();
    }

    /// Events, their ids and what rules remember of them are let go.
    void let_events_go(std::uint64_t events) {
        resume_after(keep_events + std::chrono::days{10});
        ASSERT_TRUE(eventually([&] { return deployment_->events().dropped() >= events; }));
    }

    static events::Event sale(const std::string& id, events::Micros amount) {
        return {
            .id = id,
            .time = Instant{std::chrono::sys_days{std::chrono::January / 10 / 2026}} + 9h,
            .action = "sale",
            .object = "book",
            .amount = amount,
            .reseller = "shop"
        };
    }

    intake::Taken post(events::Event event) {
        std::vector<events::Event> events;
        events.push_back(std::move(event));
        return must(deployment_->events().collector().collect(
            {.events = std::move(events), .arrival = clock_.now()}
        ));
    }

    /// Of all rows by day of the reseller.
    events::Micros amount() {
        must(deployment_->events().job("ads").projection()->flush(true));
        const auto rows = must(storage::read_all(
            deployment_->store(),
            {.table = &ads::reseller_tables.day,
             .partition = {std::string{"shop"}, std::string{"XXX"}}}
        ));
        storage::Wide sum = 0;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            for (std::size_t at = 0; at < rows.table().width(); ++at) {
                if (rows.table().column(at).name == "amount") {
                    sum += must(storage::decimal_of(rows.at(row, at).text()));
                }
            }
        }
        return static_cast<events::Micros>(sum);
    }

    std::size_t clicks() {
        return must(storage::scan_page(deployment_->store(), {.table = &ads::ad_click_table}))
            .rows.size();
    }

    void expect_right() {
        std::vector<std::string> differences;
        must(deployment::verify(
            deployment_->events(),
            ads::routes::job,
            {.difference = [&](const std::string& text) { differences.push_back(text); },
             .progress = [](std::uint64_t) {}}
        ));
        EXPECT_EQ(differences, std::vector<std::string>{});
    }

    void seal(ads::Month month, std::size_t in_lanes = runtime::lane_count) {
        std::vector<std::uint32_t> lanes(in_lanes);
        std::iota(lanes.begin(), lanes.end(), 0);
        must(deployment_->events().collector().say(
            events::MonthSealed{.month = month, .author = "we", .said = clock_.now(), .id = "seal"},
            lanes
        ));
    }

    ads::DroppedClicks dropped() { return must(ads::DroppedClicks::read(deployment_->store())); }

    const TemporaryDirectory directory_;
    ManualClock clock_{Instant{std::chrono::sys_days{std::chrono::January / 10 / 2026}} + 10h};
    metrics::Metrics metrics_;
    std::unique_ptr<deployment::Deployment> deployment_;
};

TEST_F(LateMoney, what_comes_again_after_its_id_went_is_not_counted_twice) {
    post(sale("one", 10));
    post(sale("two", 20));
    EXPECT_EQ(amount(), 30);
    let_events_go(2);
    EXPECT_EQ(post(sale("one", 10)).duplicates, 1U);
    EXPECT_EQ(post(sale("two", 25)).refused, 1U) << "an id with other content";
    const intake::Taken first = post(sale("three", 5));
    EXPECT_EQ(first.duplicates + first.refused, 0U) << "late, but new";
    EXPECT_EQ(amount(), 35);
    EXPECT_EQ(clicks(), 3U);
    expect_right();
}

TEST_F(LateMoney, what_is_older_than_clicks_are_kept_is_refused) {
    post(sale("one", 10));
    EXPECT_EQ(amount(), 10);
    let_events_go(1);
    const ads::Month january = ads::month_of(parse_day("2026-01-10").value());
    seal(january);
    resume_after(std::chrono::days{401});
    EXPECT_EQ(post(sale("one", 10)).refused, 1U);
    EXPECT_EQ(post(sale("new", 10)).refused, 1U);
    EXPECT_EQ(amount(), 10);
    EXPECT_TRUE(eventually([&] { return dropped().begun == january; }));
    EXPECT_EQ(clicks(), 1U) << "first it is said that they go";
    resume_after(std::chrono::days{2});
    EXPECT_TRUE(eventually([&] { return dropped().done == january; }));
    EXPECT_EQ(clicks(), 0U);
    expect_right();
    EXPECT_EQ(amount(), 10) << "sums stay";
}

/// As when whoever said it was killed between the lanes.
TEST_F(LateMoney, a_seal_that_was_said_in_some_lanes_is_said_in_the_others) {
    post(sale("one", 10));
    clock_.advance(30 * 24h);
    const ads::Month january = ads::month_of(parse_day("2026-01-10").value());
    seal(january, 10);
    EXPECT_EQ(amount(), 10);
    ads::Ledger& ledger = ads::routes::ledger_of(deployment_->events().job("ads"));
    const auto sealed = [&] {
        must(ads::routes::complete_seal(ledger, deployment_->events().collector()));
        must(ledger.flush(true));
        return must(ledger.seals()).sealed();
    };
    EXPECT_EQ(sealed(), std::nullopt) << "others may be about to say it";
    clock_.advance(61s);
    EXPECT_EQ(sealed(), january);
    EXPECT_EQ(must(ledger.seals()).months().at(january).author, "we");
    expect_right();
}

}  // namespace
}  // namespace footfall
