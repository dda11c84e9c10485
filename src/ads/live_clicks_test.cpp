#include "ads/live_clicks.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace footfall::ads {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t begin = 1'790'000'000;

constexpr Instant at(std::int64_t second) {
    return Instant{std::chrono::seconds{second}} + 400ms;
}

events::JudgedEvent click(const std::string& ad, const std::string& reseller, bool counted = true) {
    events::JudgedEvent judged{
        .event = {.action = "click", .object = "/page", .reseller = reseller, .ad = ad}
    };
    if (!counted) {
        judged.verdict.refusal.emplace().reason = "repeat";
    }
    return judged;
}

/// What came, click by click.
class Story {
public:
    struct Told {
        std::int64_t second;
        std::string ad;
        std::string reseller;
        bool counted;
    };

    void add(Told told) { told_.push_back(std::move(told)); }

    std::vector<ClickSecond> between(
        const LiveClicks::Asked& asked, std::int64_t from, std::int64_t before
    ) const {
        std::map<std::int64_t, ClickSecond> seconds;
        for (const Told& each : told_) {
            if (each.second >= from && each.second < before &&
                (asked.ad.empty() || each.ad == asked.ad) &&
                (asked.reseller.empty() || each.reseller == asked.reseller)) {
                ClickSecond& second = seconds[each.second];
                second.second = each.second;
                ++(each.counted ? second.counted : second.refused);
            }
        }
        std::vector<ClickSecond> found;
        found.reserve(seconds.size());
        for (const auto& [number, second] : seconds) {
            found.push_back(second);
        }
        return found;
    }

private:
    std::vector<Told> told_;
};

class LiveClicksTest : public testing::Test {
protected:
    void note(
        std::int64_t second, const std::string& ad, const std::string& reseller, bool counted
    ) {
        clicks_.note(click(ad, reseller, counted), at(second));
        story_.add({.second = second, .ad = ad, .reseller = reseller, .counted = counted});
    }

    LiveClicks clicks_{{.k0 = 1, .k1 = 2}};
    Story story_;
};

TEST_F(LiveClicksTest, tells_of_all_of_an_ad_of_a_reseller_and_of_both_what_came) {
    std::mt19937_64 random{7};
    std::int64_t second = begin;
    for (int event = 0; event < 60'000; ++event) {
        second += random() % (event < 20'000 ? 8 : 400) == 0 ? 1 : 0;
        note(
            second,
            fmt::format("ad {}", random() % 4),
            fmt::format("r{}", random() % 300),
            random() % 5 != 0
        );
    }
    const std::int64_t from = second - 1500;
    const auto expect_the_story = [&](const LiveClicks::Asked& asked) {
        EXPECT_EQ(clicks_.between(asked, from, second), story_.between(asked, from, second));
        EXPECT_EQ(
            clicks_.between(asked, second - 10'000, second + 1),
            story_.between(asked, second + 1 - 3600, second + 1)
        ) << "an hour";
    };
    expect_the_story({});
    expect_the_story({.ad = "ad 3"});
    expect_the_story({.ad = "ad 3", .reseller = "r7"});
    for (int reseller = 0; reseller < 20; ++reseller) {
        const std::string name = fmt::format("r{}", reseller);
        expect_the_story({.reseller = name});
    }
    EXPECT_THAT(clicks_.between({.ad = "r7"}, from, second), IsEmpty());
    EXPECT_THAT(clicks_.between({.ad = "ad 3", .reseller = "r"}, from, second), IsEmpty());
}

TEST_F(LiveClicksTest, an_ad_that_is_not_named_is_the_object) {
    clicks_.note(click("", "r"), at(begin));
    EXPECT_THAT(
        clicks_.between({.ad = "/page"}, begin, begin + 1), ElementsAre(ClickSecond{begin, 1, 0})
    );
}

TEST_F(LiveClicksTest, are_of_the_ledger) {
    events::JudgedEvent sale = click("a", "r");
    sale.event.action = "sale";
    clicks_.note(sale, at(begin));
    clicks_.note(click("", ""), at(begin));
    EXPECT_THAT(clicks_.between({}, begin, begin + 1), IsEmpty());
}

/// More names than there are cells: sums are whole or absent, and the latest are there.
TEST_F(LiveClicksTest, the_oldest_leave_first_and_never_a_part_of_a_second) {
    constexpr std::int64_t seconds = 100;
    constexpr int names = 2500;
    for (std::int64_t second = begin; second < begin + seconds; ++second) {
        for (int name = 0; name < names; ++name) {
            clicks_.note(click("a", fmt::format("r{}", name)), at(second));
        }
    }
    const auto told = clicks_.between({.ad = "a"}, begin, begin + seconds);
    constexpr std::size_t least = (LiveClicks::bytes - (LiveClicks::bytes / 16)) / 24 / names;
    ASSERT_GE(told.size(), least);
    ASSERT_LT(told.size(), static_cast<std::size_t>(seconds));
    EXPECT_EQ(told.back().second, begin + seconds - 1);
    EXPECT_TRUE(std::ranges::all_of(told, [](const ClickSecond& each) {
        return each.counted == names;
    })) << told.front().counted;
    EXPECT_EQ(clicks_.between({.reseller = "r1"}, begin, begin + seconds).size(), told.size());
    const auto all = clicks_.between({}, begin, begin + seconds);
    EXPECT_EQ(all.size(), static_cast<std::size_t>(seconds)) << "of all nothing leaves";
    EXPECT_EQ(all.front().counted, static_cast<std::uint64_t>(names));
}

TEST_F(LiveClicksTest, a_second_may_have_more_clicks_than_a_cell_holds) {
    constexpr std::uint64_t many = 150'000;
    for (std::uint64_t each = 0; each < many; ++each) {
        clicks_.note(click("a", "r", each % 2 == 0), at(begin));
    }
    EXPECT_THAT(
        clicks_.between({.ad = "a", .reseller = "r"}, begin, begin + 1),
        ElementsAre(ClickSecond{begin, many / 2, many / 2})
    );
}

TEST_F(LiveClicksTest, what_was_told_of_a_second_stays_true) {
    clicks_.note(click("a", "r"), at(begin));
    EXPECT_THAT(
        clicks_.between({.ad = "a"}, begin, begin + 1), ElementsAre(ClickSecond{begin, 1, 0})
    );
    clicks_.note(click("a", "r"), at(begin));
    for (const LiveClicks::Asked& asked : std::vector<LiveClicks::Asked>{{}, {.ad = "a"}}) {
        EXPECT_THAT(
            clicks_.between(asked, begin, begin + 2),
            ElementsAre(ClickSecond{begin, 1, 0}, ClickSecond{begin + 1, 1, 0})
        );
    }
}

TEST_F(LiveClicksTest, a_clock_that_was_set_back_takes_the_seconds_that_it_was_ahead_with_it) {
    constexpr std::int64_t ahead = begin + 3000;
    clicks_.note(click("a", "r"), at(begin));
    clicks_.note(click("a", "r"), at(ahead));
    clicks_.between({}, begin, ahead + 1);
    clicks_.note(click("b", "r"), at(begin + 1));
    clicks_.note(click("a", "r"), at(begin + 1));
    for (const LiveClicks::Asked& asked : std::vector<LiveClicks::Asked>{{}, {.reseller = "r"}}) {
        EXPECT_THAT(
            clicks_.between(asked, begin, begin + 3500),
            ElementsAre(ClickSecond{begin, 1, 0}, ClickSecond{begin + 1, 2, 0})
        );
    }
}

TEST_F(
    LiveClicksTest, after_a_clock_was_set_back_seconds_are_told_whose_cells_had_left_ahead_of_it
) {
    for (int name = 0; name < 200'000; ++name) {
        clicks_.note(click("a", std::to_string(name)), at(begin + 3000));
    }
    EXPECT_THAT(clicks_.between({.ad = "a"}, begin, begin + 3001), IsEmpty());
    clicks_.note(click("a", "r"), at(begin));
    EXPECT_THAT(
        clicks_.between({.ad = "a"}, begin, begin + 1), ElementsAre(ClickSecond{begin, 1, 0})
    );
}

TEST_F(LiveClicksTest, what_happened_more_than_an_hour_before_it_came_is_not_live) {
    events::JudgedEvent judged = click("a", "r");
    judged.arrival = at(begin);
    judged.event.time = at(begin - LiveClicks::kept_seconds);
    clicks_.note(judged, at(begin));
    judged.event.time -= 1us;
    clicks_.note(judged, at(begin));
    EXPECT_THAT(clicks_.between({}, begin, begin + 1), ElementsAre(ClickSecond{begin, 1, 0}));
}

TEST_F(LiveClicksTest, what_is_read_again_is_not_live) {
    events::JudgedEvent judged = click("a", "r");
    judged.event.time = judged.arrival = at(begin);
    clicks_.note_new(judged, at(begin));
    clicks_.read_again(at(begin + 1));
    clicks_.note_new(judged, at(begin + 2));
    judged.event.time = judged.arrival = at(begin + 2);
    clicks_.note_new(judged, at(begin + 2));
    EXPECT_THAT(
        clicks_.between({}, begin, begin + 3),
        ElementsAre(ClickSecond{begin, 1, 0}, ClickSecond{begin + 2, 1, 0})
    );

    clicks_.read_again(at(begin + 9000));
    judged.event.time = judged.arrival = at(begin + 3);
    clicks_.note_new(judged, at(begin + 3));
    EXPECT_THAT(
        clicks_.between({}, begin + 3, begin + 4), ElementsAre(ClickSecond{begin + 3, 1, 0})
    ) << "the clock was ahead when records were read again";
}

std::uint64_t counted(const std::vector<ClickSecond>& seconds) {
    std::uint64_t sum = 0;
    for (const ClickSecond& each : seconds) {
        sum += each.counted;
    }
    return sum;
}

/// Whoever reads each second as it closes gets every click once.
TEST_F(LiveClicksTest, are_told_while_they_come) {
    constexpr int writers = 3;
    constexpr int each = 60'000;
    std::atomic<std::int64_t> now = begin;
    std::atomic<int> noted = 0;
    std::vector<std::jthread> threads;
    threads.reserve(writers);
    for (int writer = 0; writer < writers; ++writer) {
        threads.emplace_back([&, writer] {
            for (int event = 0; event < each; ++event, ++noted) {
                clicks_.note(
                    click(fmt::format("ad {}", writer), fmt::format("r{}", event % 100)),
                    at(now.load())
                );
            }
        });
    }
    // No more of them, or a writer that was late would look like a clock that was set back.
    constexpr int seconds = 5;
    std::uint64_t all = 0;
    std::uint64_t of_one = 0;
    for (int second = 0; second < seconds; ++second) {
        while (noted < writers * each / (seconds + 1) * (second + 1)) {
            std::this_thread::yield();
        }
        now = begin + second + 1;
        all += counted(clicks_.between({}, begin + second, now));
        of_one += counted(clicks_.between({.ad = "ad 1"}, begin + second, now));
    }
    threads.clear();
    all += counted(clicks_.between({}, now, now + 1));
    of_one += counted(clicks_.between({.ad = "ad 1"}, now, now + 1));
    EXPECT_EQ(all, static_cast<std::uint64_t>(writers) * each);
    EXPECT_EQ(of_one, static_cast<std::uint64_t>(each));
}

}  // namespace
}  // namespace footfall::ads
