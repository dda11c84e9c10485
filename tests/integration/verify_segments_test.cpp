// footfall verify segments, on what was counted of ids: rows that the server wrote, and one that
// somebody changed behind its back.

#include "deployment/deployment.h"
#include "deployment/verify.h"
#include "foundation_testing/temporary_directory.h"
#include "jobs/list.h"
#include "metrics/metrics.h"
#include "segment_events/schema.h"
#include "segment_rules/latest_events.h"
#include "segments_routes/segments_job.h"
#include "storage/blocking.h"
#include "test_support/api.h"
#include "test_support/eventually.h"
#include "test_support/footfall_process.h"
#include "test_support/must.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace footfall::deployment {
namespace {

using segment_rules::EventMark;
using segment_rules::LatestEvents;
using test_support::must;
using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::uint32_t times = 2;

class VerifySegments : public testing::Test {
protected:
    /// By the real server: some events before the rule, and some after it.
    void SetUp() override {
        test_support::FootfallProcess server{data_};
        test_support::Api api{server};
        api.post_events(lines(0));
        const auto put = api.send(
            http_server::Method::put,
            "/api/v1/segments/keen",
            R"({"rule":{"event":{"action":"open","times":2,"within":"30d"}}})"
        );
        ASSERT_EQ(put.status, 200) << put.body;
        api.post_events(lines(1));
        std::string last;
        ASSERT_TRUE(test_support::eventually([&] {
            last = api.send(http_server::Method::get, "/api/v1/segments/keen").body;
            return last.contains(R"("people":10,)") && last.contains(R"("rule_in_force":true)");
        })) << last;
        ASSERT_EQ(server.stop(), 0);
        directory_ = must(Deployment::open(
            {.place = DirectoryPlace{.path = data_}, .jobs = jobs::all()}, clock_, metrics_
        ));
    }

    /// Each of ten people does something.
    static std::string lines(int round) {
        std::string lines;
        for (int person = 0; person < 10; ++person) {
            lines += fmt::format(
                R"({{"id":"e{}-{}","action":"open","object":"page-{}","actor":"a{}"}})"
                "\n",
                round,
                person,
                person % 3,
                person
            );
        }
        return lines;
    }

    std::vector<std::string> differences() {
        std::vector<std::string> told;
        const projecting::Verified verified = must(verify(
            directory_->events(),
            segments::routes::job,
            {.difference = [&](const std::string& difference) { told.push_back(difference); },
             .progress = [](std::uint64_t) {}}
        ));
        EXPECT_EQ(verified.events, 20U);
        EXPECT_EQ(verified.differences, told.size());
        return told;
    }

    /// Writes other events into one of the rows of an actor.
    void change(
        const std::string& actor, const std::function<LatestEvents(const LatestEvents&)>& changed
    ) {
        const storage::Table& table = segment_events::segment_did_table;
        constexpr std::size_t events_column = 5;
        const storage::Rows rows = must(storage::read_all(
            directory_->store(), {.table = &table, .partition = {"footfall", "actor", actor}}
        ));
        ASSERT_GE(rows.size(), 1U);
        std::vector<storage::Value> values;
        values.reserve(table.width());
        for (std::size_t at = 0; at < table.width(); ++at) {
            values.push_back(rows.at(0, at).owned());
        }
        values[events_column] =
            changed(must(LatestEvents::read(rows.at(0, events_column).text(), times))).bytes();
        storage::Batch batch;
        batch.upsert(table, storage::views_of(values));
        must(storage::write_durably(directory_->store(), batch));
    }

    const SystemClock clock_;
    metrics::Metrics metrics_;
    const TemporaryDirectory folder_;
    const std::string data_ = folder_ / "data";
    std::unique_ptr<Deployment> directory_;
};

/// By the rows alone nobody could tell: all of these people are in the segment before and after.
TEST_F(VerifySegments, names_a_row_that_was_changed_behind_it_and_no_other) {
    EXPECT_THAT(differences(), IsEmpty());
    change("a7", [](const LatestEvents& events) {
        LatestEvents later{times};
        for (EventMark mark : events.marks()) {
            mark.time += std::chrono::seconds{1};
            later.add(mark);
        }
        return later;
    });
    const auto is_of = [](const char* actor, const char* what) {
        return AllOf(HasSubstr(fmt::format(R"("footfall","actor","{}")", actor)), HasSubstr(what));
    };
    const auto of_a7 =
        AnyOf(is_of("a7", "rows say so, and not"), is_of("a7", "no row says so, but record"));
    EXPECT_THAT(differences(), AllOf(Not(IsEmpty()), Each(of_a7)));
    change("a3", [this](const LatestEvents& events) {
        LatestEvents more{events};
        more.add({.time = clock_.now(), .lane = events.marks().front().lane, .offset = 1 << 20});
        return more;
    });
    EXPECT_THAT(differences(), Contains(is_of("a3", "and not record 1048576 of lane ")));
}

}  // namespace
}  // namespace footfall::deployment
