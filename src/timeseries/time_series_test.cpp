#include "timeseries/time_series.h"

#include "foundation/random.h"
#include "foundation_testing/rounds.h"
#include "foundation_testing/test_seed.h"
#include "storage/memory_store.h"
#include "storage_testing/faulty_store.h"
#include "timeseries/schema.h"
#include "timeseries/test_place.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace footfall::timeseries {
namespace {

using namespace std::chrono_literals;

class Metrics : public testing::Test {
protected:
    std::unique_ptr<TimeSeries> open(TimeSeriesOptions options = {}) {
        options.secret = {.k0 = 1, .k1 = 2};
        options.writer = ++writers_;
        auto opened = std::make_unique<TimeSeries>(faulty_, clock_, options);
        EXPECT_TRUE(opened->load());
        return opened;
    }

    static Taken write(TimeSeries& to, const std::vector<NamedPoint>& points) {
        const auto taken = to.write(points);
        EXPECT_TRUE(taken) << (taken ? "" : taken.error().message);
        return taken.value_or(Taken{});
    }

    static std::uint64_t refused(const Taken& taken, Refusal why) {
        return taken.refused[static_cast<std::size_t>(why)];
    }

    static std::map<std::int64_t, double> read(
        const TimeSeries& from, std::string_view name, std::int64_t since, std::int64_t until
    ) {
        const auto points = from.read(name, since, until);
        EXPECT_TRUE(points) << (points ? "" : points.error().message);
        std::map<std::int64_t, double> all;
        for (const series::Point& point : points.value_or(std::vector<series::Point>{})) {
            EXPECT_TRUE(all.emplace(point.time, point.value).second);
        }
        return all;
    }

    ManualClock clock_{start};
    storage::MemoryStore memory_{tables, clock_};
    storage::FaultyStore faulty_{memory_, 1, {}};
    std::int64_t writers_ = 0;
};

TEST_F(Metrics, points_late_and_repeated_by_several_writers_are_the_model) {
    Random random{test_seed()};
    SCOPED_TRACE(test_seed());
    const auto one = open();
    const auto other = open();
    std::map<std::string, std::map<std::int64_t, double>> model;
    std::vector<NamedPoint> again;
    for (std::uint64_t round = 0; round < rounds(400); ++round) {
        clock_.advance(1s);
        std::vector<NamedPoint> points;
        for (std::uint64_t left = random.below(20); left > 0; --left) {
            points.push_back(
                {.name = "s" + std::to_string(random.below(5)),
                 .point =
                     {.time = start_ms - static_cast<std::int64_t>(random.below(400)) * hour_ms / 8,
                      .value = static_cast<double>(random.below(1000))}}
            );
        }
        write(random.below(2) == 0 ? *one : *other, points);
        if (random.below(3) == 0) {
            write(*one, points);  // A sender that got no answer.
        }
        for (const NamedPoint& each : points) {
            model[each.name][each.point.time] = each.point.value;
        }
    }
    for (const auto& [name, points] : model) {
        EXPECT_EQ(read(*other, name, start_ms - 400 * hour_ms, start_ms + 1), points);
        const std::int64_t since =
            start_ms - static_cast<std::int64_t>(random.below(300)) * hour_ms / 7;
        const std::int64_t until =
            since + static_cast<std::int64_t>(random.below(40)) * hour_ms / 3;
        const std::map<std::int64_t, double> part{
            points.lower_bound(since), points.lower_bound(std::max(since, until))
        };
        EXPECT_EQ(read(*one, name, since, until), part);
    }
    EXPECT_TRUE(read(*one, "nobody", start_ms - hour_ms, start_ms).empty());
}

TEST_F(Metrics, the_same_after_a_start) {
    write(
        *open(),
        {{.name = "a.b;t=v", .point = {.time = start_ms, .value = 1}},
         {.name = "a.c", .point = {.time = start_ms, .value = 2}}}
    );
    const auto opened = open();
    EXPECT_EQ(opened->series(), 2);
    const auto found = opened->find(*series::Glob::parse("*.*"), 10);
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, (std::vector<Node>{{.name = "a.c", .leaf = true}}));
    EXPECT_EQ(read(*opened, "a.b;t=v", start_ms, start_ms + 1).size(), 1);
}

TEST_F(Metrics, what_is_too_old_or_of_the_future_is_refused) {
    const auto opened = open({.retention = {{}, {{.step = 10s, .kept = 24h}}}});
    const Taken taken = write(
        *opened,
        {{.name = "a", .point = {.time = start_ms - 25 * hour_ms, .value = 1}},
         {.name = "a", .point = {.time = start_ms + 25 * hour_ms, .value = 1}},
         {.name = "a", .point = {.time = start_ms - 23 * hour_ms, .value = 1}},
         {.name = "a", .point = {.time = start_ms + 23 * hour_ms, .value = 1}},
         {.name = "a", .point = {.time = INT64_MIN, .value = 1}},
         {.name = "a", .point = {.time = INT64_MAX, .value = 1}}}
    );
    EXPECT_EQ(taken.points, 2);
    EXPECT_EQ(refused(taken, Refusal::old), 2);
    EXPECT_EQ(refused(taken, Refusal::early), 2);
    EXPECT_EQ(opened->refused(Refusal::early), 2);
    EXPECT_EQ(read(*opened, "a", INT64_MIN, INT64_MAX).size(), 2);
}

TEST_F(Metrics, points_end_after_they_were_kept_and_names_after_them) {
    const auto opened = open({.retention = {{}, {{.step = 10s, .kept = 24h}}}});
    write(*opened, {{.name = "a", .point = {.time = start_ms, .value = 1}}});
    clock_.advance(23h);
    EXPECT_EQ(read(*opened, "a", INT64_MIN, INT64_MAX).size(), 1);
    write(*opened, {{.name = "b", .point = {.time = start_ms + 23 * hour_ms, .value = 1}}});
    clock_.advance(2h);
    memory_.reclaim();
    EXPECT_TRUE(read(*opened, "a", INT64_MIN, INT64_MAX).empty());
    opened->forget_expired();
    EXPECT_EQ(opened->series(), 2);
    clock_.advance(std::chrono::days{5});
    opened->forget_expired();
    EXPECT_EQ(opened->series(), 0);
    EXPECT_EQ(opened->bytes(), 0);
    EXPECT_EQ(open({.retention = {{}, {{.step = 10s, .kept = 24h}}}})->series(), 0);
}

TEST_F(Metrics, a_series_more_than_there_may_be_is_refused_and_others_go_on) {
    const auto opened = open({.series_max = 2});
    const auto point = [](std::string name) {
        return NamedPoint{.name = std::move(name), .point = {.time = start_ms, .value = 1}};
    };
    EXPECT_EQ(write(*opened, {point("a"), point("b"), point("a")}).points, 3);
    const Taken taken = write(*opened, {point("c"), point("a"), point("c")});
    EXPECT_EQ(taken.points, 1);
    EXPECT_EQ(refused(taken, Refusal::no_room), 2);
    EXPECT_THAT(opened->no_room(), testing::HasSubstr("metrics_series allows no more"));

    runtime::MemoryShare memory{Catalogue::bytes_of("a") + 1};
    const auto small = std::make_unique<TimeSeries>(
        faulty_, clock_, TimeSeriesOptions{.secret = {}, .memory = &memory}
    );
    EXPECT_EQ(write(*small, {point("a"), point("b")}).points, 1);
    EXPECT_THAT(small->no_room(), testing::HasSubstr("more memory"));
    EXPECT_EQ(small->bytes(), small->audit(0).counted);
}

TEST_F(Metrics, what_was_not_taken_or_was_lost_can_be_sent_again) {
    const auto opened = open();
    const std::vector<NamedPoint> points{{.name = "a", .point = {.time = start_ms, .value = 1}}};
    faulty_.set_options({.refuse_submit = 1});
    EXPECT_FALSE(opened->write(points));
    EXPECT_EQ(opened->series(), 0);
    faulty_.set_options({.fail_write = 1, .lost_but_written = 0});
    write(*opened, points);
    faulty_.release_writes();
    EXPECT_EQ(opened->series(), 0);
    EXPECT_TRUE(read(*opened, "a", start_ms, start_ms + 1).empty());
    faulty_.set_options({});
    write(*opened, points);
    EXPECT_EQ(open()->series(), 1);
    EXPECT_EQ(read(*opened, "a", start_ms, start_ms + 1).size(), 1);
}

TEST_F(Metrics, damage_is_said) {
    const auto opened = open();
    storage::Batch batch;
    const auto id = static_cast<std::int64_t>(Catalogue{{.k0 = 1, .k1 = 2}}.id_of("a"));
    batch.upsert(
        point_block_table,
        {id,
         start_ms / 24 / hour_ms,
         as_they_came,
         start_ms / hour_ms * hour_ms * 1000,
         std::int64_t{1},
         std::int64_t{1},
         "damaged",
         std::int64_t{0}}
    );
    ASSERT_TRUE(faulty_.submit(batch));
    EXPECT_TRUE(read(*opened, "a", start_ms, start_ms + 1).empty()) << "a row that has expired";
    batch.clear();
    batch.upsert(
        point_block_table,
        {id,
         start_ms / 24 / hour_ms,
         as_they_came,
         start_ms / hour_ms * hour_ms * 1000,
         std::int64_t{1},
         std::int64_t{1},
         "damaged",
         (start_ms + hour_ms) * 1000}
    );
    ASSERT_TRUE(faulty_.submit(batch));
    const auto points = opened->read("a", start_ms, start_ms + 1);
    ASSERT_FALSE(points);
    EXPECT_EQ(points.error().kind, ErrorKind::corrupt);
}

TEST_F(Metrics, names_are_looked_at_by_tags_and_listed) {
    const auto metrics = open();
    std::vector<NamedPoint> points;
    for (const std::string name : {"cpu;host=a", "cpu;host=b", "cpu", "disk;host=a"}) {
        points.push_back({.name = name, .point = {.time = start_ms, .value = 1}});
    }
    EXPECT_EQ(write(*metrics, points).points, 4);
    const std::vector<std::string> conditions{"host=~[ab]"};
    const auto query = series::TagQuery::parse(conditions);
    ASSERT_TRUE(query);
    std::vector<std::string> names;
    const auto see = [&](std::string_view name) {
        names.emplace_back(name);
        return names.size() < 2;
    };
    EXPECT_TRUE(metrics->each_tagged(*query, {}, see));
    EXPECT_EQ(names, (std::vector<std::string>{"cpu;host=a", "cpu;host=b"}));
    std::stop_source left;
    left.request_stop();
    const auto stopped = metrics->each_tagged(*query, left.get_token(), see);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().kind, ErrorKind::cancelled);

    names.clear();
    const auto list = [&](std::string_view name) { names.emplace_back(name); };
    EXPECT_TRUE(metrics->each_name(4, list));
    EXPECT_EQ(names, (std::vector<std::string>{"cpu", "cpu;host=a", "cpu;host=b", "disk;host=a"}));
    const auto too_many = metrics->each_name(3, list);
    ASSERT_FALSE(too_many);
    EXPECT_EQ(too_many.error().kind, ErrorKind::invalid_input);
}

TEST_F(Metrics, of_points_that_are_one_all_are_taken_or_none) {
    const auto metrics = open({.series_max = 2});
    const auto all = [&](const std::vector<PointOf>& points) {
        return *metrics->write_all(points);
    };
    const PointOf now{.name = "a", .point = {.time = start_ms, .value = 1}};
    const PointOf old{.name = "b", .point = {.time = 0, .value = 1}};
    const Taken refused = all({now, old});
    EXPECT_EQ(refused.points, 0);
    EXPECT_EQ(this->refused(refused, Refusal::old), 1);
    EXPECT_EQ(metrics->refused(Refusal::old), 1);
    EXPECT_EQ(metrics->series(), 0);
    EXPECT_EQ(metrics->bytes(), 0);
    EXPECT_TRUE(read(*metrics, "a", start_ms, start_ms + 1).empty());

    EXPECT_EQ(all({now}).points, 1);
    const PointOf second{.name = "b", .point = now.point};
    const PointOf third{.name = "c", .point = now.point};
    const Taken no_room = all({second, third});
    EXPECT_EQ(no_room.points, 0);
    EXPECT_EQ(this->refused(no_room, Refusal::no_room), 1);
    EXPECT_EQ(metrics->series(), 1);
    EXPECT_TRUE(read(*metrics, "b", start_ms, start_ms + 1).empty());
    EXPECT_EQ(all({second}).points, 1) << "there is room for one of them";
    EXPECT_EQ(open()->series(), 2) << "what was refused left no row, and what was taken did";
}

TEST_F(Metrics, names_are_told_in_order_from_one_on) {
    using Tagged = Catalogue::Tagged;
    const auto metrics = open();
    std::vector<NamedPoint> points;
    for (const char* const name : {"b", "a;x=2", "a;x=1", "a", "a.b;x=1"}) {
        points.push_back({.name = name, .point = {.time = start_ms, .value = 1}});
    }
    write(*metrics, points);
    EXPECT_THAT(metrics->names_from(Tagged::no, "", 10), testing::ElementsAre("a", "b"));
    EXPECT_THAT(metrics->names_from(Tagged::no, "aa", 10), testing::ElementsAre("b"));
    EXPECT_THAT(metrics->names_from(Tagged::yes, "a;", 2), testing::ElementsAre("a;x=1", "a;x=2"));
    EXPECT_THAT(metrics->names_from(Tagged::yes, "", 1), testing::ElementsAre("a.b;x=1"));
    EXPECT_THAT(metrics->names_from(Tagged::yes, "a;x=3", 2), testing::IsEmpty());
}

}  // namespace
}  // namespace footfall::timeseries
