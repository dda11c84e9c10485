// The cases D81 to D85 are what users of other programs complained about.

#include "rankings/score.h"

#include "rankings/test_trends.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <vector>

namespace footfall::rankings {
namespace {

/// An action: its candidates, and each new person, as the caller has them.
class Site {
public:
    explicit Site(TrendSettings settings = {}) : settings{settings}, candidates{settings} {}

    void see(const std::string& object, Instant time, int people = 1) {
        for (; people > 0; --people) {
            add(candidates, {.object = object, .time = time});
            people_[object].insert(time);
        }
    }

    TrendList list(Instant now, std::size_t limit = 10) {
        const TrendQuestions questions{
            .people = [&](std::span<const std::string_view> objects
                      ) -> Result<std::vector<std::uint64_t>> {
                std::vector<std::uint64_t> people;
                people.reserve(objects.size());
                for (const std::string_view object : objects) {
                    const auto& all = people_[std::string{object}];
                    people.push_back(static_cast<std::uint64_t>(
                        std::distance(all.upper_bound(now - 24h), all.upper_bound(now))
                    ));
                    ++asked;
                }
                return people;
            },
            .site = [](std::string_view object
                    ) { return std::string{object.substr(0, object.find('/'))}; },
        };
        auto made = trending(
            candidates.candidates(now, settings.least_fast),
            candidates.totals(now),
            settings,
            limit,
            questions
        );
        EXPECT_TRUE(made);
        return std::move(*made);
    }

    std::vector<std::string> names(Instant now, std::size_t limit = 10) {
        std::vector<std::string> names;
        for (const Trending& each : list(now, limit).objects) {
            names.push_back(each.object);
        }
        return names;
    }

    TrendSettings settings;
    TrendCandidates candidates;
    std::size_t asked = 0;

private:
    std::map<std::string, std::multiset<Instant>> people_;
};

using Names = std::vector<std::string>;

/// Twenty objects with a new person every ten minutes each, for so long until `end`.
void keep_busy(Site& site, Instant end, std::chrono::hours length) {
    for (int object = 0; object < 20; ++object) {
        for (Instant time = end - length + std::chrono::seconds{30 * object}; time < end;
             time += 10min) {
            site.see("calm" + std::to_string(object) + "/page", time);
        }
    }
}

TEST(Score, is_the_deviation_from_what_is_expected) {
    const TrendTotals totals{.fast = 100, .slow = 2000};
    EXPECT_DOUBLE_EQ(expected_fast(60, totals), 3);
    EXPECT_DOUBLE_EQ(trend_score(13, 3), 5);
    EXPECT_DOUBLE_EQ(trend_score(3, 3), 0);
    EXPECT_LT(trend_score(0, 3), 0);
    EXPECT_EQ(expected_fast(60, {}), 0) << "nothing at all happened";
}

TEST(Score, rises_with_the_fast_sum_and_falls_with_the_slow_one) {
    const TrendTotals totals{.fast = 100, .slow = 2000};
    for (double fast = 0; fast < 50; ++fast) {
        for (double slow = 0; slow < 500; slow += 10) {
            const double score = trend_score(fast, expected_fast(slow, totals));
            EXPECT_GT(trend_score(fast + 1, expected_fast(slow, totals)), score);
            EXPECT_LT(trend_score(fast, expected_fast(slow + 10, totals)), score);
        }
    }
}

TEST(Trending, shows_what_suddenly_has_new_people) {
    Site site;
    keep_busy(site, noon, 72h);
    EXPECT_EQ(site.names(noon), Names{});
    site.see("new/page", noon - 10min, 8);
    const TrendList list = site.list(noon);
    ASSERT_EQ(list.objects.size(), 1U);
    const Trending& shown = list.objects[0];
    EXPECT_EQ(shown.object, "new/page");
    EXPECT_EQ(shown.people, 8U);
    EXPECT_NEAR(shown.fast, 8 * std::exp2(-1.0 / 6), 0.02);
    EXPECT_DOUBLE_EQ(shown.score, trend_score(shown.fast, shown.expected));
    EXPECT_TRUE(list.complete);
}

TEST(Trending, d81_never_shows_what_is_years_old) {
    Site site;
    site.see("old/page", noon - std::chrono::days{800}, 5000);
    site.see("weeks/page", noon - std::chrono::days{21}, 5000);
    keep_busy(site, noon, 72h);
    site.settings.least_fast = 0;
    site.settings.least_score = 0.5;
    for (const std::string& name : site.names(noon, 100)) {
        EXPECT_FALSE(name.starts_with("old") || name.starts_with("weeks")) << name;
    }
}

TEST(Trending, d82_shows_no_more_than_three_of_one_busy_site) {
    Site site;
    keep_busy(site, noon, 72h);
    for (int page = 0; page < 10; ++page) {
        site.see("busy/" + std::to_string(page), noon, 100 + page);
    }
    site.see("small/page", noon, 10);
    EXPECT_EQ(site.names(noon), (Names{"busy/9", "busy/8", "busy/7", "small/page"}));
    site.settings.per_site = 1;
    EXPECT_EQ(site.names(noon), (Names{"busy/9", "small/page"}));
    site.settings.per_site = 0;
    EXPECT_EQ(site.names(noon, 100).size(), 11U);
}

TEST(Trending, d83_shows_again_what_had_come_down_to_nothing) {
    Site site;
    site.see("back/page", noon, 50);
    keep_busy(site, noon + 20 * 24h, 72h);
    const Instant later = noon + 20 * 24h;
    EXPECT_EQ(site.names(later), Names{});
    site.see("back/page", later, 8);
    EXPECT_EQ(site.names(later), Names{"back/page"});
    Site longer;
    longer.see("back/page", noon, 50);
    keep_busy(longer, noon + std::chrono::days{400}, 72h);
    longer.see("back/page", noon + std::chrono::days{400}, 8);
    EXPECT_EQ(longer.names(noon + std::chrono::days{400}), Names{"back/page"});
}

TEST(Trending, d84_shows_nothing_that_one_or_two_people_saw) {
    Site site;
    keep_busy(site, noon, 72h);
    site.see("one/page", noon, 1);
    site.see("two/page", noon, 2);
    site.see("four/page", noon, 4);
    EXPECT_EQ(site.names(noon), Names{}) << "four are more than 3 of fast sum, but fewer than 5";
    site.see("four/page", noon, 1);
    EXPECT_EQ(site.names(noon), Names{"four/page"});
}

TEST(Trending, d85_can_be_tuned_in_everything) {
    const auto shown = [](TrendSettings settings) {
        Site site{settings};
        keep_busy(site, noon, 72h);
        site.see("a/1", noon - 30min, 12);
        site.see("a/2", noon - 30min, 9);
        return site.names(noon);
    };
    EXPECT_EQ(shown({}), (Names{"a/1", "a/2"}));
    EXPECT_EQ(shown({.fast_half_life = 10min}), Names{}) << "half an hour is an eighth then";
    EXPECT_EQ(shown({.slow_half_life = 1h}), Names{}) << "nothing is above what is slow, too";
    EXPECT_EQ(shown({.least_fast = 8}), Names{"a/1"});
    EXPECT_EQ(shown({.least_people = 10}), Names{"a/1"});
    EXPECT_EQ(shown({.least_score = 6}), Names{"a/1"});
    EXPECT_EQ(shown({.per_site = 1}), Names{"a/1"});
    EXPECT_EQ(shown({.counters = 1, .names_bytes = 8 << 10}), Names{}) << "all may be error then";
}

TEST(Trending, settings_that_cannot_be_are_named) {
    EXPECT_TRUE(check_trend_settings({}));
    EXPECT_TRUE(check_trend_settings({.counters = 26'212, .names_bytes = 8192}));
    for (const TrendSettings& wrong : std::vector<TrendSettings>{
             {.fast_half_life = 59s},
             {.slow_half_life = std::chrono::days{367}},
             {.fast_half_life = 25h},
             {.least_fast = -1},
             {.least_fast = std::nan("")},
             {.least_score = INFINITY},
             {.counters = 0},
             {.counters = 26'213},
             {.names_bytes = 8191},
         }) {
        const auto checked = check_trend_settings(wrong);
        ASSERT_FALSE(checked);
        EXPECT_EQ(checked.error().kind, ErrorKind::invalid_input);
        EXPECT_TRUE(checked.error().message.starts_with("trending: "));
    }
}

/// Objects of constant popularity under a wave that is five times as high at its top as at its
/// bottom. People come evenly: how much of chance passes for a trend is what least_score is for.
TEST(Trending, a_daily_wave_over_constant_objects_trends_nothing) {
    Site site;
    const auto rate = [](Instant time) {
        const double day = std::chrono::duration<double, std::ratio<86400>>(time - noon).count();
        return 3 + 2 * std::sin(2 * std::numbers::pi * day);
    };
    const std::vector<double> popularity{200, 100, 50, 30, 20, 10, 5, 3, 2, 1};
    std::vector<double> due(popularity.size(), 0);
    for (int minute = 0; minute < 5 * 24 * 60; ++minute) {
        const Instant time = noon + std::chrono::minutes{minute};
        for (std::size_t object = 0; object < popularity.size(); ++object) {
            due[object] += popularity[object] * rate(time) / 60;
            for (; due[object] >= 1; --due[object]) {
                site.see("page" + std::to_string(object) + "/", time);
            }
        }
        if (minute % 20 == 0) {
            ASSERT_EQ(site.names(time), Names{}) << minute << " minutes after the start";
        }
    }
    site.see("new/page", noon + 5 * 24h, 20);
    EXPECT_EQ(site.names(noon + 5 * 24h), Names{"new/page"}) << "and yet it is not blind";
}

/// That a reload is no new person is for the caller to see; then nothing is added here.
TEST(Trending, asks_for_the_people_of_no_more_than_could_be_shown) {
    Site site;
    for (int page = 0; page < 50; ++page) {
        site.see("site" + std::to_string(page) + "/", noon, 10 + page);
    }
    keep_busy(site, noon, 72h);
    EXPECT_EQ(site.names(noon, 10).size(), 10U);
    EXPECT_EQ(site.asked, 10U);
    site.settings.least_people = 1000;
    site.settings.asked_most = 25;
    site.asked = 0;
    const TrendList list = site.list(noon, 10);
    EXPECT_EQ(site.asked, 25U);
    EXPECT_TRUE(list.objects.empty());
    EXPECT_FALSE(list.complete);
}

TEST(Trending, of_equal_scores_goes_by_name) {
    Site site;
    for (const char* name : {"c/", "a/", "b/"}) {
        site.see(name, noon, 10);
    }
    keep_busy(site, noon, 72h);
    EXPECT_EQ(site.names(noon), (Names{"a/", "b/", "c/"}));
}

TEST(Trending, leaves_out_candidates_below_the_floor_whoever_gathered_them) {
    const std::vector<TrendCandidate> gathered{
        {.object = "below", .fast = 2.9, .slow = 3}, {.object = "at", .fast = 3, .slow = 3}
    };
    const auto list = trending(
        gathered,
        {.fast = 1, .slow = 1000},
        {.per_site = 0},
        10,
        {.people = [](auto objects) -> Result<std::vector<std::uint64_t>> {
             return std::vector<std::uint64_t>(objects.size(), 100);
         },
         .site = {}}
    );
    ASSERT_TRUE(list);
    ASSERT_EQ(list->objects.size(), 1U);
    EXPECT_EQ(list->objects[0].object, "at");
}

TEST(Trending, fails_as_the_question_for_people_does) {
    const TrendCandidate candidate{.object = "a", .fast = 10, .slow = 10};
    const auto list = trending(
        {&candidate, 1},
        {.fast = 100, .slow = 2000},
        {},
        10,
        {.people = [](auto) -> Result<std::vector<std::uint64_t>> {
             return fail(ErrorKind::timed_out, "people");
         },
         .site = [](std::string_view object) { return std::string{object}; }}
    );
    ASSERT_FALSE(list);
    EXPECT_EQ(list.error().kind, ErrorKind::timed_out);
}

}  // namespace
}  // namespace footfall::rankings
