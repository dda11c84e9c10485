// Half a million real events, which come in no order of time: each verdict is the one that a judge
// written from the definition gives, and every number of every object follows from the verdicts.

#include "deployment/deployment.h"
#include "events/event_keys.h"
#include "events/verdict.h"
#include "foundation_testing/temporary_directory.h"
#include "jobs/list.h"
#include "metrics/metrics.h"
#include "storage/blocking.h"
#include "storage/deployment.h"
#include "storage_rocksdb/rocks_store.h"
#include "test_support/must.h"
#include "test_support/run_command.h"
#include "test_support/truth.h"
#include "views_of.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace footfall {
namespace {

using namespace test_support;
using std::chrono::microseconds;

constexpr std::uint64_t rows = 578'805;

/// A counted event of the same action, object and actor less than the window away, on either side,
/// stands in the lane already.
class PlainJudge {
public:
    std::string judge(const events::Event& event) {
        std::vector<Instant>& counted = counted_[{event.action, event.object, event.actor}];
        auto nearest = microseconds::max();
        for (const Instant time : counted) {
            nearest = std::min(nearest, time < event.time ? event.time - time : time - event.time);
        }
        if (nearest < std::chrono::seconds{30}) {
            return "repeat_fast";
        }
        if (nearest < std::chrono::hours{1}) {
            return "repeat";
        }
        counted.push_back(event.time);
        return "";
    }

private:
    std::map<std::tuple<std::string, std::string, std::string>, std::vector<Instant>> counted_;
};

/// Numbers of an object: events by day and reason.
using ByDay = std::map<views::Day, std::map<std::string, std::uint64_t>>;

/// The line of an imported event, which its id ends with.
std::uint64_t line_of(const std::string& id) {
    const std::size_t end = id.rfind(':');
    const std::size_t start = id.rfind(':', end - 1) + 1;
    std::uint64_t line = 0;
    std::from_chars(id.data() + start, id.data() + end, line);
    return line;
}

class ReviewsJudged : public testing::Test {
protected:
    void SetUp() override {
        keep_secret();
        const CommandResult done = run_footfall(
            {"import",
             std::string{FOOTFALL_DATA_DIR} + "/events-reviews/anonreviews.csv.gz",
             "--as",
             "events",
             "--format",
             "csv",
             "--map",
             "object=vendorId,actor=reviewerId,time=date",
             "--set",
             "action=view",
             "--data",
             directory_ / "data"}
        );
        ASSERT_EQ(done.last_line(), fmt::format("imported {} duplicates 0 rejected 0", rows))
            << done.errors;
        opened_ = must(deployment::Deployment::open(
            {.place = deployment::DirectoryPlace{.path = directory_ / "data", .create = false},
             .jobs = jobs::all()},
            clock_,
            metrics_
        ));
    }

    /// How people are hashed, the same in every run: whether all of 171 estimates are within four
    /// standard errors is chance, once in some hundred runs they are not. What chance does is for
    /// `./prove people` to say, of 10,000 runs.
    void keep_secret() {
        const std::unique_ptr<storage_rocksdb::RocksStore> store =
            must(storage_rocksdb::RocksStore::open(
                {.directory = directory_ / "data", .tables = {&storage::deployment_table}},
                clock_,
                metrics_
            ));
        storage::Batch batch;
        batch.upsert(storage::deployment_table, {"hash_secret", "a fixed secret 1"});
        must(write_durably(*store, batch));
        store->close();
    }

    intake::Intake& intake() { return opened_->events().intake(); }

    /// Judges a lane's records again and adds what they come to.
    void judge_lane(std::uint32_t lane, std::map<std::string, ByDay>& objects) {
        PlainJudge plain;
        std::map<std::string, std::uint64_t> last_line;
        for (std::uint64_t next = 0;;) {
            const journal::Records records = must(intake().context().log->read(lane, next, {}));
            if (records.empty()) {
                return;
            }
            for (std::size_t at = 0; at < records.size(); ++at) {
                const events::LogRecord record = must(events::read_record(records[at]));
                if (!std::holds_alternative<events::JudgedEvent>(record)) {
                    continue;
                }
                const auto& judged = std::get<events::JudgedEvent>(record);
                const std::string reason =
                    judged.verdict.refusal ? judged.verdict.refusal->reason : "";
                ASSERT_EQ(reason, plain.judge(judged.event)) << judged.event.id;
                ++objects[judged.event.object][views::day_of(judged.event.time)][reason];
                ++judged_;
                std::uint64_t& before = last_line[judged.event.object];
                const std::uint64_t line = line_of(judged.event.id);
                ASSERT_LT(before, line) << "the order of the file is kept";
                before = line;
            }
            next = records.next();
        }
    }

    views::Report report_of(const std::string& object, const ByDay& days) {
        const views::DayRange range{.from = days.begin()->first, .to = days.rbegin()->first};
        return must(views_of(opened_->events())
                        .report(
                            events::lane_of(object, intake().context().secret),
                            {.action = "view", .object = object, .range = range}
                        ));
    }

    const SystemClock clock_;
    metrics::Metrics metrics_;
    const TemporaryDirectory directory_;
    std::unique_ptr<deployment::Deployment> opened_;
    std::uint64_t judged_ = 0;
};

TEST_F(ReviewsJudged, every_verdict_and_every_number_is_that_of_a_plain_judge) {
    std::map<std::string, ByDay> objects;
    for (std::uint32_t lane = 0; lane < intake().context().log->lanes(); ++lane) {
        judge_lane(lane, objects);
        ASSERT_FALSE(HasFatalFailure());
    }
    EXPECT_EQ(judged_, rows);
    const Counts truth =
        read_truth(std::string{FOOTFALL_DATA_DIR} + "/events-reviews/truth_objects.tsv.gz");
    ASSERT_EQ(objects.size(), truth.size());
    double sum_of_errors = 0;
    double sum_of_squares = 0;
    std::size_t estimated = 0;
    for (const auto& [object, days] : objects) {
        const views::Report report = report_of(object, days);
        ASSERT_EQ(report.days.size(), days.size()) << object;
        for (const views::DayReport& day : report.days) {
            std::map<std::string, std::uint64_t> told{
                day.counts.refused.begin(), day.counts.refused.end()
            };
            if (day.counts.counted > 0) {
                told.emplace("", day.counts.counted);
            }
            ASSERT_EQ(told, days.at(day.day)) << object << ", day " << day.day;
        }
        const views::Report whole = must(views_of(opened_->events())
                                             .report(
                                                 events::lane_of(object, intake().context().secret),
                                                 {.action = "view", .object = object}
                                             ));
        const auto people = static_cast<double>(truth.at(object));
        if (whole.exact) {
            EXPECT_EQ(whole.people, truth.at(object)) << object;
            continue;
        }
        const double error = (static_cast<double>(whole.people) - people) / people;
        EXPECT_LT(std::abs(error), 4 * whole.error) << object;
        sum_of_errors += error;
        sum_of_squares += error * error / (whole.error * whole.error);
        ++estimated;
    }
    const double mean = sum_of_errors / static_cast<double>(estimated);
    const double spread = std::sqrt(sum_of_squares / static_cast<double>(estimated));
    fmt::print(
        "{} objects, {} of them estimated: mean error {:+.3f} %, root mean square of the error "
        "over "
        "the stated one {:.2f}\n",
        objects.size(),
        estimated,
        mean * 100,
        spread
    );
    EXPECT_LT(std::abs(mean), 0.003);
    EXPECT_LT(spread, 1.25);
}

}  // namespace
}  // namespace footfall
