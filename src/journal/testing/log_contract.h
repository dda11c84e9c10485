#pragma once

#include "journal/log.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace footfall::journal {

/// One log under test, and what the suite needs of it beyond Log.
class LogSubject {
public:
    LogSubject() = default;
    LogSubject(const LogSubject&) = delete;
    LogSubject& operator=(const LogSubject&) = delete;
    virtual ~LogSubject() = default;

    virtual Log& log() = 0;

    /// Closes the log and opens it again on what it kept.
    virtual void reopen() = 0;
};

/// How the suite gets a fresh, empty log.
struct LogImplementation {
    std::string name;  ///< Letters and digits; for people.
    std::function<std::unique_ptr<LogSubject>()> open;

    friend std::ostream& operator<<(std::ostream& out, const LogImplementation& implementation) {
        return out << implementation.name;
    }
};

/// The meaning of every sentence in log.h, as tests that each implementation has to pass:
///
///     INSTANTIATE_TEST_SUITE_P(
///         RocksDb,
///         LogContract,
///         testing::Values(LogImplementation{.name = "rocksdb", .open = open_rocksdb}),
///         implementation_name);
///
/// Where a sentence needs a failure of the machine below, the implementation has tests of its own.
class LogContract : public testing::TestWithParam<LogImplementation> {
protected:
    LogContract() : subject_{GetParam().open()} {}

    Log& log() { return subject_->log(); }

    void reopen() { subject_->reopen(); }

    /// Appends and waits; answers the offset of the first.
    std::uint64_t append(std::uint32_t lane, const std::vector<std::string>& records);

    /// All records of the lane from there on, read a few at a time.
    std::vector<std::string> read_all(
        std::uint32_t lane, std::uint64_t from = 0, ReadLimit limit = {}
    );

private:
    std::unique_ptr<LogSubject> subject_;
};

/// How a test is named. Whoever instantiates the suite without it links none of its tests.
std::string implementation_name(const testing::TestParamInfo<LogImplementation>& info);

}  // namespace footfall::journal
