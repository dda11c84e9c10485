#include "rankings/schema.h"
#include "views/test_world.h"
#include "views/views.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace footfall::views {
namespace {

/// Over 40 days, in disorder, of some objects much more than of others.
std::vector<Logged> events_of_weeks(Random& random, std::size_t count) {
    std::vector<Logged> events;
    events.reserve(count);
    for (std::size_t at = 0; at < count; ++at) {
        const std::uint64_t object = random.below(1 + random.below(120));
        // The square of the square: as many in the last day as in the month before.
        const double age = random.fraction() * random.fraction() * random.fraction();
        events.push_back(
            {.action = random.below(5) == 0 ? "click" : "view",
             .object = fmt::format("page {:{}}", object, 1 + object % 7),
             .time = start - std::chrono::seconds{static_cast<long>(age * 40 * 86'400)},
             .person = random.below(500) * 0x9e3779b97f4a7c15,
             .refusal = random.below(6) == 0 ? "repeat" : ""}
        );
    }
    return events;
}

using Ranked = std::vector<std::pair<std::string, std::uint64_t>>;

Ranked listed(std::map<std::string, std::uint64_t> numbers, std::size_t limit) {
    std::erase_if(numbers, [](const auto& each) { return each.second == 0; });
    Ranked list{numbers.begin(), numbers.end()};
    std::ranges::sort(list, [](const auto& left, const auto& right) {
        return left.second != right.second ? left.second > right.second : left.first < right.first;
    });
    list.resize(std::min(list.size(), limit));
    return list;
}

Ranked brute_views(World& world, std::string_view action, Instant from, std::size_t limit) {
    std::map<std::string, std::uint64_t> views;
    for (std::size_t lane = 0; lane < World::lanes; ++lane) {
        for (const Logged& event : world.log(lane)) {
            views[event.object] +=
                event.action == action && event.refusal.empty() && event.time >= from ? 1 : 0;
        }
    }
    return listed(std::move(views), limit);
}

Ranked brute_people(World& world, std::string_view action, Instant from, std::size_t limit) {
    std::map<std::string, std::set<std::uint64_t>> people;
    for (std::size_t lane = 0; lane < World::lanes; ++lane) {
        for (const Logged& event : world.log(lane)) {
            if (event.action == action && event.refusal.empty() && event.time >= from) {
                people[event.object].insert(event.person.value_or(0));
            }
        }
    }
    std::map<std::string, std::uint64_t> numbers;
    for (const auto& [object, who] : people) {
        numbers[object] = who.size();
    }
    return listed(std::move(numbers), limit);
}

Ranked told_list(const Ranking& ranking, RankBy by) {
    Ranked list;
    for (const RankedObject& each : ranking.objects) {
        list.emplace_back(each.object, by == RankBy::people ? each.people : each.views);
    }
    return list;
}

TEST(ViewsWindows, lists_equal_brute_force_whenever_rows_are_written) {
    Random random{21};
    World world;
    for (int round = 0; round < 5; ++round) {
        world.add(events_of_weeks(random, 2000));
        if (round == 2) {
            world.take_checkpoints();
            world.restart();
            world.read_log_again();
        }
        ASSERT_TRUE(world.views().flush_all());
        for (const rankings::Window& window : rankings::windows) {
            for (const std::size_t limit : {1U, 7U, 200U}) {
                const auto ranking =
                    world.views().top_of_window("view", RankBy::views, window, limit);
                ASSERT_TRUE(ranking) << ranking.error().message;
                EXPECT_TRUE(ranking->complete);
                EXPECT_FALSE(ranking->knows_people);
                const Instant from = rankings::begin_of(window, world.clock().now());
                EXPECT_EQ(ranking->from, from);
                EXPECT_EQ(
                    told_list(*ranking, RankBy::views), brute_views(world, "view", from, limit)
                ) << window.name;
            }
        }
    }
}

TEST(ViewsWindows, people_are_those_of_whole_days) {
    Random random{22};
    World world;
    world.add(events_of_weeks(random, 8000));
    ASSERT_TRUE(world.views().flush_all());
    for (const rankings::Window& window : rankings::windows) {
        const auto ranking = world.views().top_of_window("view", RankBy::people, window, 20);
        ASSERT_TRUE(ranking) << ranking.error().message;
        const Instant from =
            std::chrono::floor<std::chrono::days>(rankings::begin_of(window, world.clock().now()));
        EXPECT_EQ(ranking->from, from);
        const Ranked truth = brute_people(world, "view", from, 20);
        ASSERT_FALSE(truth.empty());
        // Of more than 128 people it is an estimate.
        const Ranked told = told_list(*ranking, RankBy::people);
        ASSERT_EQ(told.size(), truth.size());
        for (std::size_t at = 0; at < told.size(); ++at) {
            const auto number = static_cast<double>(truth[at].second);
            EXPECT_NEAR(static_cast<double>(told[at].second), number, 0.04 * number) << at;
            if (truth[at].second <= 128) {
                EXPECT_EQ(told[at], truth[at]);
            }
        }
    }
}

TEST(ViewsWindows, what_waits_counts_for_an_object_that_has_rows) {
    World world;
    const Logged seen{.action = "view", .object = "page", .time = start, .person = 1};
    world.add({seen});
    ASSERT_TRUE(world.views().flush_all());
    world.add({seen, seen});
    const auto ranking =
        world.views().top_of_window("view", RankBy::views, *rankings::parse_window("1h"), 10);
    ASSERT_TRUE(ranking);
    EXPECT_EQ(told_list(*ranking, RankBy::views), (Ranked{{"page", 3}}));
}

TEST(ViewsWindows, of_days_long_ago_no_rows_are_written) {
    World world;
    world.add(
        {{.action = "view", .object = "old", .time = start - std::chrono::days{40}},
         {.action = "view", .object = "new", .time = start - std::chrono::days{20}}}
    );
    ASSERT_TRUE(world.views().flush_all());
    std::size_t rows = 0;
    storage::ScanQuery scan{.table = &rankings::rank_day_table};
    const auto page = storage::scan_page(world.disk(), scan);
    ASSERT_TRUE(page);
    for (std::size_t row = 0; row < page->rows.size(); ++row) {
        EXPECT_EQ(page->rows.at(row, 6).text(), "new");
        ++rows;
    }
    EXPECT_EQ(rows, 1U);
}

}  // namespace
}  // namespace footfall::views
