#include "kairos/aggregation.h"

#include "kairos/test_points.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::kairos {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

/// A time and a value; none: a gap.
using Told = std::vector<std::pair<Time, std::optional<double>>>;

Told told(const Result<Points>& points) {
    EXPECT_TRUE(points) << (points ? "" : points.error().message);
    Told all;
    for (const series::Point& point : points.value_or(Points{})) {
        all.emplace_back(
            point.time, std::isnan(point.value) ? std::nullopt : std::optional{point.value}
        );
    }
    return all;
}

Told run(
    const Aggregator& aggregator,
    const Points& points,
    Time start = 0,
    const TimeZone& zone = TimeZone{}
) {
    return told(aggregate(aggregator, points, start, zone));
}

Aggregator by(Doing doing, Sampling sampling) {
    return {.doing = doing, .ranges = {.sampling = sampling}};
}

/// A point of 1 each so often.
Points ones(Time from, Time until, Time step) {
    Points all;
    for (Time time = from; time < until; time += step) {
        all.push_back({.time = time, .value = 1});
    }
    return all;
}

/// Two ranges of ten: their points as KairosDB's documentation and its own tests have them.
const Points two_ranges = points({{1, 10}, {4, 20}, {9, 30}, {12, 5}, {18, 7}});
constexpr Sampling ten{10, Unit::milliseconds};

TEST(Aggregation, of_ranges_has_the_time_of_their_first_point) {
    EXPECT_THAT(run(by(Doing::avg, ten), two_ranges), ElementsAre(Pair(1, 20), Pair(12, 6)));
    EXPECT_THAT(run(by(Doing::sum, ten), two_ranges), ElementsAre(Pair(1, 60), Pair(12, 12)));
    EXPECT_THAT(run(by(Doing::count, ten), two_ranges), ElementsAre(Pair(1, 3), Pair(12, 2)));
    EXPECT_THAT(run(by(Doing::min, ten), two_ranges), ElementsAre(Pair(1, 10), Pair(12, 5)));
    EXPECT_THAT(run(by(Doing::max, ten), two_ranges), ElementsAre(Pair(1, 30), Pair(12, 7)));
    EXPECT_THAT(run(by(Doing::first, ten), two_ranges), ElementsAre(Pair(1, 10), Pair(12, 5)));
    EXPECT_THAT(run(by(Doing::sum, ten), {}), IsEmpty());
}

TEST(Aggregation, last_has_its_own_time) {
    EXPECT_THAT(run(by(Doing::last, ten), two_ranges), ElementsAre(Pair(9, 30), Pair(18, 7)));
    Aggregator last = by(Doing::last, ten);
    last.ranges.at_start = true;
    EXPECT_THAT(run(last, two_ranges), ElementsAre(Pair(0, 30), Pair(10, 7)));
}

TEST(Aggregation, has_the_start_or_the_end_of_ranges_where_that_is_said) {
    Aggregator sum = by(Doing::sum, ten);
    sum.ranges.at_start = true;
    EXPECT_THAT(run(sum, two_ranges), ElementsAre(Pair(0, 60), Pair(10, 12)));
    sum.ranges = {.sampling = ten, .at_end = true};
    EXPECT_THAT(run(sum, two_ranges), ElementsAre(Pair(10, 60), Pair(20, 12)));
    // Ranges begin where the query does.
    EXPECT_THAT(run(sum, two_ranges, 1), ElementsAre(Pair(11, 60), Pair(21, 12)));
}

TEST(Aggregation, deviation_is_that_of_a_sample) {
    const Points sample = points({{1, 2}, {2, 4}, {3, 4}, {4, 4}, {5, 5}, {6, 5}, {7, 7}, {8, 9}});
    const Told dev = run(by(Doing::dev, ten), sample);
    ASSERT_EQ(dev.size(), 1);
    EXPECT_NEAR(dev[0].second.value_or(0), std::sqrt(32.0 / 7), 1e-12);
    EXPECT_THAT(run(by(Doing::dev, ten), points({{1, 7}})), ElementsAre(Pair(1, 0)));
    // Where squares have no digits left for what differs.
    EXPECT_THAT(
        run(by(Doing::dev, ten), points({{1, 1e9 + 1}, {2, 1e9 + 2}, {3, 1e9 + 3}})),
        ElementsAre(Pair(1, 1))
    );
}

TEST(Aggregation, percentiles_lie_between_values) {
    Points hundred;
    for (Time at = 0; at < 100; ++at) {
        hundred.push_back({.time = at, .value = static_cast<double>(100 - at)});
    }
    const auto of = [&](double part, const Points& points) {
        Aggregator percentile = by(Doing::percentile, {1, Unit::hours});
        percentile.number = part;
        return run(percentile, points).at(0).second.value();
    };
    EXPECT_DOUBLE_EQ(of(0.5, hundred), 50.5);
    EXPECT_DOUBLE_EQ(of(0.75, hundred), 75.75);
    EXPECT_DOUBLE_EQ(of(0.98, hundred), 98.98);
    EXPECT_DOUBLE_EQ(of(0.999, hundred), 100);
    EXPECT_DOUBLE_EQ(of(0.001, hundred), 1);
    EXPECT_DOUBLE_EQ(of(0.5, points({{1, 3}})), 3);
}

TEST(Aggregation, a_line_has_two_ends) {
    const Aggregator line = by(Doing::least_squares, {1, Unit::hours});
    const Told fitted = run(line, points({{1000, 1}, {2000, 3}, {3000, 2}, {4000, 4}}));
    ASSERT_EQ(fitted.size(), 2);
    EXPECT_EQ(fitted[0].first, 1000);
    EXPECT_NEAR(fitted[0].second.value_or(0), 1.3, 1e-12);
    EXPECT_EQ(fitted[1].first, 4000);
    EXPECT_NEAR(fitted[1].second.value_or(0), 3.7, 1e-12);
    EXPECT_THAT(run(line, points({{1, 5}})), ElementsAre(Pair(1, 5)));
    EXPECT_THAT(run(line, points({{1, 5}, {2, 9}})), ElementsAre(Pair(1, 5), Pair(2, 9)));
    EXPECT_THAT(run(line, points({{1, 5}, {1, 7}, {1, 9}})), ElementsAre(Pair(1, 7), Pair(1, 7)))
        << "all of one time";
}

TEST(Aggregation, gaps_are_told_between_the_first_and_the_last_point) {
    const Points sparse = points({{1, 10}, {2, 11}, {21, 12}, {45, 13}});
    EXPECT_THAT(
        run(by(Doing::gaps, ten), sparse),
        ElementsAre(
            Pair(1, 10),
            Pair(2, 11),
            Pair(10, std::nullopt),
            Pair(21, 12),
            Pair(30, std::nullopt),
            Pair(45, 13)
        )
    );
    const auto too_many = aggregate(
        by(Doing::gaps, {1, Unit::milliseconds}), points({{0, 1}, {2'000'000, 1}}), 0, TimeZone{}
    );
    ASSERT_FALSE(too_many);
    EXPECT_EQ(too_many.error().kind, ErrorKind::invalid_input);
    // What comes behind looks at values only.
    const auto gaps = aggregate(by(Doing::gaps, ten), sparse, 0, TimeZone{});
    EXPECT_THAT(run(by(Doing::count, {1, Unit::hours}), *gaps), ElementsAre(Pair(1, 4)));
    EXPECT_THAT(run({.doing = Doing::scale, .number = 2}, *gaps).at(2), Pair(10, std::nullopt));
}

TEST(Aggregation, of_neighbours) {
    const Points steady = points({{1, 10}, {2, 20}, {4, 30}, {8, 10}});
    EXPECT_THAT(
        run({.doing = Doing::diff}, steady), ElementsAre(Pair(2, 10), Pair(4, 10), Pair(8, -20))
    );
    EXPECT_THAT(
        run(by(Doing::rate, {1, Unit::milliseconds}), steady),
        ElementsAre(Pair(2, 10), Pair(4, 5), Pair(8, -5))
    );
    EXPECT_THAT(
        run(by(Doing::rate, {1, Unit::seconds}), steady),
        ElementsAre(Pair(2, 10'000), Pair(4, 5000), Pair(8, -5000))
    );
    EXPECT_THAT(
        run(by(Doing::sampler, {1, Unit::seconds}), steady),
        ElementsAre(Pair(2, 20'000), Pair(4, 15'000), Pair(8, 2500))
    );
    for (const Doing doing : {Doing::diff, Doing::rate, Doing::sampler}) {
        EXPECT_THAT(run({.doing = doing}, points({{1, 1}})), IsEmpty());
    }
    const auto same = aggregate({.doing = Doing::rate}, points({{1, 1}, {1, 2}}), 0, TimeZone{});
    ASSERT_FALSE(same);
    EXPECT_EQ(same.error().kind, ErrorKind::invalid_input);
    EXPECT_THAT(run({.doing = Doing::diff}, points({{1, 1}, {1, 2}})), ElementsAre(Pair(1, 1)));
}

TEST(Aggregation, of_single_points) {
    const Points three = points({{1, 10}, {2, 20}, {3, 30}});
    EXPECT_THAT(
        run({.doing = Doing::div, .number = 4}, three),
        ElementsAre(Pair(1, 2.5), Pair(2, 5), Pair(3, 7.5))
    );
    EXPECT_THAT(
        run({.doing = Doing::scale, .number = -2}, three),
        ElementsAre(Pair(1, -20), Pair(2, -40), Pair(3, -60))
    );
    const auto trim = [&](Trimmed which) {
        return run({.doing = Doing::trim, .trimmed = which}, three);
    };
    EXPECT_THAT(trim(Trimmed::first), ElementsAre(Pair(2, 20), Pair(3, 30)));
    EXPECT_THAT(trim(Trimmed::last), ElementsAre(Pair(1, 10), Pair(2, 20)));
    EXPECT_THAT(trim(Trimmed::both), ElementsAre(Pair(2, 20)));
    EXPECT_THAT(run({.doing = Doing::trim}, points({{1, 1}})), IsEmpty());
    EXPECT_THAT(run({.doing = Doing::trim}, {}), IsEmpty());
}

TEST(Aggregation, a_filter_leaves_out_what_it_says) {
    const Points three = points({{1, 10}, {2, 20}, {3, 30}});
    const auto left = [&](Comparison comparison) {
        std::vector<Time> times;
        for (const auto& [time, value] :
             run({.doing = Doing::filter, .number = 20, .comparison = comparison}, three)) {
            times.push_back(time);
        }
        return times;
    };
    EXPECT_THAT(left(Comparison::lt), ElementsAre(2, 3));
    EXPECT_THAT(left(Comparison::lte), ElementsAre(3));
    EXPECT_THAT(left(Comparison::gt), ElementsAre(1, 2));
    EXPECT_THAT(left(Comparison::gte), ElementsAre(1));
    EXPECT_THAT(left(Comparison::equal), ElementsAre(1, 3));
    EXPECT_THAT(left(Comparison::ne), ElementsAre(2));
}

/// The cases by which KairosDB tests its ranges.
TEST(Aggregation, ranges_follow_the_calendar) {
    EXPECT_THAT(
        run(by(Doing::sum, {1, Unit::years}), ones(date(2010, 1), date(2014, 1), day), date(2010, 1)
        ),
        ElementsAre(
            Pair(date(2010, 1), 365),
            Pair(date(2011, 1), 365),
            Pair(date(2012, 1), 366),
            Pair(date(2013, 1), 365)
        )
    );
    const Time minute = 61 * 60'000;  // At 01:01 of each day.
    EXPECT_THAT(
        run(by(Doing::sum, {3, Unit::months}),
            ones(date(2014, 1) + minute, date(2014, 7, 10) + minute, day),
            date(2014, 1) + minute),
        ElementsAre(
            Pair(date(2014, 1) + minute, 90),
            Pair(date(2014, 4) + minute, 91),
            Pair(date(2014, 7) + minute, 9)
        )
    );
    const Points spring = ones(date(2014, 3, 10), date(2014, 5, 23), day);
    EXPECT_THAT(
        run(by(Doing::sum, {1, Unit::months}), spring, date(2014, 3, 10)),
        ElementsAre(
            Pair(date(2014, 3, 10), 31), Pair(date(2014, 4, 10), 30), Pair(date(2014, 5, 10), 13)
        )
    );
    Aggregator aligned = by(Doing::sum, {1, Unit::months});
    aligned.ranges.aligned = true;
    aligned.ranges.at_start = true;
    EXPECT_THAT(
        run(aligned, spring, date(2014, 3, 10)),
        ElementsAre(Pair(date(2014, 3), 22), Pair(date(2014, 4), 30), Pair(date(2014, 5), 22))
    );
    aligned.ranges.sampling.unit = Unit::weeks;
    EXPECT_THAT(
        run(aligned, ones(date(2015, 1, 2), date(2015, 1, 19), day), date(2015, 1, 2)),
        ElementsAre(
            Pair(date(2014, 12, 29), 3), Pair(date(2015, 1, 5), 7), Pair(date(2015, 1, 12), 7)
        )
    );
}

TEST(Aggregation, months_are_those_of_the_zone) {
    const TimeZone paris = *TimeZone::find("Europe/Paris");
    Aggregator months = by(Doing::sum, {1, Unit::months});
    months.ranges.aligned = true;
    const Time march = date(2014, 3) - hour;
    EXPECT_THAT(
        run(months, ones(march, date(2014, 4) - 2 * hour, hour), march, paris),
        ElementsAre(Pair(march, 31 * 24 - 1))
    );
    const Time october = date(2014, 10) - 2 * hour;
    EXPECT_THAT(
        run(months, ones(october, date(2014, 11) - hour, hour), october, paris),
        ElementsAre(Pair(october, 31 * 24 + 1))
    );
}

}  // namespace
}  // namespace footfall::kairos
