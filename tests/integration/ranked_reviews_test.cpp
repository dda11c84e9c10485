// Half a million real events, told in the order of their time to views on the real store: at some
// moments of these five years all windows, and what trends, are what counting everything gives.

#include "foundation/random.h"
#include "foundation/siphash.h"
#include "foundation_testing/temporary_directory.h"
#include "metrics/metrics.h"
#include "rankings/popular.h"
#include "rankings/schema.h"
#include "rankings/score.h"
#include "rankings/trends.h"
#include "rankings/windows.h"
#include "storage_rocksdb/rocks_store.h"
#include "test_support/must.h"
#include "test_support/truth.h"
#include "views/schema.h"
#include "views/views.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <ranges>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace footfall {
namespace {

using namespace std::chrono_literals;
using test_support::must;
using views::RankBy;

constexpr std::size_t lanes = 64;
constexpr std::uint64_t log_id = 5;
constexpr SipKey secret{.k0 = 3, .k1 = 4};
constexpr std::string_view action = "view";

struct Review {
    std::string object;
    std::uint64_t person;
    Instant time;
};

int number_in(std::string_view text) {
    int number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// "2006-04-07 17:08", taken as UTC.
Instant time_in(std::string_view text) {
    const std::chrono::sys_days day = std::chrono::year{number_in(text.substr(0, 4))} /
                                      number_in(text.substr(5, 2)) / number_in(text.substr(8, 2));
    return day + std::chrono::hours{number_in(text.substr(11, 2))} +
           std::chrono::minutes{number_in(text.substr(14, 2))};
}

/// By time.
std::vector<Review> read_reviews() {
    const std::string file = test_support::read_gzip(
        std::string{FOOTFALL_DATA_DIR} + "/events-reviews/anonreviews.csv.gz"
    );
    std::vector<Review> reviews;
    std::string_view left{file};
    left.remove_prefix(left.find('\n') + 1);
    while (!left.empty()) {
        const std::string_view line = left.substr(0, left.find('\n'));
        left.remove_prefix(line.size() + 1);
        const std::size_t object = line.find(',') + 1;
        const std::size_t rating = line.find(',', object) + 1;
        const std::size_t date = line.find(',', rating) + 1;
        reviews.push_back(
            {.object = std::string{line.substr(object, rating - object - 1)},
             .person = siphash13(secret, line.substr(0, object - 1)),
             .time = time_in(line.substr(date))}
        );
    }
    std::ranges::sort(reviews, {}, [](const Review& each) {
        return std::tuple{each.time, std::string_view{each.object}, each.person};
    });
    return reviews;
}

std::size_t lane_of(std::string_view object) {
    return siphash13(secret, object) % lanes;
}

using Ranked = std::vector<std::pair<std::string, std::uint64_t>>;

Ranked largest(const std::map<std::string, std::uint64_t>& numbers, std::size_t limit) {
    Ranked list{numbers.begin(), numbers.end()};
    std::ranges::sort(list, [](const auto& left, const auto& right) {
        return left.second != right.second ? left.second > right.second : left.first < right.first;
    });
    list.resize(std::min(list.size(), limit));
    return list;
}

class RankedReviews : public testing::Test {
protected:
    void SetUp() override {
        auto opened = storage_rocksdb::RocksStore::open(
            {.directory = folder_ / "data",
             .tables =
                 {&views::view_day_table,
                  &views::view_total_table,
                  &views::view_rank_table,
                  &rankings::rank_day_table,
                  &rankings::trend_state_table}},
            clock_,
            metrics_
        );
        store_ = must(std::move(opened));
        views_ = std::make_unique<views::Views>(
            *store_, log_id, std::uint16_t{1}, clock_, views::Views::Options{}
        );
        begin_trends();
        ASSERT_EQ(all_.size(), 578'805U);
    }

    void TearDown() override { store_->close(); }

    /// As after a start.
    void begin_trends() {
        trends_ = std::make_unique<rankings::Trends>(
            *store_, clock_, rankings::Trends::Options{.job = "views", .log = log_id}
        );
        std::vector<std::uint32_t> every(lanes);
        std::ranges::copy(std::views::iota(0U, static_cast<unsigned>(lanes)), every.begin());
        must(trends_->begin(every));
    }

    /// Tells all events before a moment.
    void tell_until(Instant moment) {
        clock_.set(moment);
        std::array<std::vector<views::Fact>, lanes> facts;
        std::array<std::vector<rankings::TrendFact>, lanes> trend_facts;
        for (; told_ < all_.size() && all_[told_].time <= moment; ++told_) {
            const Review& each = all_[told_];
            const std::size_t lane = lane_of(each.object);
            facts[lane].push_back(
                {.action = action,
                 .object = each.object,
                 .offset = ends_[lane],
                 .time = each.time,
                 .person = each.person}
            );
            trend_facts[lane].push_back(
                {.action = action,
                 .object = each.object,
                 .object_hash = siphash13(secret, each.object),
                 .offset = ends_[lane]++,
                 .time = each.time,
                 .person = each.person}
            );
        }
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            must(views_->wait_for_room());
            views_->apply(lane, facts[lane]);
            trends_->apply(static_cast<std::uint32_t>(lane), trend_facts[lane]);
        }
        must(views_->flush_all());
    }

    Ranked brute_force(RankBy by, Instant from) const {
        std::map<std::string, std::uint64_t> numbers;
        std::set<std::pair<std::string, std::uint64_t>> people;
        for (std::size_t at = told_; at > 0 && all_[at - 1].time >= from; --at) {
            const Review& each = all_[at - 1];
            const bool is_new = people.emplace(each.object, each.person).second;
            numbers[each.object] += by == RankBy::views || is_new ? 1 : 0;
        }
        return largest(numbers, numbers.size());
    }

    void expect_windows(Instant now) {
        for (const rankings::Window& window : rankings::windows) {
            SCOPED_TRACE(window.name);
            const auto by_views = must(views_->top_of_window(action, RankBy::views, window, 300));
            Ranked told;
            for (const views::RankedObject& each : by_views.objects) {
                told.emplace_back(each.object, each.views);
            }
            EXPECT_TRUE(by_views.complete);
            EXPECT_EQ(told, brute_force(RankBy::views, rankings::begin_of(window, now)));
            objects_seen_ += told.size();
            expect_people(window, now);
        }
    }

    /// Exact up to 128 people, then an estimate, whose order may be another.
    void expect_people(const rankings::Window& window, Instant now) {
        const auto by_people = must(views_->top_of_window(action, RankBy::people, window, 300));
        const Instant from = std::chrono::floor<std::chrono::days>(rankings::begin_of(window, now));
        const Ranked truth = brute_force(RankBy::people, from);
        ASSERT_EQ(by_people.objects.size(), truth.size());
        const std::map<std::string, std::uint64_t> people{truth.begin(), truth.end()};
        for (const views::RankedObject& each : by_people.objects) {
            const auto exact = static_cast<double>(people.at(each.object));
            EXPECT_NEAR(
                static_cast<double>(each.people), exact, each.exact ? 0 : 5 * each.error * exact
            ) << each.object;
        }
    }

    /// Objects that trend with their scores, by the definition.
    std::map<std::string, double> brute_trending(Instant now) const {
        std::map<std::string, std::pair<double, double>> sums;
        std::map<std::string, std::set<std::uint64_t>> people;  // of today and yesterday
        std::set<std::tuple<std::string, std::uint64_t, std::int64_t>> seen;
        const Instant yesterday = std::chrono::floor<std::chrono::days>(now) - std::chrono::days{1};
        double fast_total = 0;
        double slow_total = 0;
        std::size_t at = told_;
        while (at > 0 && all_[at - 1].time > now - std::chrono::days{40}) {
            --at;
        }
        for (; at < told_; ++at) {
            const Review& each = all_[at];
            if (each.time >= yesterday) {
                people[each.object].insert(each.person);
            }
            const auto day = std::chrono::floor<std::chrono::days>(each.time);
            if (!seen.emplace(each.object, each.person, day.time_since_epoch().count()).second) {
                continue;
            }
            const double age =
                std::chrono::duration<double, std::ratio<3600>>{now - each.time}.count();
            auto& [fast, slow] = sums[each.object];
            fast += std::exp2(-age);
            slow += std::exp2(-age / 24);
            fast_total += std::exp2(-age);
            slow_total += std::exp2(-age / 24);
        }
        std::map<std::string, double> scores;
        for (const auto& [object, sum] : sums) {
            const double expected = sum.second * fast_total / slow_total;
            const double score = (sum.first - expected) / std::sqrt(expected + 1);
            if (sum.first >= 3 && score >= 2 && people[object].size() >= 5) {
                scores[object] = score;
            }
        }
        return scores;
    }

    void expect_trending(Instant now) {
        const auto all = must(trends_->trends(action, now));
        const auto people = [&](std::span<const std::string_view> objects
                            ) -> Result<std::vector<std::uint64_t>> {
            std::vector<std::uint64_t> numbers;
            const views::Day today = views::day_of(now);
            for (const std::string_view object : objects) {
                const auto report = must(views_->report(
                    lane_of(object),
                    {.action = action,
                     .object = object,
                     .range = views::DayRange{.from = today - 1, .to = today}}
                ));
                numbers.push_back(report.people);
            }
            return numbers;
        };
        rankings::TrendSettings settings;
        settings.per_site = 0;
        const auto list = must(rankings::trending(
            all.candidates, all.totals, settings, 300, {.people = people, .site = {}}
        ));
        const std::map<std::string, double> truth = brute_trending(now);
        EXPECT_EQ(list.objects.size(), truth.size());
        for (const rankings::Trending& each : list.objects) {
            const auto found = truth.find(each.object);
            ASSERT_NE(found, truth.end()) << each.object << " " << each.score;
            EXPECT_NEAR(each.score, found->second, 0.01) << each.object;
        }
        trending_seen_ += truth.size();
    }

    const std::vector<Review> all_ = read_reviews();
    ManualClock clock_{all_.front().time};
    metrics::Metrics metrics_;
    const TemporaryDirectory folder_;
    std::unique_ptr<storage_rocksdb::RocksStore> store_;
    std::unique_ptr<views::Views> views_;
    std::unique_ptr<rankings::Trends> trends_;
    std::size_t told_ = 0;
    std::array<std::uint64_t, lanes> ends_{};
    std::size_t objects_seen_ = 0;
    std::size_t trending_seen_ = 0;
};

TEST_F(RankedReviews, windows_and_trends_are_what_counting_everything_gives) {
    Random random{31};
    std::vector<std::size_t> moments;
    moments.reserve(24);
    for (int moment = 0; moment < 24; ++moment) {
        moments.push_back(random.below(all_.size()));
    }
    std::ranges::sort(moments);
    for (const std::size_t moment : moments) {
        const Instant now = all_[moment].time + 30s;
        SCOPED_TRACE(fmt::format("after {} events", moment));
        tell_until(now);
        expect_windows(now);
        expect_trending(now);
        if (moment % 2 == 0) {
            must(trends_->flush(true));
            begin_trends();
        }
    }
    fmt::print(
        "{} moments: {} objects in windows, {} trended\n",
        moments.size(),
        objects_seen_,
        trending_seen_
    );
    EXPECT_GT(objects_seen_, 1000U);
}

}  // namespace
}  // namespace footfall
