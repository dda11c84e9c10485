#include "intake/feed_thread.h"

#include "foundation/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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

    Result<Next> settle() override { return Next::as_before; }
};

/// What a feed that a test leads has to say, and how often it was asked.
struct Led {
    std::mutex mutex;
    std::condition_variable changed;
    Result<void> outcome = {};
    bool caught_up = false;
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

}  // namespace
}  // namespace footfall::intake
