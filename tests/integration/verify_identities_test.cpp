// footfall verify identities, on rows of the real store that are right and on rows that are not.

#include "deployment/deployment.h"
#include "deployment/verify.h"
#include "foundation_testing/temporary_directory.h"
#include "identities/schema.h"
#include "identities_routes/identities_job.h"
#include "jobs/list.h"
#include "metrics/metrics.h"
#include "storage/blocking.h"
#include "test_support/must.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace footfall::deployment {
namespace {

using test_support::must;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class VerifyIdentities : public testing::Test {
protected:
    VerifyIdentities() {
        std::vector<events::Event> events;
        for (int person = 0; person < 20; ++person) {
            events.push_back(
                {.time = clock_.now(),
                 .action = "sign_up",
                 .object = fmt::format("page-{}", person % 3),
                 .actor = fmt::format("u{}", person),
                 .identifiers = {{"www", "id", fmt::format("w{}", person)}}}
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
            identities::routes::job,
            {.difference = [&](const std::string& difference) { told.push_back(difference); },
             .progress = [](std::uint64_t) {}}
        ));
        EXPECT_EQ(verified.events, 20U);
        EXPECT_EQ(verified.objects, 40U);
        EXPECT_EQ(verified.differences, told.size());
        return told;
    }

    /// Erases what a table has of www/id/w7, or, where `column` is named, writes `text` there.
    void change(const storage::Table& table, std::size_t column = 0, const std::string& text = {}) {
        storage::Batch batch;
        storage::ScanQuery scan{.table = &table};
        const storage::Page page = must(storage::scan_page(directory_->store(), scan));
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            std::vector<storage::Value> values;
            bool is_of_it = false;
            for (std::size_t at = 0; at < table.width(); ++at) {
                values.push_back(page.rows.at(row, at).owned());
                const auto* const cell = std::get_if<std::string>(&values.back());
                is_of_it = is_of_it || (cell != nullptr && *cell == "w7");
            }
            if (is_of_it && column > 0) {
                values[column] = text;
                batch.upsert(table, storage::views_of(values));
            } else if (is_of_it) {
                values.resize(table.key_width());
                batch.erase(table, storage::views_of(values));
            }
        }
        ASSERT_EQ(batch.size(), 1U) << table.name;
        must(storage::write_durably(directory_->store(), batch));
    }

    const SystemClock clock_;
    metrics::Metrics metrics_;
    const TemporaryDirectory folder_;
    std::unique_ptr<Deployment> directory_ = must(Deployment::open(
        {.place = DirectoryPlace{.path = folder_ / "data"}, .jobs = jobs::all()}, clock_, metrics_
    ));
};

TEST_F(VerifyIdentities, is_silent_on_what_is_right) {
    EXPECT_THAT(differences(), IsEmpty());
}

TEST_F(VerifyIdentities, names_an_entry_of_the_index_that_is_missing) {
    must(directory_->events().job("identities").projection()->flush(true));
    change(identities::profile_index_table);
    EXPECT_THAT(
        differences(), UnorderedElementsAre(HasSubstr("www/id/w7: the index says no profile"))
    );
}

TEST_F(VerifyIdentities, names_a_fact_that_the_log_says_and_no_row) {
    must(directory_->events().job("identities").projection()->flush(true));
    change(identities::identity_fact_table);
    EXPECT_THAT(
        differences(),
        UnorderedElementsAre(
            HasSubstr("under www/id/w7: no row; lane "),
            HasSubstr("has a row under footfall/actor/u7 and none under www/id/w7")
        )
    );
}

TEST_F(VerifyIdentities, names_a_fact_whose_row_was_changed) {
    must(directory_->events().job("identities").projection()->flush(true));
    constexpr std::size_t source_column = 12;
    change(identities::identity_fact_table, source_column, "another");
    EXPECT_THAT(
        differences(), testing::Contains(HasSubstr("it says something else than its name"))
    );
}

}  // namespace
}  // namespace footfall::deployment
