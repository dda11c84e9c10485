#include "guard/repeat.h"

#include "foundation/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace footfall::guard {
namespace {

using namespace std::chrono_literals;

Instant at(std::chrono::microseconds time) {
    return Instant{time};
}

NearestCounted none() {
    return {};
}

NearestCounted is_at(std::chrono::microseconds time) {
    return {.nearest = at(time)};
}

const std::vector<Instant> no_more;

TEST(Repeat, nearest_is_what_was_counted_less_than_the_reach_before) {
    RepeatJudge judge{1h, 1 << 20};
    EXPECT_EQ(judge.judge(1, at(10h), no_more), none());
    judge.counted(1, at(10h), at(10h));
    EXPECT_EQ(judge.judge(1, at(10h), no_more), is_at(10h));
    EXPECT_EQ(judge.judge(1, at(11h - 1us), no_more), is_at(10h));
    EXPECT_EQ(judge.judge(1, at(11h), no_more), none());
    EXPECT_EQ(judge.judge(2, at(10h), no_more), none()) << "somebody else";
}

TEST(Repeat, what_was_counted_a_moment_ago_stands_beside_memory) {
    RepeatJudge judge{1h, 1 << 20};
    EXPECT_EQ(judge.judge(1, at(10h), std::vector{at(9h + 5min)}), is_at(9h + 5min));
    judge.counted(1, at(10h), at(10h));
    const std::vector young{at(10h + 5min), at(10h + 9min), at(10h + 2min)};
    EXPECT_EQ(judge.judge(1, at(10h + 9min), young), is_at(10h + 9min));
    EXPECT_EQ(judge.judge(1, at(10h + 20min), young), is_at(10h + 9min));
    EXPECT_EQ(judge.judge(1, at(10h + 8min), young), std::nullopt);
    EXPECT_EQ(judge.judge(1, at(10h + 8min), std::vector{at(9h)}), is_at(10h));
}

TEST(Repeat, of_what_is_late_memory_says_nothing) {
    RepeatJudge judge{1h, 1 << 20};
    judge.counted(1, at(10h), at(10h));
    EXPECT_EQ(judge.judge(1, at(10h - 1us), no_more), std::nullopt);
    EXPECT_EQ(judge.judge(1, at(1h), no_more), std::nullopt);
    const std::vector counted{at(8h), at(10h)};
    EXPECT_EQ(judge.nearest(counted, at(10h - 10s)), is_at(10h));
    EXPECT_EQ(judge.nearest(counted, at(9h)), none());
    EXPECT_EQ(judge.nearest(counted, at(8h + 10min)), is_at(8h));
    const std::vector around{at(9h + 10min), at(8h + 50min)};
    EXPECT_EQ(judge.nearest(around, at(9h)), is_at(8h + 50min)) << "of two as near the earlier";
    EXPECT_EQ(judge.nearest(no_more, at(9h)), none());
}

TEST(Repeat, where_memory_begins_it_says_nothing_either) {
    RepeatJudge judge{1h, 1 << 20};
    judge.forgotten(at(10h));
    judge.forgotten(at(9h));
    EXPECT_EQ(judge.judge(1, at(11h - 1us), no_more), std::nullopt);
    EXPECT_EQ(judge.judge(1, at(11h), no_more), none());
    judge.counted(1, at(10h + 30min), at(10h + 30min));
    EXPECT_EQ(judge.judge(1, at(10h + 40min), no_more), std::nullopt)
        << "there may be one between 10:30 and 10:40 as well";
    EXPECT_EQ(judge.judge(1, at(11h), no_more), is_at(10h + 30min));
}

/// The definition, event by event.
class BruteForce {
public:
    BruteForce(std::chrono::microseconds reach, std::chrono::microseconds window)
        : reach_{reach}, window_{window} {}

    /// Counted times of the key that are less than the reach away.
    std::vector<Instant> near(std::uint64_t key, Instant time) const {
        std::vector<Instant> near;
        if (const auto found = counted_.find(key); found != counted_.end()) {
            std::ranges::copy_if(found->second, std::back_inserter(near), [&](Instant each) {
                return std::chrono::abs(each - time) < reach_;
            });
        }
        return near;
    }

    NearestCounted nearest(std::uint64_t key, Instant time) const {
        NearestCounted found;
        for (const Instant each : near(key, time)) {
            const auto apart = std::chrono::abs(each - time);
            const auto nearest = found.nearest ? std::chrono::abs(*found.nearest - time) : reach_;
            if (apart < nearest || (apart == nearest && each < found.nearest)) {
                found.nearest = each;
            }
        }
        return found;
    }

    /// Whether an event is a repeat; if not it is counted.
    bool is_repeat(std::uint64_t key, Instant time) {
        const NearestCounted found = nearest(key, time);
        const bool is = found.nearest && std::chrono::abs(*found.nearest - time) < window_;
        if (!is) {
            counted_[key].push_back(time);
        }
        return is;
    }

private:
    std::chrono::microseconds reach_;
    std::chrono::microseconds window_;
    std::map<std::uint64_t, std::vector<Instant>> counted_;
};

/// Events out of order, with so little memory that most is forgotten, told of in chunks: every
/// answer is that of the definition, and who comes in order is hardly ever looked up.
TEST(Repeat, finds_as_the_definition_does_whatever_is_forgotten) {
    BruteForce brute{100us, 60us};
    RepeatJudge judge{100us, 8 << 10};  // half of it for two thirds of the keys
    std::map<std::uint64_t, std::vector<Instant>> young;
    Random random{11};
    int repeats = 0;
    int late = 0;
    int looked_up = 0;
    for (std::int64_t step = 0; step < 200'000; ++step) {
        const std::uint64_t key = random.below(300) * 0x9e3779b97f4a7c15;
        const bool is_late = random.below(10) == 0;
        const std::int64_t behind = is_late ? static_cast<std::int64_t>(random.below(2000)) : 0;
        const Instant time =
            at(std::chrono::microseconds{std::max<std::int64_t>(step - behind, 0)});
        std::optional<NearestCounted> found = judge.judge(key, time, young[key]);
        late += is_late ? 1 : 0;
        if (!found) {
            ++looked_up;
            found = judge.nearest(brute.near(key, time), time);
        }
        ASSERT_EQ(*found, brute.nearest(key, time)) << "step " << step;
        if (brute.is_repeat(key, time)) {
            ++repeats;
        } else {
            young[key].push_back(time);
        }
        if (random.below(20) == 0) {
            for (const auto& [each, times] : young) {
                std::ranges::for_each(times, [&](Instant told) {
                    judge.counted(each, told, told);
                });
            }
            young.clear();
        }
        ASSERT_EQ(judge.bytes(), judge.recount());
    }
    EXPECT_GT(repeats, 20'000);
    EXPECT_GT(looked_up, late / 2);
    EXPECT_LT(looked_up, late + late / 10) << "those in order need memory alone";
    EXPECT_LE(judge.bytes(), 8U << 10);
}

TEST(Repeat, an_event_of_a_clock_that_was_ahead_makes_nobody_forgotten) {
    RepeatJudge judge{1h, 1 << 20};
    judge.counted(1, at(240h), at(240h));
    for (std::uint64_t key = 2; key < 2000; ++key) {
        judge.counted(key, at(10h), at(10h));
    }
    for (std::uint64_t key = 2; key < 2000; ++key) {
        ASSERT_EQ(judge.judge(key, at(10h + 30min), no_more), is_at(10h)) << key;
        ASSERT_EQ(judge.judge(key + 2000, at(10h + 30min), no_more), none()) << key;
    }
    EXPECT_EQ(judge.judge(1, at(10h), no_more), std::nullopt);
    EXPECT_EQ(judge.judge(1, at(240h), no_more), is_at(240h));
}

/// More people within the reach than memory has times for: those who come for the first time, or
/// were forgotten, and nobody else.
TEST(Repeat, looks_up_who_was_forgotten_and_hardly_anybody_new) {
    constexpr int known = 3000;
    constexpr int newcomers = 3000;
    RepeatJudge judge{1h, 16 << 10};  // times of 400, names of 5,000
    Random random{12};
    std::vector<std::uint64_t> keys;
    for (int key = 0; key < known; ++key) {
        keys.push_back(random());
        const Instant time = at(std::chrono::microseconds{key});
        judge.counted(keys.back(), time, time);
        ASSERT_EQ(judge.bytes(), judge.recount());
    }
    const Instant now = at(10ms);
    int answered = 0;
    for (const std::uint64_t key : keys) {
        if (const auto found = judge.judge(key, now, no_more)) {
            ++answered;
            EXPECT_TRUE(found->nearest);
        }
    }
    EXPECT_GT(answered, 300);
    int looked_up = 0;
    for (int newcomer = 0; newcomer < newcomers; ++newcomer) {
        const auto found = judge.judge(random(), now, no_more);
        looked_up += found ? 0 : 1;
        EXPECT_EQ(found.value_or(none()), none());
    }
    EXPECT_LT(looked_up, newcomers / 50);
    EXPECT_LE(judge.bytes(), 16U << 10);
}

}  // namespace
}  // namespace footfall::guard
