#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

namespace footfall::storage {

/// The record of a log that a row follows from (Table::of_record).
struct RecordPlace {
    std::uint64_t log = 0;
    std::uint32_t lane = 0;
    std::uint64_t offset = 0;
};

/// Where lanes of logs begin: what is before that is forgotten.
class LaneBegins {
public:
    void move(std::uint64_t log, std::uint32_t lane, std::uint64_t begin) {
        std::uint64_t& known = begins_[{log, lane}];
        known = std::max(known, begin);
    }

    bool is_before(const RecordPlace& record) const {
        const auto found = begins_.find({record.log, record.lane});
        return found != begins_.end() && record.offset < found->second;
    }

private:
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint64_t> begins_;
};

/// What Store::forget_records() said so far. Thread-safe.
class ForgottenRecords {
public:
    void forget(std::uint64_t log, std::uint32_t lane, std::uint64_t before) {
        const std::lock_guard lock{mutex_};
        begins_.move(log, lane, before);
    }

    LaneBegins now() const {
        const std::lock_guard lock{mutex_};
        return begins_;
    }

private:
    mutable std::mutex mutex_;
    LaneBegins begins_;  ///< Guarded by mutex_.
};

}  // namespace footfall::storage
