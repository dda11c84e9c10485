// footfall verify timeseries, on what a real server took: nothing differs, until a row is changed
// behind its back.

#include "deployment/deployment.h"
#include "deployment/store_place.h"
#include "foundation_testing/temporary_directory.h"
#include "jobs/list.h"
#include "metrics/metrics.h"
#include "series/block.h"
#include "storage/blocking.h"
#include "test_support/api.h"
#include "test_support/footfall_process.h"
#include "test_support/must.h"
#include "test_support/run_command.h"
#include "timeseries/schema.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace footfall::deployment {
namespace {

using test_support::must;
using test_support::run_footfall;
using testing::AllOf;
using testing::HasSubstr;

class VerifyTimeSeries : public testing::Test {
protected:
    void SetUp() override {
        test_support::FootfallProcess server{data_, {"--metrics-own", "off"}};
        test_support::Api api{server};
        const auto now = std::chrono::floor<std::chrono::milliseconds>(clock_.now());
        for (const auto ago : {std::chrono::hours{0}, std::chrono::hours{5}}) {
            const auto sent = api.send(
                http_server::Method::post,
                "/api/v1/datapoints",
                fmt::format(
                    R"({{"name":"load","tags":{{"host":"a"}},"timestamp":{},"value":1}})",
                    (now - ago).time_since_epoch().count()
                )
            );
            ASSERT_EQ(sent.status, 204) << sent.body;
        }
        ASSERT_EQ(server.stop(), 0);
    }

    /// The first row of points has another block.
    void damage() {
        metrics::Metrics metrics;
        const auto store = must(open_store(
            DirectoryPlace{.path = data_, .create = false},
            {.tables = Deployment::tables(jobs::all()), .memory_bytes = 64 << 20},
            clock_,
            metrics
        ));
        const storage::Table& table = timeseries::point_block_table;
        const auto page = must(storage::scan_page(*store, {.table = &table}));
        ASSERT_EQ(page.rows.size(), 2);
        std::vector<storage::Value> values;
        values.reserve(table.width());
        for (std::size_t at = 0; at < table.width(); ++at) {
            values.push_back(page.rows.at(0, at).owned());
        }
        constexpr std::size_t points_column = 6;
        values[points_column] = std::string{"no block"};
        storage::Batch batch;
        batch.upsert(table, storage::views_of(values));
        must(storage::write_durably(*store, batch));
    }

    const SystemClock clock_;
    const TemporaryDirectory folder_;
    const std::string data_ = folder_ / "data";
};

TEST_F(VerifyTimeSeries, says_nothing_differs_and_names_a_row_that_was_changed) {
    const auto sound = run_footfall({"verify", "timeseries", "--data", data_});
    EXPECT_EQ(sound.exit_code, 0) << sound.errors;
    EXPECT_EQ(sound.output, "verified 2 points of 1 series: 0 differences\n");
    damage();
    const auto damaged = run_footfall({"verify", "timeseries", "--data", data_, "--json"});
    EXPECT_EQ(damaged.exit_code, 1) << damaged.errors;
    EXPECT_THAT(
        damaged.output,
        AllOf(
            HasSubstr("load;host=a, 20"),
            HasSubstr("\n{\"points\":1,\"series\":1,\"differences\":1}\n")
        )
    );
}

}  // namespace
}  // namespace footfall::deployment
