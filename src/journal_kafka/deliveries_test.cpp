#include "journal_kafka/deliveries.h"

#include "foundation/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <vector>

namespace footfall::journal_kafka {
namespace {

using storage::CommitPosition;

constexpr Deliveries::Limits wide{.records = 1'000'000, .bytes = 1 << 30};
constexpr Deliveries::Moment now{};

TEST(Deliveries, are_durable_in_the_order_of_positions) {
    Deliveries deliveries{3, wide};
    const CommitPosition first = deliveries.send(0, 2, 20, now).value();
    const CommitPosition second = deliveries.send(1, 1, 10, now).value();
    const CommitPosition third = deliveries.send(0, 1, 10, now).value();
    EXPECT_LT(first, second);
    EXPECT_LT(second, third);
    ASSERT_TRUE(deliveries.deliver(1, 7, 10));
    EXPECT_FALSE(deliveries.durable(second));
    ASSERT_TRUE(deliveries.deliver(0, 3, 10));
    EXPECT_FALSE(deliveries.durable(first)) << "half of it";
    ASSERT_TRUE(deliveries.deliver(0, 4, 10));
    EXPECT_TRUE(deliveries.durable(first));
    EXPECT_TRUE(deliveries.durable(second));
    EXPECT_FALSE(deliveries.durable(third));
    EXPECT_FALSE(deliveries.idle());
    ASSERT_TRUE(deliveries.deliver(0, 5, 10));
    EXPECT_TRUE(deliveries.durable(third));
    EXPECT_TRUE(deliveries.idle());
    EXPECT_TRUE(deliveries.durable(0));
}

TEST(Deliveries, tell_those_who_wait_once_and_in_order) {
    Deliveries deliveries{2, wide};
    std::vector<int> told;
    const CommitPosition first = deliveries.send(0, 1, 1, now).value();
    const CommitPosition second = deliveries.send(1, 1, 1, now).value();
    deliveries.wait(second, [&](const Result<void>&) { told.push_back(2); });
    deliveries.wait(first, [&](const Result<void>&) { told.push_back(1); });
    ASSERT_TRUE(deliveries.deliver(1, 0, 1));
    EXPECT_TRUE(deliveries.take_decided().empty());
    ASSERT_TRUE(deliveries.deliver(0, 0, 1));
    for (auto& [_, done] : deliveries.take_decided()) {
        done({});
    }
    EXPECT_EQ(told, (std::vector<int>{1, 2}));
    EXPECT_TRUE(deliveries.take_decided().empty());
}

TEST(Deliveries, know_a_record_that_stands_elsewhere) {
    Deliveries deliveries{2, wide};
    deliveries.expect(0, 10);
    const CommitPosition position = deliveries.send(0, 2, 2, now).value();
    ASSERT_TRUE(deliveries.deliver(0, 10, 1));
    EXPECT_EQ(deliveries.end(0), 11U);
    EXPECT_EQ(deliveries.deliver(0, 12, 1).error().kind, ErrorKind::conflict);
    EXPECT_FALSE(deliveries.durable(position));
    EXPECT_EQ(deliveries.end(0), 11U);
    EXPECT_FALSE(deliveries.end(1));
}

TEST(Deliveries, that_were_lost_stay_lost) {
    Deliveries deliveries{2, wide};
    const CommitPosition kept = deliveries.send(0, 1, 1, now).value();
    const CommitPosition lost = deliveries.send(1, 1, 1, now).value();
    const CommitPosition lost_too = deliveries.send(1, 1, 1, now).value();
    ASSERT_TRUE(deliveries.deliver(0, 0, 1));
    deliveries.lose();
    EXPECT_TRUE(deliveries.idle());
    const CommitPosition lost_later = deliveries.send(0, 1, 1, now).value();
    deliveries.lose();
    const CommitPosition later = deliveries.send(1, 1, 1, now).value();
    ASSERT_TRUE(deliveries.deliver(1, 5, 1));
    EXPECT_TRUE(deliveries.durable(kept));
    EXPECT_TRUE(deliveries.durable(later));
    for (const CommitPosition position : {lost, lost_too, lost_later}) {
        EXPECT_FALSE(deliveries.durable(position));
        EXPECT_TRUE(deliveries.lost(position));
    }
    EXPECT_FALSE(deliveries.lost(kept));
    EXPECT_FALSE(deliveries.lost(later));
}

TEST(Deliveries, are_bounded) {
    Deliveries deliveries{1, {.records = 10, .bytes = 100}};
    EXPECT_EQ(deliveries.send(0, 11, 1, now).error().kind, ErrorKind::invalid_input);
    EXPECT_EQ(deliveries.send(0, 1, 101, now).error().kind, ErrorKind::invalid_input);
    ASSERT_TRUE(deliveries.send(0, 6, 60, now));
    EXPECT_EQ(deliveries.send(0, 5, 1, now).error().kind, ErrorKind::overloaded);
    EXPECT_EQ(deliveries.send(0, 1, 41, now).error().kind, ErrorKind::overloaded);
    ASSERT_TRUE(deliveries.send(0, 4, 40, now));
    ASSERT_TRUE(deliveries.deliver(0, 0, 10));
    ASSERT_TRUE(deliveries.send(0, 1, 10, now));
    deliveries.lose();
    ASSERT_TRUE(deliveries.send(0, 10, 100, now));
}

TEST(Deliveries, know_how_old_the_oldest_is) {
    using std::chrono::seconds;
    Deliveries deliveries{2, wide};
    EXPECT_FALSE(deliveries.oldest());
    ASSERT_TRUE(deliveries.send(0, 1, 1, now + seconds{1}));
    ASSERT_TRUE(deliveries.send(1, 1, 1, now + seconds{2}));
    ASSERT_TRUE(deliveries.deliver(1, 0, 1));
    EXPECT_EQ(deliveries.oldest(), now + seconds{1});
    ASSERT_TRUE(deliveries.deliver(0, 0, 1));
    EXPECT_FALSE(deliveries.oldest());
}

/// Beside lanes that are vectors.
TEST(Deliveries, are_durable_when_all_before_are_delivered) {
    Random random{7};
    Deliveries deliveries{4, wide};

    struct Sent {
        CommitPosition position;
        std::size_t records;
    };

    std::vector<std::deque<Sent>> lanes(4);
    std::vector<std::uint64_t> offsets(4);
    for (int step = 0; step < 20'000; ++step) {
        const auto lane = static_cast<std::uint32_t>(random.below(4));
        if (random.below(3) == 0) {
            const std::size_t records = 1 + random.below(3);
            lanes[lane].push_back({deliveries.send(lane, records, records, now).value(), records});
        } else if (!lanes[lane].empty()) {
            ASSERT_TRUE(deliveries.deliver(lane, offsets[lane]++, 1));
            if (--lanes[lane].front().records == 0) {
                lanes[lane].pop_front();
            }
        }
        CommitPosition oldest = 0;
        for (const auto& open : lanes) {
            if (!open.empty() && (oldest == 0 || open.front().position < oldest)) {
                oldest = open.front().position;
            }
        }
        if (oldest != 0) {
            ASSERT_FALSE(deliveries.durable(oldest));
            ASSERT_EQ(deliveries.decided(), oldest - 1);
        }
        ASSERT_EQ(oldest == 0, deliveries.idle());
    }
}

}  // namespace
}  // namespace footfall::journal_kafka
