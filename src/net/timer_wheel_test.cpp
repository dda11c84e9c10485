#include "net/timer_wheel.h"

#include "foundation/random.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace footfall::net {
namespace {

using Entry = TimerWheel::Entry;

/// The entries that are due at the next tick.
std::vector<Entry*> tick(TimerWheel& wheel) {
    std::vector<Entry*> due;
    wheel.advance([&due](Entry& entry) { due.push_back(&entry); });
    return due;
}

/// How many ticks pass until `entry` is due; absent: more than `patience`.
std::optional<int> ticks_until(TimerWheel& wheel, const Entry& entry, int patience = 1000) {
    for (int ticks = 1; ticks <= patience; ++ticks) {
        for (const Entry* due : tick(wheel)) {
            if (due == &entry) {
                return ticks;
            }
        }
    }
    return std::nullopt;
}

TEST(TimerWheel, an_entry_is_due_once_after_its_full_ticks) {
    for (const int ticks : {0, 1, 5, 127, 128, 129, 500}) {
        TimerWheel wheel;
        Entry entry;
        wheel.set(entry, static_cast<std::uint64_t>(ticks));
        EXPECT_EQ(ticks_until(wheel, entry), ticks + 1);
        EXPECT_EQ(ticks_until(wheel, entry), std::nullopt);
    }
}

TEST(TimerWheel, the_last_deadline_counts_be_it_earlier_or_later) {
    TimerWheel wheel;
    Entry entry;
    wheel.set(entry, 10);
    wheel.set(entry, 3);
    EXPECT_EQ(ticks_until(wheel, entry), 4);
    wheel.set(entry, 3);
    tick(wheel);
    wheel.set(entry, 10);
    EXPECT_EQ(ticks_until(wheel, entry), 11);
}

TEST(TimerWheel, a_cleared_entry_is_not_due_until_it_is_set_again) {
    TimerWheel wheel;
    Entry entry;
    wheel.set(entry, 3);
    TimerWheel::clear(entry);
    EXPECT_EQ(ticks_until(wheel, entry, 300), std::nullopt);
    wheel.set(entry, 3);
    TimerWheel::clear(entry);
    wheel.set(entry, 4);
    EXPECT_EQ(ticks_until(wheel, entry), 5);
}

TEST(TimerWheel, who_is_due_may_set_itself_again_and_destroy_others) {
    TimerWheel wheel;
    Entry again;
    auto first = std::make_unique<Entry>();
    auto second = std::make_unique<Entry>();
    wheel.set(again, 0);
    wheel.set(*first, 0);
    wheel.set(*second, 0);
    int due = 0;
    wheel.advance([&](Entry& entry) {
        ++due;
        if (&entry == &again) {
            wheel.set(again, 127);  // the very bucket that is worked on
        } else {
            (&entry == first.get() ? second : first).reset();
        }
    });
    EXPECT_EQ(due, 2);
    EXPECT_EQ(ticks_until(wheel, again), 128);
}

TEST(TimerWheel, agrees_with_a_list_of_deadlines_whatever_is_done) {
    Random random{7};
    TimerWheel wheel;
    std::vector<Entry> entries(50);
    std::map<Entry*, std::uint64_t> deadlines;
    for (std::uint64_t now = 1; now < 5000; ++now) {
        for (int changes = 0; changes < 10; ++changes) {
            Entry& entry = entries[random.below(entries.size())];
            if (random.below(4) == 0) {
                TimerWheel::clear(entry);
                deadlines.erase(&entry);
            } else {
                const std::uint64_t ticks = random.below(300);
                wheel.set(entry, ticks);
                deadlines[&entry] = now + ticks;
            }
        }
        for (Entry* due : tick(wheel)) {
            ASSERT_TRUE(deadlines.contains(due));
            ASSERT_EQ(deadlines[due], now);
            deadlines.erase(due);
        }
        for (const auto& [entry, deadline] : deadlines) {
            ASSERT_GT(deadline, now);
        }
    }
}

}  // namespace
}  // namespace footfall::net
