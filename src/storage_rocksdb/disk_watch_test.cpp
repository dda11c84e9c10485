#include "storage_rocksdb/disk_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <system_error>

namespace footfall::storage_rocksdb {
namespace {

constexpr std::uintmax_t mebibyte = 1 << 20;

class DiskWatchTest : public testing::Test {
protected:
    DiskWatch::Options options(std::uint64_t reserve) {
        return {
            .directory = "/data",
            .reserve_bytes = reserve,
            .pause = std::chrono::milliseconds{1},
            .look =
                [this](std::error_code& error) {
                    const std::lock_guard lock{mutex_};
                    ++looks_;
                    looked_.notify_all();
                    error = error_;
                    return std::filesystem::space_info{
                        .capacity = capacity_, .free = room_, .available = room_
                    };
                }
        };
    }

    /// The room is from now on this, and was looked at: the second look from here began after the
    /// first one's end.
    void set(std::uintmax_t room, std::error_code error = {}) {
        std::unique_lock lock{mutex_};
        room_ = room;
        error_ = error;
        const std::uint64_t wanted = looks_ + 2;
        looked_.wait(lock, [&] { return looks_ >= wanted; });
    }

    std::mutex mutex_;
    std::condition_variable looked_;
    std::uint64_t looks_ = 0;
    std::uintmax_t capacity_ = 10'000 * mebibyte;
    std::uintmax_t room_ = 5000 * mebibyte;
    std::error_code error_;
    metrics::Metrics metrics_;
};

TEST_F(DiskWatchTest, refuses_below_the_reserve_until_there_is_a_quarter_more) {
    DiskWatch watch{options(100 * mebibyte), metrics_};
    watch.start();
    EXPECT_TRUE(watch.health());
    set(100 * mebibyte);
    EXPECT_TRUE(watch.health());
    set(100 * mebibyte - 1);
    ASSERT_FALSE(watch.health());
    EXPECT_EQ(watch.health().error().kind, ErrorKind::unavailable);
    EXPECT_THAT(
        watch.health().error().message,
        testing::HasSubstr("less than 100.0 MiB free on the disk of /data")
    );
    set(125 * mebibyte - 1);
    EXPECT_FALSE(watch.health());
    set(125 * mebibyte);
    EXPECT_TRUE(watch.health());
    EXPECT_THAT(metrics_.text(), testing::HasSubstr("footfall_store_disk_free_bytes 131072000"));
}

TEST_F(DiskWatchTest, uses_a_small_disk_but_for_five_percent) {
    capacity_ = 64 * mebibyte;
    room_ = 4 * mebibyte;
    DiskWatch watch{options(100 * mebibyte), metrics_};
    watch.start();
    EXPECT_TRUE(watch.health());
    set(3 * mebibyte);
    EXPECT_FALSE(watch.health());
}

TEST_F(DiskWatchTest, knows_from_the_start_and_believes_no_error) {
    room_ = 1;
    DiskWatch watch{options(100 * mebibyte), metrics_};
    watch.start();
    EXPECT_FALSE(watch.health());
    set(5000 * mebibyte, std::make_error_code(std::errc::io_error));
    EXPECT_FALSE(watch.health());
    set(5000 * mebibyte);
    EXPECT_TRUE(watch.health());
}

}  // namespace
}  // namespace footfall::storage_rocksdb
