#pragma once

#include "foundation/clock.h"
#include "journal/log.h"
#include "runtime/lanes.h"
#include "storage/store.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace footfall::owners {

/// Who counts a lane, as the table says.
struct LaneOwner {
    std::int64_t generation = 0;  ///< 0: the table says nothing.
    std::string address;          ///< Empty: it cannot be asked.
    Instant stored{};             ///< 0: nobody knows.
};

using LaneOwnerTable = std::array<LaneOwner, runtime::lane_count>;

/// The table lane_owner as it was at most `fresh_for` ago: read again when it is asked for. While
/// it cannot be read the last one holds. Thread-safe. The store must outlive it.
class LaneOwners {
public:
    LaneOwners(
        storage::Store& store,
        journal::LogId log,
        std::chrono::milliseconds fresh_for = std::chrono::seconds{1}
    )
        : store_{&store}, log_{log}, fresh_for_{fresh_for} {}

    /// Waits for the store once a second, for two at most; who asks meanwhile is told what was.
    std::shared_ptr<const LaneOwnerTable> latest();

    /// Somebody who stands in it is not the owner any more.
    void read_again();

private:
    Result<LaneOwnerTable> read() const;

    storage::Store* store_;
    const journal::LogId log_;
    const std::chrono::milliseconds fresh_for_;
    std::mutex mutex_;
    // Guarded by mutex_.
    std::shared_ptr<const LaneOwnerTable> latest_ = std::make_shared<LaneOwnerTable>();
    std::chrono::steady_clock::time_point due_{};
    bool reading_ = false;
};

}  // namespace footfall::owners
