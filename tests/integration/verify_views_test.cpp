// footfall verify, on numbers that are right and on numbers that are not.

#include "deployment/deployment.h"
#include "deployment/verify.h"
#include "foundation/random.h"
#include "foundation_testing/temporary_directory.h"
#include "intake/retention.h"
#include "jobs/list.h"
#include "metrics/metrics.h"
#include "rankings/schema.h"
#include "storage/blocking.h"
#include "test_support/must.h"
#include "views/schema.h"
#include "views_of.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace footfall::deployment {
namespace {

using test_support::must;
using testing::ElementsAre;
using testing::HasSubstr;

class VerifyViews : public testing::Test {
protected:
    VerifyViews() {
        open();
        std::vector<events::Event> events;
        events.reserve(10);
        for (int actor = 0; actor < 10; ++actor) {
            events.push_back(
                {.time = Instant{std::chrono::days{20'778 + actor % 2}},
                 .action = "view",
                 .object = actor < 7 ? "post" : "other",
                 .actor = fmt::format("u{}", actor)}
            );
        }
        const auto taken = must(directory_->events().intake().collect(
            {.events = std::move(events), .arrival = clock_.now()}
        ));
        must(storage::wait_durable(directory_->store(), taken.position));
    }

    void open() {
        directory_.reset();
        directory_ = must(Deployment::open(
            {.place = DirectoryPlace{.path = folder_ / "data"}, .jobs = jobs::all()},
            clock_,
            metrics_
        ));
    }

    std::vector<std::string> differences() {
        std::vector<std::string> told;
        const projecting::Verified verified = must(verify(
            directory_->events(),
            views::routes::job,
            {.difference = [&](const std::string& difference) { told.push_back(difference); },
             .progress = [](std::uint64_t) {}}
        ));
        EXPECT_EQ(verified.events, 10U);
        EXPECT_EQ(verified.objects, 2U);
        EXPECT_EQ(verified.differences, told.size());
        return told;
    }

    /// Erases the row of a day, behind everybody's back.
    void erase_day(const std::string& object, std::int64_t day) {
        storage::Store& store = directory_->store();
        const storage::Rows rows = must(read_all(
            store,
            {.table = &views::view_day_table,
             .partition = {std::string{"view"}, object},
             .from = {day},
             .through = {day}}
        ));
        ASSERT_EQ(rows.size(), 1U);
        storage::Batch batch;
        batch.erase(
            views::view_day_table,
            {rows.at(0, 0), rows.at(0, 1), rows.at(0, 2), rows.at(0, 3), rows.at(0, 4)}
        );
        must(write_durably(store, batch));
    }

    const SystemClock clock_;
    metrics::Metrics metrics_;
    const TemporaryDirectory folder_;
    std::unique_ptr<Deployment> directory_;
};

TEST_F(VerifyViews, finds_nothing_wrong_with_what_is_right) {
    EXPECT_THAT(differences(), ElementsAre());
    open();
    EXPECT_THAT(differences(), ElementsAre());
}

/// Where every person came once, a report says no more people than views, whatever the estimate.
TEST_F(VerifyViews, finds_nothing_wrong_with_people_who_came_once) {
    std::vector<events::Event> events;
    for (int object = 0; object < 8; ++object) {
        for (int actor = 0; actor < 300; ++actor) {
            events.push_back(
                {.time = Instant{std::chrono::days{20'778}},
                 .action = "view",
                 .object = fmt::format("page-{}", object),
                 .actor = fmt::format("u{}", actor)}
            );
        }
    }
    must(directory_->events().intake().collect(
        {.events = std::move(events), .arrival = clock_.now()}
    ));
    std::vector<std::string> told;
    must(verify(
        directory_->events(),
        views::routes::job,
        {.difference = [&](const std::string& difference) { told.push_back(difference); },
         .progress = [](std::uint64_t) {}}
    ));
    EXPECT_THAT(told, ElementsAre());
}

TEST_F(VerifyViews, prints_each_number_that_is_not_that_of_the_log) {
    open();  // so that all is stored, and nothing in memory
    erase_day("post", 20'778);
    EXPECT_THAT(
        differences(),
        ElementsAre("view of post, 2026-11-21: none stored; the log has 4 events, 4 counted")
    );
}

TEST_F(VerifyViews, finds_an_object_that_no_list_of_the_largest_finds) {
    open();
    const auto lane = static_cast<std::int64_t>(
        events::lane_of("post", directory_->events().intake().context().secret)
    );
    storage::Batch batch;
    batch.erase(
        views::view_rank_table,
        {std::string_view{"view"}, std::string_view{"people"}, std::int64_t{0}, lane, "post"}
    );
    batch.erase(
        rankings::rank_day_table,
        {std::string_view{"views"},
         std::string_view{"view"},
         std::string_view{"views"},
         std::int64_t{20'778},
         std::int64_t{0},
         lane,
         "post"}
    );
    must(write_durably(directory_->store(), batch));
    EXPECT_THAT(
        differences(),
        ElementsAre(
            "view of post, 2026-11-21: 4 views stored, but a row is missing by which a list of "
            "the largest finds it",
            "view of post: 7 people stored, but a row is missing by which a list of the largest "
            "finds it"
        )
    );
}

/// The same over what has left the log: a day of old events, then new ones, all of the same
/// objects.
class VerifyAfterRetention : public testing::Test {
protected:
    VerifyAfterRetention() {
        open();
        take(5000);
        clock_.advance(std::chrono::hours{49});
        take(3000);
        open();  // so that all is stored, and lanes say so
        intake::Retention retention{directory_->events().intake(), std::chrono::hours{48}};
        EXPECT_EQ(must(retention.sweep()), 5000U);
    }

    void open() {
        directory_.reset();
        directory_ = must(Deployment::open(
            {.place = DirectoryPlace{.path = folder_ / "data"}, .jobs = jobs::all()},
            clock_,
            metrics_
        ));
    }

    /// Of a few objects, each with many people, some of whom come twice.
    void take(std::size_t count) {
        std::vector<events::Event> events;
        events.reserve(count);
        for (std::size_t at = 0; at < count; ++at) {
            events.push_back(
                {.id = fmt::format("{}", serial_++),
                 .time = clock_.now() - std::chrono::hours{random_.below(30)},
                 .action = random_.below(4) == 0 ? "click" : "view",
                 .object = fmt::format("post-{}", random_.below(20)),
                 .actor = fmt::format("u{}", random_.below(1000))}
            );
        }
        const auto taken = must(directory_->events().intake().collect(
            {.events = std::move(events), .arrival = clock_.now()}
        ));
        must(storage::wait_durable(directory_->store(), taken.position));
    }

    std::vector<std::string> differences() {
        std::vector<std::string> told;
        const projecting::Verified verified = must(verify(
            directory_->events(),
            views::routes::job,
            {.difference = [&](const std::string& difference) { told.push_back(difference); },
             .progress = [](std::uint64_t) {}}
        ));
        EXPECT_EQ(verified.events, 3000U) << "those that are left";
        return told;
    }

    views::Report report(const std::string& object) {
        const std::uint32_t lane =
            events::lane_of(object, directory_->events().intake().context().secret);
        return must(
            views_of(directory_->events()).report(lane, {.action = "view", .object = object})
        );
    }

    Random random_{5};
    int serial_ = 0;
    ManualClock clock_{Instant{std::chrono::days{20'778}}};
    metrics::Metrics metrics_;
    const TemporaryDirectory folder_;
    std::unique_ptr<Deployment> directory_;
};

TEST_F(VerifyAfterRetention, stored_is_what_went_and_what_is_left) {
    EXPECT_THAT(differences(), ElementsAre());
    const views::Report before = report("post-3");
    EXPECT_GT(before.counts.counted, 200U);
    open();
    EXPECT_THAT(differences(), ElementsAre());
    take(0);
    EXPECT_EQ(report("post-3").counts.counted, before.counts.counted);
    EXPECT_EQ(report("post-3").people, before.people);
}

TEST_F(VerifyAfterRetention, a_wrong_number_of_what_went_is_found) {
    const intake::Context& context = directory_->events().intake().context();
    const std::uint32_t lane = events::lane_of("post-3", context.secret);
    storage::Store& store = directory_->store();
    const std::string writer = views::writer_of(context.log->id(), lane);
    storage::Batch batch;
    batch.erase(
        views::view_expired_total_table,
        {"view", "post-3", views::first_epoch, std::string_view{writer}}
    );
    must(write_durably(store, batch));
    const std::vector<std::string> told = differences();
    ASSERT_FALSE(told.empty());
    EXPECT_THAT(told[0], HasSubstr("view of post-3: "));
}

TEST_F(VerifyViews, says_which_events_were_judged_by_other_rules_than_those_in_force) {
    const intake::Context& context = directory_->events().intake().context();
    const std::uint32_t lane = events::lane_of("post", context.secret);
    std::string record;
    events::append_control(events::RulesInForce{.version = 2, .digest = "a digest"}, record);
    const std::uint64_t place = context.log->end(lane);
    const std::string_view control[] = {record};
    must(context.log->append(lane, control));
    const events::Event event{
        .time = clock_.now(), .action = "view", .object = "post", .actor = "late"
    };
    const auto taken =
        must(directory_->events().intake().collect({.events = {event}, .arrival = clock_.now()}));
    must(storage::wait_durable(directory_->store(), taken.position));
    std::vector<std::string> told;
    must(verify(
        directory_->events(),
        views::routes::job,
        {.difference = [&](const std::string& difference) { told.push_back(difference); },
         .progress = [](std::uint64_t) {}}
    ));
    EXPECT_THAT(
        told,
        ElementsAre(fmt::format(
            "event {} of lane {} was judged by rule set 1, but 2 was in force", place + 1, lane
        ))
    );
}

}  // namespace
}  // namespace footfall::deployment
