#pragma once

#include "foundation/result.h"
#include "storage/store.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace footfall::journal_kafka {

/// What was given to a producer and is not delivered yet: which positions are durable, who waits
/// for them, and whether each record came to stand where it was to stand. Records of a lane are
/// delivered in their order; lanes have nothing to do with each other, but positions become durable
/// in order, over all lanes.
///
/// A plain value: no Kafka, no clock, not thread-safe.
class Deliveries {
public:
    using Moment = std::chrono::steady_clock::time_point;

    /// How much may be on the way at once.
    struct Limits {
        std::size_t records;
        std::size_t bytes;
    };

    Deliveries(std::uint32_t lanes, Limits limits) : limits_{limits}, lanes_(lanes) {}

    /// The lane's next record is to get this offset, the one after it the next. Until it is called,
    /// any offset will do. Only while nothing is on the way.
    void expect(std::uint32_t lane, std::uint64_t offset);

    /// Records are about to be sent to a lane, at least one. `overloaded`: too much is on the way;
    /// `invalid_input`: it will never fit.
    Result<storage::CommitPosition> send(
        std::uint32_t lane, std::size_t records, std::size_t bytes, Moment now
    );

    /// The lane's next record of `bytes` was delivered and stands at `offset`. `conflict`: not
    /// where it was to stand; it counts as not delivered.
    Result<void> deliver(std::uint32_t lane, std::uint64_t offset, std::size_t bytes);

    /// All that is on the way is lost for good.
    void lose();

    bool durable(storage::CommitPosition position) const;

    /// Whether the position was lost.
    bool lost(storage::CommitPosition position) const;

    /// The highest position that is decided: it and all before it are durable or lost.
    storage::CommitPosition decided() const { return decided_; }

    /// Keeps `done` until the position is decided, which it must not be yet.
    void wait(storage::CommitPosition position, storage::DurableDone done);

    /// Those whose positions were decided meanwhile, in the order of positions.
    std::vector<std::pair<storage::CommitPosition, storage::DurableDone>> take_decided();

    /// Where the lane's delivered records end; absent: nobody said where they begin.
    std::optional<std::uint64_t> end(std::uint32_t lane) const { return lanes_[lane].next; }

    bool idle() const { return open_.empty(); }

    /// When the oldest that is on the way was sent.
    std::optional<Moment> oldest() const;

private:
    struct Lane {
        std::optional<std::uint64_t> next;  ///< The offset of the next record to be delivered.
        std::deque<storage::CommitPosition> open;
    };

    struct Open {
        std::size_t records;  ///< Not delivered yet.
        Moment sent;
    };

    Limits limits_;
    std::vector<Lane> lanes_;
    std::deque<Open> open_;  ///< Of the positions behind decided_, in order.
    storage::CommitPosition decided_ = 0;
    std::size_t records_ = 0;
    std::size_t bytes_ = 0;
    /// First and last of each loss, ascending; neighbours are one.
    std::vector<std::pair<storage::CommitPosition, storage::CommitPosition>> lost_;
    std::multimap<storage::CommitPosition, storage::DurableDone> waiters_;
};

}  // namespace footfall::journal_kafka
