// footfall verify ads, by the real program, on a ledger that is right and on one that is not; and
// what the nightly check writes.

#include "ads/ledger_check.h"
#include "ads_routes/ads_job.h"
#include "ads_routes/nightly_check.h"
#include "changed_row.h"
#include "deployment/deployment.h"
#include "jobs/list.h"
#include "metrics/metrics.h"
#include "test_support/eventually.h"
#include "test_support/must.h"
#include "test_support/run_command.h"
#include "test_support/running_server.h"
#include "test_support/tested_store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

namespace footfall {
namespace {

using namespace test_support;
using testing::HasSubstr;

class VerifyAds : public RunningServer {
protected:
    /// Clicks of two resellers, most without an id, all of one moment; a sale; a refund; a repeat.
    void post() {
        std::string lines;
        for (int at = 0; at < 40; ++at) {
            lines += fmt::format(
                R"({{"action":"click","object":"o{0}","actor":"u{0}","amount":"0.0{1}",)"
                R"("currency":"EUR","reseller":"shop{2}","publisher":"blog","ad":"banner"}})"
                "\n",
                at % 39,
                at % 9 + 1,
                at % 2
            );
        }
        lines +=
            R"({"action":"sale","object":"o1","amount":"10","reseller":"shop1","currency":"EUR"})"
            "\n"
            R"({"action":"sale","object":"o1","amount":"-4","reseller":"shop1","currency":"EUR"})"
            "\n";
        api_.post_events(lines);
        put("/api/v1/resellers/shop1/rates/2026-01-01", R"({"reward_percent":"0.3"})");
        put("/api/v1/publishers/blog/rates/2026-01-01", R"({"reward_percent":"0.1"})");
        put("/api/v1/ledger/months/2024-01", R"({"state":"sealed"})");
    }

    void put(const std::string& path, const std::string& body) {
        const auto answer = api_.send(http_server::Method::put, path, body);
        ASSERT_LT(answer.status, 300) << path << ": " << answer.body;
    }

    CommandResult verify() {
        std::vector<std::string> words{"verify", "ads"};
        const auto place = place_words(directory_ / "data");
        words.insert(words.end(), place.begin(), place.end());
        return run_footfall(words);
    }

    std::unique_ptr<deployment::Deployment> open() {
        return must(deployment::Deployment::open(
            {.place = deployment::DirectoryPlace{.path = directory_ / "data", .create = false},
             .jobs = jobs::all()},
            clock_,
            metrics_
        ));
    }

    /// Adds a euro to the first row of a reseller's days.
    static void add_a_euro(storage::Store& store) {
        change_a_row(store, "shop1", "EUR", 1'000'000);
    }

    const SystemClock clock_;
    metrics::Metrics metrics_;
};

TEST_F(VerifyAds, says_nothing_of_what_is_right_and_names_what_is_changed) {
    post();
    EXPECT_EQ(server_.stop(), 0);
    const CommandResult right = verify();
    EXPECT_EQ(right.exit_code, 0) << right.output << right.errors;
    EXPECT_EQ(right.last_line(), "verified 42 events of 3 objects: 0 differences");
    {
        const auto directory = open();
        add_a_euro(directory->store());
    }
    const CommandResult wrong = verify();
    EXPECT_EQ(wrong.exit_code, 1) << wrong.output << wrong.errors;
    EXPECT_THAT(
        wrong.output, HasSubstr("amount_by_day: reseller \"shop1\", currency \"EUR\", day")
    );
    EXPECT_THAT(wrong.output, HasSubstr("stored; the log has"));
    EXPECT_EQ(verify().output, wrong.output) << "it writes nothing, and repairs nothing";
}

TEST_F(VerifyAds, says_nothing_after_a_kill) {
    post();
    server_.kill();
    const CommandResult right = verify();
    EXPECT_EQ(right.exit_code, 0) << right.output << right.errors;
}

TEST_F(VerifyAds, the_nightly_check_is_shown_after_a_restart) {
    // At night the server would check by itself, if nobody were at it.
    EXPECT_EQ(server_.stop(), 0);
    must(ads::LedgerCheck{.begun_at = clock_.now()}.write(open()->store()));
    server_.restart();
    api_ = Api{server_};
    post();
    const auto check = [&] { return api_.get_json("/api/v1/ledger/check"); };
    EXPECT_TRUE(check().at("checked_at").is_null());
    EXPECT_FALSE(api_.has_metric("footfall_ads_check_differences"));
    EXPECT_EQ(server_.stop(), 0);
    {
        const auto directory = open();
        add_a_euro(directory->store());
        ads::routes::NightlyCheck nightly{
            ads::routes::ledger_of(directory->events().job("ads")), directory->events().intake()
        };
        must(nightly.check());
        EXPECT_GT(nightly.last().differences, 0U);
        std::stop_source stopped;
        stopped.request_stop();
        EXPECT_FALSE(nightly.check(stopped.get_token()));
    }
    server_.restart();
    api_ = Api{server_};
    EXPECT_TRUE(check().at("checked_at").is_string());
    const auto differences = check().at("differences").to_number<std::uint64_t>();
    EXPECT_GT(differences, 0U);
    EXPECT_EQ(check().at("first").as_array().size(), differences);
    EXPECT_TRUE(eventually([&] {
        return api_.metric("footfall_ads_check_differences") == differences;
    }));
    EXPECT_GT(api_.metric("footfall_ads_checked_timestamp_seconds"), 1'700'000'000U);
}

}  // namespace
}  // namespace footfall
