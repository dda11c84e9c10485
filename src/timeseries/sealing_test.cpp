#include "timeseries/sealing.h"

#include "foundation/random.h"
#include "foundation_testing/rounds.h"
#include "foundation_testing/test_seed.h"
#include "series/block.h"
#include "storage/blocking.h"
#include "storage/memory_store.h"
#include "storage_testing/faulty_store.h"
#include "timeseries/schema.h"
#include "timeseries/test_place.h"
#include "timeseries/time_series.h"

#include <gmock/gmock.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace footfall::timeseries {
namespace {

using namespace std::chrono_literals;

class Sealed : public testing::Test {
protected:
    std::unique_ptr<TimeSeries> open() {
        auto opened = std::make_unique<TimeSeries>(
            faulty_, clock_, TimeSeriesOptions{.secret = {.k0 = 1, .k1 = 2}, .writer = ++writers_}
        );
        EXPECT_TRUE(opened->load());
        return opened;
    }

    void write(TimeSeries& to, std::string name, std::int64_t time, double value) {
        ASSERT_TRUE(to.write(std::vector<NamedPoint>{
            {.name = std::move(name), .point = {.time = time, .value = value}}
        }));
    }

    static std::map<std::int64_t, double> read(const TimeSeries& from, std::string_view name) {
        const auto points = from.read(name, INT64_MIN, INT64_MAX);
        EXPECT_TRUE(points) << (points ? "" : points.error().message);
        std::map<std::int64_t, double> all;
        for (const series::Point& point : points.value_or(std::vector<series::Point>{})) {
            EXPECT_TRUE(all.emplace(point.time, point.value).second);
        }
        return all;
    }

    std::size_t rows_of(const storage::Table& table) {
        storage::ScanQuery query{.table = &table};
        std::size_t rows = 0;
        do {
            const auto page = storage::scan_page(memory_, query);
            EXPECT_TRUE(page);
            rows += page ? page->rows.size() : 0;
            query.continuation = page ? page->continuation : "";
        } while (!query.continuation.empty());
        return rows;
    }

    ManualClock clock_{start};
    storage::MemoryStore memory_{tables, clock_};
    storage::FaultyStore faulty_{memory_, 1, {}};
    Sealing sealing_{faulty_, clock_, standard_resolutions};
    std::int64_t writers_ = 0;
};

TEST_F(Sealed, an_hour_is_one_block_ten_minutes_after_it_is_over) {
    const auto series = open();
    for (int turn = 0; turn < 360; ++turn) {
        write(*series, "a", start_ms + turn * 10'000, turn);
        write(*series, "b", start_ms + turn * 10'000, turn);
        clock_.advance(10s);
    }
    const auto before = read(*series, "a");
    EXPECT_EQ(rows_of(unsealed_hour_table), 2) << "one for each hour of a series";
    clock_.advance(9min);
    ASSERT_TRUE(sealing_.seal({}));
    EXPECT_EQ(rows_of(point_block_table), 720) << "it is not settled yet";
    clock_.advance(1min);
    ASSERT_TRUE(sealing_.seal({}));
    EXPECT_EQ(rows_of(point_block_table), 2);
    EXPECT_EQ(rows_of(unsealed_hour_table), 0);
    EXPECT_EQ(sealing_.sealed(), 2);
    EXPECT_EQ(before.size(), 360);
    EXPECT_EQ(read(*series, "a"), before);
}

TEST_F(Sealed, points_late_and_written_over_join_their_block) {
    const auto series = open();
    write(*series, "a", start_ms + 1, 1);
    write(*series, "a", start_ms + 2, 2);
    clock_.advance(70min);
    ASSERT_TRUE(sealing_.seal({}));
    write(*series, "a", start_ms + 2, 3);
    write(*series, "a", start_ms + hour_ms + 1, 4);
    clock_.advance(70min);
    ASSERT_TRUE(sealing_.seal({}));
    EXPECT_EQ(rows_of(point_block_table), 2);
    EXPECT_EQ(
        read(*series, "a"),
        (std::map<std::int64_t, double>{
            {start_ms + 1, 1}, {start_ms + 2, 3}, {start_ms + hour_ms + 1, 4}
        })
    );
}

TEST_F(Sealed, whoever_is_killed_or_seals_beside_it_leaves_the_points_of_the_model) {
    Random random{test_seed()};
    SCOPED_TRACE(test_seed());
    const auto one = open();
    const auto other = open();
    auto sealing = std::make_unique<Sealing>(faulty_, clock_, standard_resolutions);
    std::map<std::string, std::map<std::int64_t, double>> model;
    for (std::uint64_t round = 0; round < rounds(2000); ++round) {
        clock_.advance(std::chrono::seconds{1 + random.below(300)});
        const std::int64_t now = clock_.now().time_since_epoch().count() / 1000;
        const std::string name = "s" + std::to_string(random.below(3));
        const std::int64_t time = now - static_cast<std::int64_t>(random.below(5)) *
                                            static_cast<std::int64_t>(random.below(100)) * 60'000;
        const auto value = static_cast<double>(random.below(1000));
        write(random.below(2) == 0 ? *one : *other, name, time, value);
        model[name][time] = value;
        if (random.below(5) == 0) {
            faulty_.set_options({.refuse_submit = 0.2, .fail_read = 0.02});
            static_cast<void>(sealing->seal({}));
            faulty_.set_options({});
        }
        if (random.below(20) == 0) {
            sealing = std::make_unique<Sealing>(faulty_, clock_, standard_resolutions);
        }
        EXPECT_EQ(read(*one, name), model[name]);
    }
    clock_.advance(70min);
    ASSERT_TRUE(Sealing(faulty_, clock_, standard_resolutions).seal({}));
    std::size_t hours = 0;
    for (const auto& [name, points] : model) {
        EXPECT_EQ(read(*other, name), points);
        std::int64_t last = -1;
        for (const auto& [time, value] : points) {
            hours += std::exchange(last, time / hour_ms) == time / hour_ms ? 0 : 1;
        }
    }
    EXPECT_EQ(rows_of(point_block_table), hours);
}

TEST_F(Sealed, full_blocks_stay_when_late_points_come) {
    const auto series = open();
    std::vector<NamedPoint> points(70'000);
    for (std::size_t at = 0; at < points.size(); ++at) {
        points[at] = {
            .name = "a", .point = {.time = start_ms + static_cast<std::int64_t>(at), .value = 1}
        };
    }
    ASSERT_TRUE(series->write(points));
    for (std::int64_t late = 0; late < 3; ++late) {
        clock_.advance(1s);
        write(*series, "a", start_ms + 100'000 + late, 2);
    }
    clock_.advance(71min);
    ASSERT_TRUE(sealing_.seal({}));
    EXPECT_EQ(rows_of(point_block_table), 2);
    EXPECT_EQ(read(*series, "a").size(), 70'003);
}

TEST_F(Sealed, damage_of_one_is_told_and_the_others_are_sealed) {
    const auto series = open();
    const auto id = static_cast<std::int64_t>(Catalogue{{.k0 = 1, .k1 = 2}}.id_of("a"));
    storage::Batch batch;
    batch.upsert(
        point_block_table,
        {id,
         start_ms / 24 / hour_ms,
         as_they_came,
         start_ms * 1000,
         start_ms * 1000,
         std::int64_t{99},
         "damaged",
         (start_ms + 100 * hour_ms) * 1000}
    );
    ASSERT_TRUE(memory_.submit(batch));
    for (const char* const name : {"a", "b", "c"}) {
        write(*series, name, start_ms, 1);
        write(*series, name, start_ms + 1, 1);
    }
    clock_.advance(70min);
    const auto sealed = sealing_.seal({});
    ASSERT_FALSE(sealed);
    EXPECT_EQ(sealed.error().kind, ErrorKind::corrupt);
    EXPECT_EQ(sealing_.sealed(), 2);
    EXPECT_EQ(rows_of(point_block_table), 3 + 2);
    EXPECT_TRUE(sealing_.seal({})) << "once is enough";
}

TEST_F(Sealed, it_ends_early_when_asked_and_goes_on_there) {
    const auto series = open();
    write(*series, "a", start_ms, 1);
    write(*series, "a", start_ms + 1, 1);
    clock_.advance(70min);
    std::stop_source stop;
    stop.request_stop();
    ASSERT_TRUE(sealing_.seal(stop.get_token()));
    EXPECT_EQ(rows_of(point_block_table), 2);
    ASSERT_TRUE(sealing_.seal({}));
    EXPECT_EQ(rows_of(point_block_table), 1);
}

}  // namespace
}  // namespace footfall::timeseries
