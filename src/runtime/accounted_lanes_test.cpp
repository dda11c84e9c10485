#include "runtime/accounted_lanes.h"

#include <gtest/gtest.h>

#include <vector>

namespace footfall::runtime {
namespace {

struct Numbers {
    std::vector<int> numbers;
    std::size_t forgotten = 0;

    std::size_t bytes() const { return numbers.capacity() * sizeof(int); }

    std::size_t recount() const { return numbers.size() * sizeof(int) + forgotten; }
};

TEST(AccountedLanes, whatever_changes_a_lane_is_booked) {
    AccountedLanes<Numbers> lanes;
    EXPECT_EQ(lanes.bytes(), 0U);
    lanes.change(3, [](Numbers& state) { state.numbers.resize(10); });
    lanes.change(60, [](Numbers& state) { state.numbers.resize(5); });
    EXPECT_EQ(lanes.bytes(), 60U);
    EXPECT_EQ(lanes.look(3, [](const Numbers& state) { return state.numbers.size(); }), 10U);
    lanes.change(3, [](Numbers& state) { state.numbers = std::vector<int>{}; });
    EXPECT_EQ(lanes.bytes(), 20U);
}

TEST(AccountedLanes, an_audit_counts_anew) {
    AccountedLanes<Numbers> lanes;
    lanes.change(0, [](Numbers& state) { state.numbers.resize(10); });
    EXPECT_EQ(lanes.audit(0).booked, 40U);
    EXPECT_EQ(lanes.audit(0).counted, 40U);
    lanes.change(0, [](Numbers& state) { state.forgotten = 1; });
    EXPECT_EQ(lanes.audit(0).booked, 40U);
    EXPECT_EQ(lanes.audit(0).counted, 41U) << "a difference is seen";
}

}  // namespace
}  // namespace footfall::runtime
