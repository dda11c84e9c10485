#pragma once

#include "events/source_order.h"
#include "foundation/result.h"
#include "intake/lane_holds.h"
#include "intake/lane_judge.h"
#include "journal/lane_feed.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace footfall::intake {

/// Gives the judged log to the projections on a cluster, lane by lane, as lanes come and go. What
/// is told is durable in the log already, so no row tells of a record that is lost.
/// Once its lanes may be another's, because the feed says so or because the process was stopped for
/// so long, it writes nothing more of them: what it has is older. A store that is slow costs no
/// lanes.
///
/// Called as LaneReader says; figures may be asked by any thread. Of the context it uses the store,
/// the log, the secret and the host, all of which must outlive it.
class Follower final : public journal::LaneReader {
public:
    explicit Follower(const Context& context);
    Follower(const Follower&) = delete;
    Follower& operator=(const Follower&) = delete;
    ~Follower() override = default;

    Result<std::vector<std::uint64_t>> assigned(std::span<const std::uint32_t> lanes) override;
    void revoked(std::span<const std::uint32_t> lanes, bool lost) override;
    Result<void> consume(std::uint32_t lane, const journal::Records& records) override;
    std::uint64_t next(std::uint32_t lane) override;
    void confirm(bool ours) override;
    Result<Next> settle() override;

    // Thread-safe.

    /// Which lanes are ours, for who writes of them on another thread.
    LaneHolds& holds() { return holds_; }

    const FollowedEnds& ends() const { return ends_; }

    /// How many lanes are ours.
    std::size_t lane_count() const { return lane_count_.load(); }

    /// How many events were given to the projections since the start; those that were given again
    /// are counted again.
    std::uint64_t projected() const { return projected_.load(); }

private:
    Result<void> open(std::span<const std::uint32_t> lanes);
    Result<storage::CommitPosition> write_checkpoints();
    Result<void> write_all();
    void lose();

    Context context_;
    std::map<std::uint32_t, events::SourceOrder> sources_;  ///< Of the lanes that are ours.
    std::chrono::steady_clock::time_point written_at_{};
    LaneHolds holds_;
    std::atomic<std::size_t> lane_count_ = 0;
    FollowedEnds ends_{};
    std::atomic<std::uint64_t> projected_ = 0;
    std::atomic<bool> lost_ = false;
    storage::Subscription store_losses_;
};

}  // namespace footfall::intake
