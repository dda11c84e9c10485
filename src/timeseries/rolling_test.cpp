#include "timeseries/rolling.h"

#include "foundation/random.h"
#include "foundation_testing/rounds.h"
#include "foundation_testing/test_seed.h"
#include "storage/blocking.h"
#include "storage/memory_store.h"
#include "storage_testing/faulty_store.h"
#include "timeseries/sealing.h"
#include "timeseries/test_place.h"
#include "timeseries/time_series.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace footfall::timeseries {
namespace {

using namespace std::chrono_literals;
using series::Cell;

class Rolled : public testing::Test {
protected:
    using Model = std::map<std::int64_t, double>;

    std::unique_ptr<TimeSeries> open() {
        auto opened = std::make_unique<TimeSeries>(
            faulty_, clock_, TimeSeriesOptions{.secret = {.k0 = 1, .k1 = 2}, .writer = ++writers_}
        );
        EXPECT_TRUE(opened->load());
        return opened;
    }

    std::unique_ptr<Sealing> sealing_of(const TimeSeries& metrics) {
        return std::make_unique<Sealing>(faulty_, clock_, [&metrics](SeriesId id) {
            return metrics.resolutions_of(id);
        });
    }

    static void write(TimeSeries& to, std::string name, std::int64_t time, double value) {
        const auto taken = to.write(std::vector<NamedPoint>{
            {.name = std::move(name), .point = {.time = time, .value = value}}
        });
        ASSERT_TRUE(taken);
        ASSERT_EQ(taken->points, 1);
    }

    static std::vector<Cell> read(
        const TimeSeries& from,
        std::string_view name,
        std::size_t resolution,
        std::int64_t since = INT64_MIN,
        std::int64_t until = INT64_MAX
    ) {
        const auto cells = from.read_cells(name, from.resolutions(name)[resolution], since, until);
        EXPECT_TRUE(cells) << (cells ? "" : cells.error().message);
        return cells.value_or(std::vector<Cell>{});
    }

    /// What the points come to, by brute force.
    static std::vector<Cell> cells_by_hand(const Model& points, std::int64_t step) {
        std::map<std::int64_t, Cell> cells;
        for (const auto& [time, value] : points) {
            if (value != value) {
                continue;
            }
            Cell& cell =
                cells
                    .try_emplace(
                        time / step, Cell{.time = time / step * step, .min = value, .max = value}
                    )
                    .first->second;
            cell.min = std::min(cell.min, value);
            cell.max = std::max(cell.max, value);
            cell.sum += value;
            ++cell.count;
            cell.last = value;
        }
        std::vector<Cell> all;
        all.reserve(cells.size());
        for (const auto& [at, cell] : cells) {
            all.push_back(cell);
        }
        return all;
    }

    /// All rows of cells, in words.
    std::vector<std::string> rows() {
        storage::ScanQuery query{.table = &point_cells_table, .max_rows = 100'000};
        const auto page = storage::scan_page(memory_, query);
        EXPECT_TRUE(page);
        std::vector<std::string> all;
        for (std::size_t row = 0; page && row < page->rows.size(); ++row) {
            all.push_back(fmt::format(
                "{} {} {} {} {} {} {}",
                page->rows.at(row, 0).number(),
                page->rows.at(row, 1).number(),
                page->rows.at(row, 2).number(),
                page->rows.at(row, 3).number(),
                page->rows.at(row, 4).number(),
                page->rows.at(row, 5).number(),
                page->rows.at(row, 6).text()
            ));
        }
        std::ranges::sort(all);
        return all;
    }

    ManualClock clock_{start};
    storage::MemoryStore memory_{tables, clock_};
    storage::FaultyStore faulty_{memory_, 1, {}};
    std::int64_t writers_ = 0;
};

TEST_F(Rolled, cells_are_those_of_the_model_whoever_is_killed_or_seals_beside_it) {
    Random random{test_seed()};
    SCOPED_TRACE(test_seed());
    const auto one = open();
    const auto other = open();
    auto sealing = sealing_of(*one);
    auto beside = sealing_of(*one);
    std::map<std::string, Model> model;
    for (std::uint64_t round = 0; round < rounds(3000); ++round) {
        clock_.advance(std::chrono::seconds{1 + random.below(400)});
        const std::int64_t now = clock_.now().time_since_epoch().count() / 1000;
        const std::string name = "s" + std::to_string(random.below(3));
        const std::int64_t time = now -
                                  static_cast<std::int64_t>(random.below(5)) *
                                      static_cast<std::int64_t>(random.below(100)) * 60'000 +
                                  (random.below(20) == 0 ? hour_ms : 0);
        const double value = random.below(10) == 0 ? std::numeric_limits<double>::quiet_NaN()
                                                   : static_cast<double>(random.below(1000)) / 4;
        // Some times are written to again.
        const std::int64_t at = random.below(3) == 0 ? time / hour_ms * hour_ms : time;
        write(random.below(2) == 0 ? *one : *other, name, at, value);
        model[name][at] = value;
        // Names that the other one took: before hours are sealed, as the job does.
        ASSERT_TRUE(one->load());
        if (random.below(5) == 0) {
            faulty_.set_options({.refuse_submit = 0.3, .fail_read = 0.02});
            static_cast<void>((random.below(3) == 0 ? beside : sealing)->seal({}));
            faulty_.set_options({});
        }
        if (random.below(30) == 0) {
            sealing = sealing_of(*one);
        }
        if (random.below(200) != 0) {
            continue;
        }
        clock_.advance(2h + 10min);
        ASSERT_TRUE(sealing->seal({}));
        for (const auto& [each, points] : model) {
            ASSERT_EQ(read(*one, each, 1), cells_by_hand(points, hour_ms / 12)) << round;
            ASSERT_EQ(read(*other, each, 2), cells_by_hand(points, hour_ms)) << round;
        }
    }
    clock_.advance(std::chrono::days{2});
    ASSERT_TRUE(sealing->seal({}));
    for (const auto& [name, points] : model) {
        const std::vector<Cell> whole = cells_by_hand(points, hour_ms);
        EXPECT_EQ(read(*other, name, 2), whole);
        const std::int64_t from = whole[whole.size() / 3].time;
        const std::int64_t until = whole[whole.size() / 2].time;
        std::vector<Cell> part;
        std::ranges::copy_if(whole, std::back_inserter(part), [=](const Cell& cell) {
            return cell.time >= from && cell.time < until;
        });
        EXPECT_EQ(read(*other, name, 2, from, until), part);
    }
}

TEST_F(Rolled, sealing_again_writes_the_same_rows) {
    const auto metrics = open();
    constexpr int hours = 10;
    for (int turn = 0; turn < hours * 6; ++turn) {
        write(*metrics, "a", start_ms + turn * hour_ms / 6, turn);
        clock_.advance(10min);
    }
    clock_.advance(70min);
    // They end before it is known what is sealed, and somebody begins again.
    faulty_.set_options({.refuse_submit = 0.5});
    for (int killed = 0; killed < 5; ++killed) {
        static_cast<void>(sealing_of(*metrics)->seal({}));
    }
    faulty_.set_options({});
    const auto sealing = sealing_of(*metrics);
    ASSERT_TRUE(sealing->seal({}));
    const std::vector<std::string> once = rows();
    EXPECT_EQ(once.size(), 2 * hours);
    storage::Batch batch;
    for (int hour = 0; hour < hours; ++hour) {
        const auto since_1970 = std::chrono::hours{start_ms / hour_ms + hour};
        const auto id = Catalogue{{.k0 = 1, .k1 = 2}}.id_of("a");
        note_unsealed(batch, id, since_1970, Instant{since_1970});
    }
    ASSERT_TRUE(memory_.submit(batch));
    const auto again = sealing_of(*metrics);
    ASSERT_TRUE(again->seal({}));
    EXPECT_EQ(again->cells(), hours * (1 + 6));
    EXPECT_EQ(rows(), once);
}

TEST_F(Rolled, rows_of_hours_become_few) {
    const auto metrics = open();
    const auto sealing = sealing_of(*metrics);
    Model model;
    for (int hour = 0; hour < 24 * 70; ++hour) {
        const std::int64_t now = clock_.now().time_since_epoch().count() / 1000;
        write(*metrics, "a", now, hour);
        model[now] = hour;
        clock_.advance(1h);
        ASSERT_TRUE(sealing->seal({}));
        memory_.reclaim();
    }
    clock_.advance(70min);
    ASSERT_TRUE(sealing->seal({}));
    EXPECT_EQ(read(*metrics, "a", 2), cells_by_hand(model, hour_ms));
    EXPECT_LT(rows().size(), 18 + 3 + 2 * 20) << "of 3,360 hours and steps";
    // Points are gone by then, their cells are there.
    clock_.advance(std::chrono::days{100});
    memory_.reclaim();
    const auto points = metrics->read("a", INT64_MIN, INT64_MAX);
    ASSERT_TRUE(points);
    EXPECT_TRUE(points->empty());
    EXPECT_EQ(read(*metrics, "a", 2), cells_by_hand(model, hour_ms));
    // And those as well once they were kept.
    clock_.advance(std::chrono::days{640});
    EXPECT_LT(read(*metrics, "a", 2).size(), model.size());
    clock_.advance(std::chrono::days{120});
    memory_.reclaim();
    EXPECT_TRUE(rows().empty());
    EXPECT_TRUE(read(*metrics, "a", 2).empty());
}

TEST_F(Rolled, late_points_change_the_cells_of_their_hour_alone) {
    const auto metrics = open();
    const auto sealing = sealing_of(*metrics);
    for (int hour = 0; hour < 40; ++hour) {
        write(*metrics, "a", start_ms + hour * hour_ms, 1);
        write(*metrics, "a", start_ms + hour * hour_ms + 1, 5);
        clock_.advance(1h);
        ASSERT_TRUE(sealing->seal({}));
    }
    clock_.advance(70min);
    ASSERT_TRUE(sealing->seal({}));
    std::vector<Cell> expected = read(*metrics, "a", 2);
    ASSERT_EQ(expected.size(), 40);
    // The row that it has is one of many hours by now.
    write(*metrics, "a", start_ms + 3 * hour_ms + 2, 9);
    write(*metrics, "a", start_ms + 4 * hour_ms, std::numeric_limits<double>::quiet_NaN());
    write(*metrics, "a", start_ms + 4 * hour_ms + 1, std::numeric_limits<double>::quiet_NaN());
    clock_.advance(70min);
    ASSERT_TRUE(sealing->seal({}));
    expected[3].max = expected[3].last = 9;
    expected[3].sum += 9;
    ++expected[3].count;
    expected.erase(expected.begin() + 4);
    EXPECT_EQ(read(*metrics, "a", 2), expected);
}

TEST_F(Rolled, hours_that_are_not_sealed_are_made_of_points) {
    const auto metrics = open();
    const auto sealing = sealing_of(*metrics);
    Model model;
    for (int turn = 0; turn < 30; ++turn) {
        const std::int64_t now = clock_.now().time_since_epoch().count() / 1000;
        write(*metrics, "a", now, turn);
        model[now] = turn;
        if (turn == 20) {
            // A clock that goes ahead must not hide what comes before it.
            write(*metrics, "a", now + 3 * hour_ms, 7);
            model[now + 3 * hour_ms] = 7;
        }
        EXPECT_EQ(read(*metrics, "a", 2), cells_by_hand(model, hour_ms)) << turn;
        clock_.advance(20min);
        if (turn < 25) {
            ASSERT_TRUE(sealing->seal({}));
        }
    }
    EXPECT_EQ(read(*metrics, "a", 1), cells_by_hand(model, hour_ms / 12));
}

TEST_F(Rolled, damage_is_told_and_others_have_their_cells) {
    const auto metrics = open();
    const auto sealing = sealing_of(*metrics);
    const auto id = static_cast<std::int64_t>(Catalogue{{.k0 = 1, .k1 = 2}}.id_of("a"));
    const std::chrono::hours hour{start_ms / hour_ms};
    storage::Batch batch;
    for (const std::chrono::seconds step : {300s, 3600s}) {
        for (std::int64_t row = 0; row < 16; ++row) {
            batch.upsert(
                point_cells_table,
                {id,
                 std::int64_t{period_with(hour, step).count()},
                 std::int64_t{step.count()},
                 micros(hour - std::chrono::hours{row + 1}),
                 micros(hour - std::chrono::hours{row + 1}),
                 std::int64_t{1},
                 "damaged",
                 micros(hour + 100h)}
            );
        }
    }
    ASSERT_TRUE(memory_.submit(batch));
    write(*metrics, "a", start_ms, 1);
    write(*metrics, "b", start_ms, 1);
    clock_.advance(70min);
    const auto sealed = sealing->seal({});
    ASSERT_FALSE(sealed);
    EXPECT_EQ(sealed.error().kind, ErrorKind::corrupt);
    EXPECT_EQ(read(*metrics, "b", 2).size(), 1);
    const auto cells = metrics->read_cells("a", metrics->resolutions("a")[2], 0, INT64_MAX);
    ASSERT_FALSE(cells);
    EXPECT_EQ(cells.error().kind, ErrorKind::corrupt);
}

TEST(PeriodOfCells, has_each_hour_once) {
    for (const std::chrono::seconds step : {10s, 300s, 3600s}) {
        const auto days_each = period_of(step);
        for (int hour = -2000; hour < 2000; ++hour) {
            const std::chrono::hours at{hour};
            const auto period = period_with(at, step);
            EXPECT_LE(period, at);
            EXPECT_GT(period + days_each, at);
            EXPECT_EQ(period % days_each, std::chrono::days{0});
        }
    }
}

}  // namespace
}  // namespace footfall::timeseries
