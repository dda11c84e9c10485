#include "storage_testing/lost_writes.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <optional>
#include <thread>
#include <utility>

namespace footfall::storage {
namespace {

void expect_told_in_order_until_each_ends(Store& store, const std::function<void()>& lose) {
    std::vector<int> told;
    const auto tell = [&](int number) { return [&told, number] { told.push_back(number); }; };
    Subscription first = store.on_lost_writes(tell(1));
    std::optional<Subscription> second{store.on_lost_writes(tell(2))};
    {
        const Subscription short_lived = store.on_lost_writes(tell(3));
    }
    Subscription fourth = store.on_lost_writes(tell(4));
    lose();
    EXPECT_EQ(told, (std::vector{1, 2, 4})) << "the third had ended before anything was lost";

    told.clear();
    const Subscription moved = std::move(first);
    second.reset();
    fourth = store.on_lost_writes(tell(5));
    lose();
    EXPECT_EQ(told, (std::vector{1, 5})) << "one was moved, one destroyed, one replaced";
}

/// Whoever ends a subscription may destroy what its handler uses right afterwards.
void expect_the_end_to_wait_for_a_call(Store& store, const std::function<void()>& lose) {
    std::latch called{1};
    std::latch ending{1};
    std::atomic<bool> returned = false;
    Subscription subscription = store.on_lost_writes([&] {
        called.count_down();
        ending.wait();
        for (int turn = 0; turn < 1000; ++turn) {
            std::this_thread::yield();  // the end has every chance to come too early
        }
        returned = true;
    });
    const std::jthread loser{lose};
    called.wait();
    ending.count_down();
    subscription.end();
    EXPECT_TRUE(returned) << "the end came while the handler ran";
    subscription.end();
}

}  // namespace

void expect_told_until_the_end(Store& store, const std::function<void()>& lose) {
    expect_told_in_order_until_each_ends(store, lose);
    expect_the_end_to_wait_for_a_call(store, lose);
}

}  // namespace footfall::storage
