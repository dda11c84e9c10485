#include "rankings/popular.h"

#include "foundation/random.h"
#include "foundation_testing/rounds.h"
#include "rankings/counted_store.h"
#include "rankings/schema.h"
#include "rankings/size_class.h"
#include "storage/blocking.h"
#include "storage/memory_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace footfall::rankings {
namespace {

constexpr std::int64_t today = 20'000;
constexpr RankedBy views_by_people{.job = "views", .action = "view", .sort = "people"};

/// Objects with a number for each day and one for the window.
class RankedWorld {
public:
    /// As a writer does it that has counted so many, in steps.
    void set(
        const std::string& object, std::int64_t day, std::uint64_t number, std::uint64_t steps = 1
    ) {
        Thing& thing = things_[object];
        storage::Batch batch;
        for (std::uint64_t step = 1; step <= steps; ++step) {
            const std::uint64_t reached = number * step / steps;
            append_rank_rows(
                views_by_people,
                {.object = object, .lane = lane_of(object), .day = day},
                thing.of_day[day],
                reached,
                batch
            );
            thing.of_day[day] = reached;
        }
        ASSERT_TRUE(storage::write_durably(memory, batch));
        thing.in_window = std::accumulate(
            thing.of_day.begin(),
            thing.of_day.end(),
            std::uint64_t{0},
            [](auto sum, const auto& each) { return sum + each.second; }
        );
    }

    /// So many of its sum are in the window.
    void cut(const std::string& object, std::uint64_t in_window) {
        things_[object].in_window = in_window;
    }

    std::uint64_t in_window(const std::string& object) const {
        return things_.at(object).in_window;
    }

    PopularSources sources() {
        return {
            .figures = [this](std::span<const PopularCandidate> asked
                       ) -> Result<std::vector<std::uint64_t>> {
                std::vector<std::uint64_t> numbers;
                numbers.reserve(asked.size());
                for (const PopularCandidate& each : asked) {
                    EXPECT_EQ(each.lane, lane_of(each.object));
                    numbers.push_back(in_window(std::string{each.object}));
                }
                return numbers;
            },
            .site = [](std::string_view object
                    ) { return std::string{object.substr(0, object.find('/'))}; },
        };
    }

    /// All objects, sorted.
    std::vector<std::string> brute(const PopularQuestion& question) const {
        std::vector<std::pair<std::uint64_t, std::string>> all;
        for (const auto& [object, thing] : things_) {
            if (thing.in_window >= question.least) {
                all.emplace_back(~thing.in_window, object);
            }
        }
        std::ranges::sort(all);
        std::map<std::string, std::size_t> of_site;
        std::vector<std::string> shown;
        for (const auto& [number, object] : all) {
            const std::string site = object.substr(0, object.find('/'));
            if (shown.size() < question.limit &&
                (question.per_site == 0 || of_site[site]++ < question.per_site)) {
                shown.push_back(fmt::format("{} {}", object, ~number));
            }
        }
        return shown;
    }

    static std::size_t lane_of(std::string_view object) {
        return std::hash<std::string_view>{}(object) % 64;
    }

    ManualClock clock{Instant{std::chrono::days{today}}};
    storage::MemoryStore memory{std::array{&rank_day_table}, clock};
    CountedStore store{memory};

private:
    struct Thing {
        std::map<std::int64_t, std::uint64_t> of_day;
        std::uint64_t in_window = 0;
    };

    std::map<std::string, Thing> things_;
};

std::vector<std::string> told(const PopularList& list) {
    std::vector<std::string> told;
    told.reserve(list.objects.size());
    for (const PopularObject& each : list.objects) {
        told.push_back(fmt::format("{} {}", each.object, each.number));
    }
    return told;
}

PopularList asked_of(RankedWorld& world, const PopularQuestion& question) {
    auto list = popular(world.store, question, world.sources());
    EXPECT_TRUE(list) << list.error().message;
    return list ? *std::move(list) : PopularList{};
}

Days last_days(std::int64_t count) {
    return {.first = today - count + 1, .last = today};
}

void fill(RankedWorld& world, Random& random, std::int64_t days) {
    const std::uint64_t objects = random.below(60);
    // Many alike, or some much larger than others.
    const unsigned bits = 1 + static_cast<unsigned>(random.below(14));
    for (std::uint64_t object = 0; object < objects; ++object) {
        const std::string name = fmt::format("site{}/{}", random.below(8), object);
        for (std::int64_t day = today - days + 1; day <= today; ++day) {
            if (random.below(3) > 0) {
                const std::uint64_t most = std::uint64_t{1} << (1 + random.below(bits));
                world.set(name, day, random.below(most), 1 + random.below(3));
            }
        }
        if (random.below(3) == 0) {
            world.set(name, today, 1);
            world.cut(name, random.below(world.in_window(name) + 1));
        }
    }
}

/// Whatever the numbers, days, limits and sites: what is told as complete is what brute force says.
TEST(Popular, is_what_brute_force_says_in_a_thousand_worlds) {
    std::uint64_t complete = 0;
    std::uint64_t spared = 0;
    const std::uint64_t worlds = rounds(1000);
    for (std::uint64_t seed = 1; seed <= worlds; ++seed) {
        Random random{seed};
        RankedWorld world;
        const std::array<std::int64_t, 8> lengths{1, 1, 1, 2, 2, 2, 3, 8};
        const std::int64_t days = lengths[random.below(lengths.size())];
        fill(world, random, days);
        world.store.is_here = random.below(2) == 0;
        const PopularQuestion question{
            .by = views_by_people,
            .days = last_days(days),
            .limit = random.below(12),
            .least = 1 + random.below(3) * random.below(10),
            .per_site = random.below(2) * (1 + random.below(3)),
            .asked_most = random.below(4) == 0 ? 1 + random.below(20) : 1000,
        };
        const PopularList list = asked_of(world, question);
        EXPECT_LE(list.asked, question.asked_most);
        if (list.complete) {
            ++complete;
            spared += list.asked < world.brute({.limit = 1000}).size() ? 1 : 0;
            ASSERT_EQ(told(list), world.brute(question)) << "seed " << seed;
        } else {
            EXPECT_EQ(list.asked, question.asked_most);
        }
        // What was the highest class a moment ago, or any other, changes no answer.
        PopularQuestion again = question;
        again.asked_most = 1000;
        again.highest_class = static_cast<int>(random.below(9)) - 1;
        const PopularList hinted = asked_of(world, again);
        EXPECT_TRUE(hinted.complete);
        ASSERT_EQ(told(hinted), world.brute(again)) << "seed " << seed << ", hinted";
    }
    EXPECT_GT(complete, worlds / 2);
    EXPECT_GT(spared, worlds / 10) << "it asks for nearly all: the bound is not used";
}

TEST(Popular, asks_only_for_those_that_can_be_among_the_first) {
    RankedWorld world;
    for (int object = 0; object < 500; ++object) {
        world.set(fmt::format("small/{}", object), today, 3);
    }
    for (int object = 0; object < 10; ++object) {
        world.set(fmt::format("large/{}", object), today, 100);
    }
    const PopularQuestion question{.by = views_by_people, .days = last_days(1)};
    const PopularList list = asked_of(world, question);
    EXPECT_TRUE(list.complete);
    EXPECT_EQ(list.objects.size(), 10U);
    EXPECT_EQ(list.asked, 10U);
    EXPECT_EQ(list.highest_class, 3);
}

/// The bound of two days is twice that of one: two small days can be more than a large one.
TEST(Popular, does_not_overlook_who_is_middling_every_day) {
    RankedWorld world;
    for (std::int64_t day = today - 6; day <= today; ++day) {
        world.set("steady", day, 63);
    }
    world.set("once", today, 400);
    const PopularQuestion question{
        .by = views_by_people, .days = last_days(7), .limit = 1, .asked_most = 1000
    };
    EXPECT_EQ(told(asked_of(world, question)), std::vector<std::string>{"steady 441"});
}

/// A bound that is reached is not passed.
TEST(Popular, goes_on_where_an_equal_number_could_have_an_earlier_name) {
    RankedWorld world;
    world.set("b", today, 16);
    world.cut("b", 15);
    world.set("a", today, 15);
    const PopularQuestion question{.by = views_by_people, .days = last_days(1), .limit = 1};
    EXPECT_EQ(told(asked_of(world, question)), std::vector<std::string>{"a 15"});
}

TEST(Popular, says_when_too_many_are_alike) {
    RankedWorld world;
    for (int object = 0; object < 300; ++object) {
        world.set(fmt::format("o{}", object), today, 3);
    }
    PopularQuestion question{.by = views_by_people, .days = last_days(1), .asked_most = 200};
    PopularList list = asked_of(world, question);
    EXPECT_FALSE(list.complete);
    EXPECT_EQ(list.asked, 200U);
    EXPECT_EQ(list.objects.size(), 10U);
    question.asked_most = 300;
    list = asked_of(world, question);
    EXPECT_TRUE(list.complete);
    EXPECT_EQ(told(list), world.brute(question));
}

TEST(Popular, reads_on_where_a_lane_has_more_than_a_page) {
    for (const bool is_here : {false, true}) {
        RankedWorld world;
        world.store.is_here = is_here;
        std::size_t in_lane = 0;
        for (int object = 0; in_lane < 600; ++object) {
            const std::string name = fmt::format("o{}", object);
            if (RankedWorld::lane_of(name) == 7) {
                world.set(name, today, 4 + static_cast<std::uint64_t>(object) % 12);
                ++in_lane;
            }
        }
        const PopularQuestion question{.by = views_by_people, .days = last_days(1), .limit = 600};
        const PopularList list = asked_of(world, question);
        EXPECT_TRUE(list.complete);
        EXPECT_EQ(list.asked, 600U);
        EXPECT_EQ(told(list), world.brute(question));
    }
}

TEST(Popular, keeps_jobs_actions_sorts_and_days_apart) {
    RankedWorld world;
    world.set("here", today, 5);
    world.set("earlier", today - 1, 50);
    storage::Batch batch;
    for (const RankedBy& other : {
             RankedBy{.job = "reading", .action = "view", .sort = "people"},
             RankedBy{.job = "views", .action = "read", .sort = "people"},
             RankedBy{.job = "views", .action = "view", .sort = "views"},
         }) {
        append_rank_rows(other, {.object = "other", .lane = 1, .day = today}, 0, 1000, batch);
    }
    ASSERT_TRUE(storage::write_durably(world.memory, batch));
    const PopularQuestion question{.by = views_by_people, .days = last_days(1)};
    EXPECT_EQ(told(asked_of(world, question)), std::vector<std::string>{"here 5"});
}

TEST(Popular, of_an_empty_world_is_nothing_and_complete) {
    RankedWorld world;
    const PopularList list = asked_of(world, {.by = views_by_people, .days = last_days(31)});
    EXPECT_TRUE(list.complete);
    EXPECT_TRUE(list.objects.empty());
    EXPECT_EQ(list.highest_class, -1);
    // Six rounds of halving 32 classes and "none", 31 days each.
    EXPECT_LE(world.store.together, 6U * 31);
    EXPECT_GE(world.store.together, 5U * 31);
}

TEST(Popular, reads_the_lanes_of_a_day_at_once) {
    RankedWorld world;
    world.set("a", today, 20);
    const PopularList list =
        asked_of(world, {.by = views_by_people, .days = last_days(1), .limit = 1});
    EXPECT_EQ(list.objects.size(), 1U);
    EXPECT_EQ(world.store.ranges, 0U);
    EXPECT_LE(world.store.together, 7U);
    RankedWorld known;
    known.set("a", today, 20);
    (void
    )asked_of(known, {.by = views_by_people, .days = last_days(1), .limit = 1, .highest_class = 2});
    EXPECT_EQ(known.store.together, 1U);
}

TEST(Popular, fails_as_the_store_and_the_figures_do) {
    for (const bool is_here : {false, true}) {
        for (const std::size_t good : {std::size_t{0}, std::size_t{6}}) {
            RankedWorld world;
            world.set("a", today, 20);
            world.store.is_here = is_here;
            world.store.fail_after = good;
            const auto list = popular(
                world.store, {.by = views_by_people, .days = last_days(1)}, world.sources()
            );
            ASSERT_FALSE(list);
            EXPECT_EQ(list.error().kind, ErrorKind::unavailable);
        }
    }
    RankedWorld world;
    world.set("a", today, 20);
    PopularSources sources = world.sources();
    sources.figures = [](auto) -> Result<std::vector<std::uint64_t>> {
        return fail(ErrorKind::timed_out, "figures");
    };
    const auto list = popular(world.store, {.by = views_by_people, .days = last_days(1)}, sources);
    ASSERT_FALSE(list);
    EXPECT_EQ(list.error().kind, ErrorKind::timed_out);
}

TEST(Popular, stops_when_nobody_waits) {
    RankedWorld world;
    world.set("a", today, 20);
    std::stop_source stop;
    world.store.on_read = [&] { stop.request_stop(); };
    const auto list = popular(
        world.store,
        {.by = views_by_people, .days = last_days(31)},
        world.sources(),
        stop.get_token()
    );
    ASSERT_FALSE(list);
    EXPECT_EQ(list.error().kind, ErrorKind::cancelled);
    EXPECT_LE(world.store.together, 4U);
}

TEST(RankRows, stand_in_every_class_that_was_reached_and_are_written_once) {
    RankedWorld world;
    storage::Batch batch;
    const RankedObject object{.object = "a", .lane = 3, .day = today};
    append_rank_rows(views_by_people, object, 0, 0, batch);
    EXPECT_EQ(batch.size(), 0U);
    append_rank_rows(views_by_people, object, 0, 1, batch);
    EXPECT_EQ(batch.size(), 1U);
    append_rank_rows(views_by_people, object, 1, 3, batch);
    EXPECT_EQ(batch.size(), 1U) << "the same class";
    append_rank_rows(views_by_people, object, 3, 70, batch);
    EXPECT_EQ(batch.size(), 4U) << "classes 1, 2 and 3";
    append_rank_rows(views_by_people, object, 70, 5, batch);
    EXPECT_EQ(batch.size(), 4U) << "it shrank";
}

TEST(RankRows, may_be_reclaimed_once_no_window_begins_on_their_day) {
    RankedWorld world;
    world.set("a", today, 1);
    const auto after = [&](std::chrono::hours age) {
        world.clock.set(Instant{std::chrono::days{today}} + age);
        return world.memory.reclaim();
    };
    const Instant last_asked =
        Instant{std::chrono::days{today + 31}} - std::chrono::microseconds{1};
    EXPECT_EQ(days_of(windows.back(), last_asked).first, today);
    EXPECT_EQ(after(std::chrono::days{31}), 0U);
    EXPECT_EQ(after(std::chrono::days{32} + std::chrono::hours{1}), 1U);
}

TEST(SizeClass, is_the_logarithm_to_base_four) {
    EXPECT_TRUE(storage::check_table(rank_day_table));
    EXPECT_EQ(size_class_of(0), -1);
    EXPECT_EQ(size_class_of(1), 0);
    EXPECT_EQ(size_class_of(~std::uint64_t{0}), top_size_class);
    for (int each = 0; each < top_size_class; ++each) {
        EXPECT_EQ(size_class_of(most_in_class(each)), each);
        EXPECT_EQ(size_class_of(most_in_class(each) + 1), each + 1);
    }
    EXPECT_EQ(most_in_class(-1), 0U);
    EXPECT_EQ(most_in_class(top_size_class), ~std::uint64_t{0});
}

}  // namespace
}  // namespace footfall::rankings
