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

TEST(Repeat, within_a_window_of_a_counted_event_is_one_on_either_side) {
    RepeatJudge judge{{}, 1 << 20};
    EXPECT_EQ(judge.judge(1, at(10h)), RepeatFinding{});
    judge.counted(1, at(10h));
    EXPECT_EQ(judge.judge(1, at(10h)), (RepeatFinding{Repeat::fast, at(10h)}));
    EXPECT_EQ(judge.judge(1, at(10h + 30s - 1us)), (RepeatFinding{Repeat::fast, at(10h)}));
    EXPECT_EQ(judge.judge(1, at(10h + 30s)), (RepeatFinding{Repeat::slow, at(10h)}));
    EXPECT_EQ(judge.judge(1, at(11h - 1us)), (RepeatFinding{Repeat::slow, at(10h)}));
    EXPECT_EQ(judge.judge(1, at(11h)), RepeatFinding{});
    EXPECT_EQ(judge.judge(2, at(10h)), RepeatFinding{}) << "somebody else";
}

TEST(Repeat, of_what_is_late_memory_says_nothing) {
    RepeatJudge judge{{}, 1 << 20};
    judge.counted(1, at(10h));
    EXPECT_EQ(judge.judge(1, at(10h - 1us)), std::nullopt);
    EXPECT_EQ(judge.judge(1, at(1h)), std::nullopt);
    const std::vector counted{at(8h), at(10h)};
    EXPECT_EQ(judge.judge(counted, at(10h - 10s)), (RepeatFinding{Repeat::fast, at(10h)}));
    EXPECT_EQ(judge.judge(counted, at(9h)), RepeatFinding{});
    EXPECT_EQ(judge.judge(counted, at(8h + 10min)), (RepeatFinding{Repeat::slow, at(8h)}));
    const std::vector around{at(9h + 10min), at(8h + 50min)};
    EXPECT_EQ(judge.judge(around, at(9h)), (RepeatFinding{Repeat::slow, at(8h + 50min)}))
        << "of two as near the earlier";
    EXPECT_EQ(judge.judge(std::vector<Instant>{}, at(9h)), RepeatFinding{});
}

TEST(Repeat, windows_can_be_switched_off) {
    RepeatJudge fast_only{{.slow = 0s}, 1 << 20};
    fast_only.counted(1, at(10h));
    EXPECT_EQ(fast_only.judge(1, at(10h + 29s)), (RepeatFinding{Repeat::fast, at(10h)}));
    EXPECT_EQ(fast_only.judge(1, at(10h + 30s)), RepeatFinding{});
    RepeatJudge slow_only{{.fast = 0s}, 1 << 20};
    slow_only.counted(1, at(10h));
    EXPECT_EQ(slow_only.judge(1, at(10h + 29s)), (RepeatFinding{Repeat::slow, at(10h)}));
}

/// The definition, event by event.
class BruteForce {
public:
    explicit BruteForce(RepeatWindows windows) : windows_{windows} {}

    /// Counted times of the key that are less than the reach away.
    std::vector<Instant> near(std::uint64_t key, Instant time) const {
        std::vector<Instant> near;
        if (const auto found = counted_.find(key); found != counted_.end()) {
            std::ranges::copy_if(found->second, std::back_inserter(near), [&](Instant each) {
                return std::chrono::abs(each - time) < windows_.reach();
            });
        }
        return near;
    }

    RepeatFinding judge(std::uint64_t key, Instant time) {
        RepeatFinding found;
        auto nearest = windows_.reach();
        for (const Instant each : near(key, time)) {
            const auto apart = std::chrono::abs(each - time);
            if (apart < nearest || (apart == nearest && each < found.nearest)) {
                nearest = apart;
                found = {apart < windows_.fast ? Repeat::fast : Repeat::slow, each};
            }
        }
        if (found.repeat == Repeat::none) {
            counted_[key].push_back(time);
        }
        return found;
    }

private:
    RepeatWindows windows_;
    std::map<std::uint64_t, std::vector<Instant>> counted_;
};

/// Events out of order, with so little memory that most is forgotten: every verdict is that of the
/// definition, and who comes in order is hardly ever looked up.
TEST(Repeat, judges_as_the_definition_does_whatever_is_forgotten) {
    const RepeatWindows windows{.fast = 5us, .slow = 100us};
    BruteForce brute{windows};
    RepeatJudge judge{windows, 4 << 10};  // for two thirds of the keys
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
        const std::vector<Instant> past = brute.near(key, time);
        const RepeatFinding wanted = brute.judge(key, time);
        std::optional<RepeatFinding> found = judge.judge(key, time);
        late += is_late ? 1 : 0;
        if (!found) {
            ++looked_up;
            found = judge.judge(past, time);
        }
        ASSERT_EQ(*found, wanted) << "step " << step;
        if (wanted.repeat == Repeat::none) {
            judge.counted(key, time);
        } else {
            ++repeats;
        }
    }
    EXPECT_GT(repeats, 20'000);
    EXPECT_GT(looked_up, late / 2);
    EXPECT_LT(looked_up, late + late / 10) << "those in order need memory alone";
    EXPECT_LE(judge.bytes(), 4U << 10);
}

}  // namespace
}  // namespace footfall::guard
