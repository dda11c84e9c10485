#include "storage_rocksdb/engine_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>

namespace footfall::storage_rocksdb {
namespace {

using rocksdb::InfoLogLevel;
using testing::HasSubstr;
using testing::Not;

class EngineLogTest : public testing::Test {
protected:
    template <class Function>
    static std::string said(const Function& function) {
        testing::internal::CaptureStderr();
        function();
        return testing::internal::GetCapturedStderr();
    }

    ManualClock clock_{Instant{std::chrono::hours{1000}}};
    std::shared_ptr<SeldomLog> troubles_ = std::make_shared<SeldomLog>(std::chrono::hours{1});
    EngineLog log_{clock_, troubles_};
};

TEST_F(EngineLogTest, passes_warnings_and_errors_on) {
    const std::string text = said([this] {
        rocksdb::Log(InfoLogLevel::INFO_LEVEL, &log_, "a flush %d", 1);
        rocksdb::Log(InfoLogLevel::WARN_LEVEL, &log_, "a stall of %d", 2);
        rocksdb::Log(InfoLogLevel::ERROR_LEVEL, &log_, "a failure of %s", "file 3");
        rocksdb::Header(&log_, "options %d", 4);
        rocksdb::Log(
            InfoLogLevel::WARN_LEVEL, &log_, "SST file opened without unique ID to verify: %d", 5
        );
        rocksdb::Log(
            InfoLogLevel::WARN_LEVEL,
            &log_,
            "File Deletions Disabled, but already disabled. Counter: %d",
            6
        );
        rocksdb::Log(
            InfoLogLevel::ERROR_LEVEL,
            &log_,
            "[file/delete_scheduler.cc:91] Failed to mark %s as trash -- %s",
            "000014.log",
            "IO error: No such file or directory: While renaming a file"
        );
    });
    EXPECT_THAT(text, Not(HasSubstr("a flush")));
    EXPECT_THAT(text, HasSubstr("warning engine: a stall of 2"));
    EXPECT_THAT(text, HasSubstr("error engine: a failure of file 3"));
    EXPECT_THAT(text, Not(HasSubstr("options")));
    EXPECT_THAT(text, Not(HasSubstr("unique ID"))) << "whoever imports would be told";
    EXPECT_THAT(text, Not(HasSubstr("File Deletions"))) << "whoever makes a backup, too";
    EXPECT_THAT(text, Not(HasSubstr("as trash")));
}

TEST_F(EngineLogTest, leaves_it_to_the_store_to_say_that_the_disk_is_full) {
    const std::string text = said([this] {
        rocksdb::Log(
            InfoLogLevel::ERROR_LEVEL,
            &log_,
            "Waiting after background compaction error: %s",
            "IO error: No space left on device: While appending to file: /data/1.sst"
        );
        rocksdb::Log(
            InfoLogLevel::ERROR_LEVEL,
            &log_,
            "Waiting after background compaction error: %s",
            "Corruption: block checksum mismatch"
        );
        rocksdb::Log(
            InfoLogLevel::WARN_LEVEL, &log_, "free space [%d bytes] is less than needed", 0
        );
        rocksdb::Log(InfoLogLevel::WARN_LEVEL, &log_, "Cannot clear soft error");
    });
    EXPECT_EQ(std::ranges::count(text, '\n'), 1) << text;
    EXPECT_THAT(text, HasSubstr("Corruption"));
}

TEST_F(EngineLogTest, tells_of_damage_alone_once_the_store_has_said_that_it_cannot_write) {
    const std::string text = said([this] {
        rocksdb::Log(InfoLogLevel::ERROR_LEVEL, &log_, "no version edit in %s", "MANIFEST");
        troubles_->say(LogLevel::error, "a write failed");
        rocksdb::Log(InfoLogLevel::ERROR_LEVEL, &log_, "no WAL file %s", "1.log");
        rocksdb::Log(InfoLogLevel::ERROR_LEVEL, &log_, "%s", "Corruption: block checksum");
    });
    EXPECT_THAT(text, HasSubstr("engine: no version edit in MANIFEST"));
    EXPECT_THAT(text, Not(HasSubstr("no WAL file")));
    EXPECT_THAT(text, HasSubstr("engine: Corruption"));
}

TEST_F(EngineLogTest, folds_what_is_said_again_and_again) {
    const std::string text = said([this] {
        for (int time = 0; time < 1000; ++time) {
            rocksdb::Log(InfoLogLevel::ERROR_LEVEL, &log_, "failed, attempt %d", time);
        }
    });
    EXPECT_EQ(std::ranges::count(text, '\n'), 1) << text;
    clock_.advance(std::chrono::seconds{10});
    EXPECT_THAT(
        said([this] { rocksdb::Log(InfoLogLevel::ERROR_LEVEL, &log_, "failed, attempt %d", 7); }),
        HasSubstr("attempt 7 (999 more like it were left out)")
    );
}

TEST_F(EngineLogTest, cuts_long_lines) {
    EXPECT_LT(
        said([this] {
            rocksdb::Log(InfoLogLevel::WARN_LEVEL, &log_, "%s", std::string(100'000, 'x').c_str());
        }).size(),
        1200U
    );
}

}  // namespace
}  // namespace footfall::storage_rocksdb
