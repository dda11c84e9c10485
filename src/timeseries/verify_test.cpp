#include "timeseries/verify.h"

#include "foundation/random.h"
#include "foundation_testing/rounds.h"
#include "foundation_testing/test_seed.h"
#include "series/block.h"
#include "series/cell.h"
#include "storage/blocking.h"
#include "storage/memory_store.h"
#include "timeseries/cell_rows.h"
#include "timeseries/schema.h"
#include "timeseries/sealing.h"
#include "timeseries/test_place.h"
#include "timeseries/time_series.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::timeseries {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr SipKey verified_secret{.k0 = 1, .k1 = 2};

class VerifyMetrics : public testing::Test {
protected:
    void SetUp() override { open(); }

    void open() {
        metrics_ = std::make_unique<TimeSeries>(
            store_,
            clock_,
            TimeSeriesOptions{
                .secret = verified_secret, .writer = ++writers_, .retention = retention_
            }
        );
        ASSERT_TRUE(metrics_->load());
        sealing_ = std::make_unique<Sealing>(store_, clock_, [this](SeriesId id) {
            return metrics_->resolutions_of(id);
        });
    }

    void write(std::string name, std::int64_t time, double value) {
        const auto taken = metrics_->write(std::vector<NamedPoint>{
            {.name = std::move(name), .point = {.time = time, .value = value}}
        });
        ASSERT_TRUE(taken);
        ASSERT_EQ(taken->points, 1);
    }

    /// Two series, a point a minute, for so many hours that are over and sealed.
    void live(int hours_over) {
        for (int at = 0; at < hours_over * 60; ++at) {
            write("load;host=a", now_ms(), at);
            write("heat", now_ms(), at * 0.25);
            clock_.advance(1min);
        }
        clock_.advance(15min);
        seal();
    }

    std::int64_t now_ms() const { return clock_.now().time_since_epoch().count() / 1000; }

    void seal() { ASSERT_TRUE(sealing_->seal({})); }

    std::vector<std::string> differences() {
        std::vector<std::string> told;
        remarks_.clear();
        const auto verified = verify(
            store_,
            {.secret = verified_secret, .retention = retention_, .now = clock_.now()},
            {.difference = [&](const std::string& text) { told.push_back(text); },
             .progress = [](std::uint64_t) {},
             .remark = [&](const std::string& text) { remarks_.push_back(text); }}
        );
        EXPECT_TRUE(verified) << (verified ? "" : verified.error().message);
        if (verified) {
            EXPECT_EQ(verified->differences, told.size());
            verified_ = *verified;
        }
        return told;
    }

    std::int64_t id(std::string_view name) const {
        return static_cast<std::int64_t>(siphash13(verified_secret, name));
    }

    /// All rows of a table, as they were before something is changed.
    storage::Rows rows_of(const storage::Table& table) {
        auto page = storage::scan_page(store_, {.table = &table, .max_rows = 100'000});
        EXPECT_TRUE(page && page->continuation.empty());
        return std::move(page->rows);
    }

    /// Of the first row of the series in this hour and, for cells, of this step: writes it over
    /// with other bytes, or erases it.
    void change(
        const storage::Table& table,
        std::string_view name,
        std::int64_t hour,
        std::int64_t third,
        const std::string* bytes
    ) {
        const storage::Rows rows = rows_of(table);
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (rows.at(row, 0).number() != id(name) || rows.at(row, 2).number() != third ||
                rows.at(row, 3).number() != hour) {
                continue;
            }
            storage::Batch batch;
            if (bytes == nullptr) {
                batch.erase(
                    table,
                    {id(name),
                     rows.at(row, 1).number(),
                     third,
                     hour,
                     rows.at(row, 4).number(),
                     rows.at(row, 5).number()}
                );
            } else {
                batch.upsert(
                    table,
                    {id(name),
                     rows.at(row, 1).number(),
                     third,
                     hour,
                     rows.at(row, 4).number(),
                     rows.at(row, 5).number(),
                     *bytes,
                     rows.at(row, 7).number()}
                );
            }
            ASSERT_TRUE(storage::write_durably(store_, batch));
            return;
        }
        FAIL() << "there is no such row";
    }

    static std::int64_t hour(int at) { return (start_ms + at * hour_ms) * 1000; }

    /// A row of points that nobody noted.
    void add_points(
        std::int64_t series,
        std::int64_t at_hour,
        const std::vector<series::Point>& points,
        std::int64_t written
    ) {
        storage::Batch batch;
        batch.upsert(
            point_block_table,
            {series,
             std::chrono::floor<std::chrono::days>(std::chrono::microseconds{at_hour}).count(),
             as_they_came,
             at_hour,
             written,
             std::int64_t{77},
             series::encode(points),
             at_hour + micros(std::chrono::days{90})}
        );
        ASSERT_TRUE(storage::write_durably(store_, batch));
    }

    ManualClock clock_{start};
    storage::MemoryStore store_{tables, clock_};
    Retention retention_;
    std::unique_ptr<TimeSeries> metrics_;
    std::unique_ptr<Sealing> sealing_;
    std::int64_t writers_ = 0;
    std::vector<std::string> remarks_;
    Verified verified_;
};

TEST_F(VerifyMetrics, nothing_differs_where_nothing_is) {
    EXPECT_THAT(differences(), IsEmpty());
    EXPECT_EQ(verified_.points, 0);
}

TEST_F(VerifyMetrics, nothing_differs_after_days_of_points_that_come_late_twice_and_early) {
    Random random{test_seed()};
    // Of points that go within two days, so that hours expire, and cells that stay.
    retention_ = Retention{
        {},
        {{.step = 10s, .kept = 6h},
         {.step = 1min, .kept = std::chrono::days{2}},
         {.step = 1h, .kept = std::chrono::days{10}}}
    };
    open();
    const std::uint64_t turns = rounds(400);
    for (std::uint64_t turn = 0; turn < turns; ++turn) {
        const std::string name = random.below(4) == 0 ? "heat" : "load;host=a;zone=b";
        const auto back = static_cast<std::int64_t>(random.below(10)) < 7
                              ? std::int64_t{0}
                              : static_cast<std::int64_t>(random.below(5 * 3'600'000));
        const double value = random.below(20) == 0 ? std::numeric_limits<double>::quiet_NaN()
                                                   : static_cast<double>(random.below(1000)) / 8;
        write(name, now_ms() - back, value);
        if (random.below(30) == 0) {
            write(name, now_ms() + static_cast<std::int64_t>(random.below(86'000'000)), value);
        }
        clock_.advance(std::chrono::minutes{random.below(40)});
        if (random.below(5) == 0) {
            seal();
        }
        if (random.below(60) == 0) {
            open();
        }
        if (random.below(20) == 0) {
            ASSERT_THAT(differences(), IsEmpty()) << "turn " << turn;
        }
    }
    seal();
    EXPECT_THAT(differences(), IsEmpty());
    EXPECT_THAT(remarks_, IsEmpty());
    EXPECT_GT(verified_.points, 0);
}

TEST_F(VerifyMetrics, rows_that_nobody_sealed_for_a_week_are_a_remark) {
    write("heat", start_ms, 1);
    write("heat", start_ms + 1000, 2);
    clock_.advance(std::chrono::days{9});
    seal();
    EXPECT_THAT(differences(), IsEmpty());
    EXPECT_THAT(remarks_, ElementsAre(HasSubstr("1 hours are several rows each")));
}

TEST_F(VerifyMetrics, a_rule_that_came_later_has_no_cells_of_before) {
    retention_ = Retention{{}, {{.step = 10s, .kept = std::chrono::days{90}}}};
    open();
    live(2);
    retention_ = Retention{};
    open();
    live(2);
    EXPECT_THAT(differences(), IsEmpty());
}

TEST_F(VerifyMetrics, a_damaged_block_is_named) {
    live(3);
    ASSERT_THAT(differences(), IsEmpty());
    EXPECT_EQ(verified_.points, 360);
    EXPECT_EQ(verified_.series, 2);
    const std::string broken = "no block";
    change(point_block_table, "load;host=a", hour(1), as_they_came, &broken);
    EXPECT_THAT(differences(), ElementsAre(HasSubstr("load;host=a, 2026-11-30T13:00:00Z: ")));
}

TEST_F(VerifyMetrics, points_that_are_not_of_their_hour_are_named) {
    live(1);
    add_points(id("heat"), hour(5), {{.time = start_ms, .value = 1}}, hour(0));
    EXPECT_THAT(
        differences(), ElementsAre(AllOf(HasSubstr("heat, "), HasSubstr("is not of this hour")))
    );
}

TEST_F(VerifyMetrics, a_row_where_nobody_looks_is_named) {
    live(1);
    add_points(id("heat"), hour(5) + 1, {{.time = start_ms, .value = 1}}, hour(0));
    EXPECT_THAT(differences(), ElementsAre(HasSubstr("where nobody looks for it")));
}

TEST_F(VerifyMetrics, points_and_cells_without_a_name_are_named) {
    live(1);
    storage::Batch batch;
    batch.erase(series_table, {std::string_view{"heat"}, std::string_view{""}});
    ASSERT_TRUE(storage::write_durably(store_, batch));
    const std::string number = "series number " + std::to_string(id("heat"));
    EXPECT_THAT(
        differences(),
        testing::UnorderedElementsAre(
            AllOf(HasSubstr(number), HasSubstr("points of a series without a name")),
            AllOf(HasSubstr(number), HasSubstr("cells of a series without a name")),
            AllOf(HasSubstr(number), HasSubstr("cells of a series without a name"))
        )
    );
}

TEST_F(VerifyMetrics, a_name_with_another_number_and_one_that_is_there_twice_are_named) {
    live(1);
    storage::Batch batch;
    const std::int64_t later = hour(24 * 300);
    batch.upsert(
        series_table, {std::string_view{"heat"}, std::string_view{""}, std::int64_t{5}, later}
    );
    batch.upsert(
        series_table,
        {std::string_view{"load"},
         std::string_view{"zone=b;host=a"},
         id("load;host=a;zone=b"),
         later}
    );
    ASSERT_TRUE(storage::write_durably(store_, batch));
    EXPECT_THAT(
        differences(),
        testing::UnorderedElementsAre(
            HasSubstr("heat: has the number 5, where its name gives"),
            HasSubstr("load;zone=b;host=a: is the series load;host=a;zone=b")
        )
    );
}

TEST_F(VerifyMetrics, rows_that_are_not_put_together_and_never_will_be_are_named) {
    live(2);
    add_points(id("heat"), hour(0), {{.time = start_ms, .value = 0}}, hour(1) + 5);
    EXPECT_THAT(
        differences(),
        ElementsAre(AllOf(HasSubstr("heat, 2026-11-30T12:00:00Z"), HasSubstr("were to be one")))
    );
}

TEST_F(VerifyMetrics, a_point_that_its_cells_do_not_know_is_named) {
    live(3);
    const std::string other =
        series::encode(std::vector<series::Point>{{.time = start_ms, .value = 1000}});
    change(point_block_table, "heat", hour(0), as_they_came, &other);
    const auto told = differences();
    ASSERT_EQ(told.size(), 2);
    EXPECT_THAT(told, testing::Contains(HasSubstr("12 cells of 300 s, where points give 1")));
    EXPECT_THAT(
        told,
        testing::Contains(
            AllOf(HasSubstr("the cell of 3600 s"), HasSubstr("max 14.75, where points give 1000"))
        )
    );
}

TEST_F(VerifyMetrics, cells_that_are_gone_and_points_that_are_gone_are_named) {
    live(4);
    change(point_cells_table, "heat", hour(2), 300, nullptr);
    EXPECT_THAT(
        differences(),
        ElementsAre(AllOf(
            HasSubstr("heat, 2026-11-30T14:00:00Z"), HasSubstr("points, and no cells of 300 s")
        ))
    );
    change(point_block_table, "heat", hour(2), as_they_came, nullptr);
    EXPECT_THAT(differences(), ElementsAre(HasSubstr("there are cells of 3600 s, and no points")));
}

TEST_F(VerifyMetrics, damaged_and_misplaced_cells_are_named) {
    live(2);
    const std::string broken = "no cells";
    change(point_cells_table, "heat", hour(0), 300, &broken);
    const std::string wrong = series::encode_cells(
        std::vector<series::Cell>{{.time = start_ms + 1, .min = 1, .max = 1, .sum = 1, .count = 1}}
    );
    change(point_cells_table, "load;host=a", hour(1), 3600, &wrong);
    EXPECT_THAT(
        differences(),
        testing::UnorderedElementsAre(
            HasSubstr("heat, 2026-11-30T12:00:00Z"), HasSubstr("a cell of 3600 s")
        )
    );
}

}  // namespace
}  // namespace footfall::timeseries
