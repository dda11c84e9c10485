#include "intake/feed_thread.h"

#include "foundation/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

namespace footfall::intake {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class NoReader final : public journal::LaneReader {
public:
    Result<std::vector<std::uint64_t>> assigned(std::span<const std::uint32_t>) override {
        return std::vector<std::uint64_t>{};
    }

    void revoked(std::span<const std::uint32_t>, bool) override {}

    Result<void> consume(std::uint32_t, const journal::Records&) override { return {}; }

    std::uint64_t next(std::uint32_t) override { return 0; }

    void confirm(bool ours) override {
        const std::lock_guard lock{mutex_};
        ++(ours ? confirmed_ : lost_);
        changed_.notify_all();
    }

    Result<Next> settle() override {
        std::unique_lock lock{mutex_};
        changed_.wait(lock, [&] { return !waits_; });
        return Next::as_before;
    }

    /// From now on, or no more: as who writes to a store that is slow.
    void let_settle_wait(bool waits) {
        const std::lock_guard lock{mutex_};
        waits_ = waits;
        changed_.notify_all();
    }

    void wait_until_confirmed(int more) {
        std::unique_lock lock{mutex_};
        const int wanted = confirmed_ + more;
        changed_.wait(lock, [&] { return confirmed_ >= wanted; });
    }

    void wait_until_lost() {
        std::unique_lock lock{mutex_};
        changed_.wait(lock, [&] { return lost_ > 0; });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool waits_ = false;
    int confirmed_ = 0;
    int lost_ = 0;
};

/// What a feed that a test leads has to say, and how often it was asked.
struct Led {
    std::mutex mutex;
    std::condition_variable changed;
    Result<void> outcome = {};
    bool caught_up = false;
    std::atomic<bool> lost = false;
    int polls = 0;

    void wait_for_polls(int more) {
        std::unique_lock lock{mutex};
        const int wanted = polls + more;
        changed.wait(lock, [&] { return polls >= wanted; });
    }
};

class LedFeed final : public journal::LaneFeed {
public:
    explicit LedFeed(Led& led) : led_{&led} {}

    Result<void> poll(journal::LaneReader&, std::chrono::milliseconds patience) override {
        std::unique_lock lock{led_->mutex};
        ++led_->polls;
        led_->changed.notify_all();
        led_->changed.wait_for(lock, patience, [&] { return led_->caught_up; });
        return led_->outcome;
    }

    bool caught_up() const override {
        const std::lock_guard lock{led_->mutex};
        return led_->caught_up;
    }

    bool lost() const override { return led_->lost; }

    std::uint64_t behind() const override { return 12345; }

    Result<void> rewind(journal::LaneReader&) override { return {}; }

    void leave(journal::LaneReader&, bool) override {}

private:
    Led* led_;
};

class FeedThreadTest : public testing::Test {
protected:
    void SetUp() override { set_log_level(LogLevel::info); }  // others of this program want less

    FeedThread start() { return FeedThread{"guard", std::make_unique<LedFeed>(led_), reader_}; }

    Led led_;
    NoReader reader_;
};

TEST_F(FeedThreadTest, says_once_what_it_tries_in_vain) {
    led_.outcome = fail(ErrorKind::unavailable, "events were lost; the log is being read again");
    led_.caught_up = true;  // or a start that waits would be told as well
    testing::internal::CaptureStderr();
    FeedThread thread = start();
    led_.wait_for_polls(4);
    thread.stop();
    const std::string text = testing::internal::GetCapturedStderr();
    EXPECT_THAT(
        text, HasSubstr("guard: events were lost; the log is being read again; trying again")
    );
    EXPECT_EQ(std::ranges::count(text, '\n'), 1) << text;
}

TEST_F(FeedThreadTest, tells_of_a_start_that_waits_and_of_its_end) {
    testing::internal::CaptureStderr();
    FeedThread thread = start();
    led_.wait_for_polls(13);  // of 0.1 s each: what is over within a second is not spoken of
    EXPECT_FALSE(thread.health());
    {
        const std::lock_guard lock{led_.mutex};
        led_.caught_up = true;
        led_.changed.notify_all();
    }
    led_.wait_for_polls(2);
    EXPECT_TRUE(thread.health());
    thread.stop();
    const std::string text = testing::internal::GetCapturedStderr();
    EXPECT_THAT(text, HasSubstr("info guard reads what came before; records to go: 12345\n"));
    EXPECT_THAT(text, HasSubstr("info guard has read what came before, in 1."));
    EXPECT_EQ(std::ranges::count(text, '\n'), 2) << text;
}

TEST_F(FeedThreadTest, confirms_also_while_a_turn_takes_long_and_tells_at_once_that_lanes_went) {
    reader_.let_settle_wait(true);
    FeedThread thread = start();
    reader_.wait_until_confirmed(3);
    led_.lost = true;
    reader_.wait_until_lost();
    led_.lost = false;
    reader_.wait_until_confirmed(2);
    reader_.let_settle_wait(false);
    thread.stop();
}

}  // namespace
}  // namespace footfall::intake
