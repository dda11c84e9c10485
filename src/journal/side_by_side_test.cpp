#include "journal/side_by_side.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace footfall::journal {
namespace {

/// Waits in consume() until as many lanes are there as `together`, and refuses one lane.
class MeetingReader final : public LaneReader {
public:
    MeetingReader(std::size_t together, std::uint32_t refused)
        : meeting_{static_cast<std::ptrdiff_t>(together)}, together_{together}, refused_{refused} {}

    Result<std::vector<std::uint64_t>> assigned(std::span<const std::uint32_t> lanes) override {
        return std::vector<std::uint64_t>(lanes.size());
    }

    void revoked(std::span<const std::uint32_t> /*lanes*/, bool /*lost*/) override {}

    Result<void> consume(std::uint32_t lane, const Records& records) override {
        if (came_++ < together_) {
            meeting_.arrive_and_wait();
        }
        const std::lock_guard lock{mutex_};
        taken_.insert({lane, records.first()});
        if (lane == refused_) {
            return fail(ErrorKind::unavailable, "not this one");
        }
        return {};
    }

    std::uint64_t next(std::uint32_t /*lane*/) override { return 0; }

    Result<Next> settle() override { return Next::as_before; }

    const std::multiset<std::pair<std::uint32_t, std::uint64_t>>& taken() const { return taken_; }

private:
    std::latch meeting_;
    const std::size_t together_;
    const std::uint32_t refused_;
    std::atomic<std::size_t> came_ = 0;
    std::mutex mutex_;
    std::multiset<std::pair<std::uint32_t, std::uint64_t>> taken_;  ///< Guarded by mutex_.
};

std::vector<Portion> portions_of(std::uint32_t lanes) {
    std::vector<Portion> portions;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        portions.push_back({.lane = lane, .records = Records{100 + lane}});
    }
    return portions;
}

TEST(SideBySide, gives_each_portion_once_and_several_at_the_same_time) {
    for (int round = 0; round < 100; ++round) {
        SideBySide readers{4};
        MeetingReader reader{4, 5};
        std::vector<Portion> portions = portions_of(10);
        readers.give(reader, portions);
        ASSERT_EQ(reader.taken().size(), portions.size());
        for (const Portion& each : portions) {
            EXPECT_EQ(reader.taken().count({each.lane, 100 + each.lane}), 1U);
            EXPECT_EQ(each.taken.has_value(), each.lane != 5);
        }
    }
}

TEST(SideBySide, is_content_with_one_thread_and_with_nothing) {
    SideBySide alone{1};
    MeetingReader reader{1, 10};
    std::vector<Portion> portions = portions_of(3);
    alone.give(reader, portions);
    EXPECT_EQ(reader.taken().size(), 3U);
    SideBySide many{8};
    many.give(reader, {});
    EXPECT_EQ(reader.taken().size(), 3U);
}

}  // namespace
}  // namespace footfall::journal
