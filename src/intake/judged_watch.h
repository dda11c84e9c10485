#pragma once

#include "events/source_order.h"
#include "events/verdict.h"
#include "foundation/clock.h"
#include "intake/activity.h"
#include "journal/lane_feed.h"
#include "journal/log.h"
#include "runtime/lanes.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace footfall::intake {

/// Who is told of each event that a JudgedWatch reads, once, as it comes. Thread-safe; never waits.
class Onlooker {
public:
    Onlooker() = default;
    Onlooker(const Onlooker&) = delete;
    Onlooker& operator=(const Onlooker&) = delete;
    virtual ~Onlooker() = default;

    /// `now`: when it was read.
    virtual void see(const events::JudgedEvent& judged, Instant now) = 0;
};

/// What comes into the judged log of a cluster from now on, whoever judges and counts it: where its
/// lanes end, and how many events there were in each second. For those who look on: it keeps no
/// records, and writes nothing.
///
/// A second is the one in which this process read the event: what was told of a second stays true.
/// Belongs to the thread that reads, but for what says otherwise. Cost: each event is read once
/// more.
class JudgedWatch final : public journal::LaneReader {
public:
    /// Begins where the lanes of `judged` end. While nobody appends to it. The clock and the
    /// onlookers must outlive it.
    JudgedWatch(
        const journal::Log& judged, const Clock& clock, std::vector<Onlooker*> onlookers = {}
    );

    Result<std::vector<std::uint64_t>> assigned(std::span<const std::uint32_t> lanes) override;

    void revoked(std::span<const std::uint32_t> /*lanes*/, bool /*lost*/) override {}

    /// Records that cannot be read are passed over: who counts them has to say so.
    Result<void> consume(std::uint32_t lane, const journal::Records& records) override;

    std::uint64_t next(std::uint32_t lane) override { return end_of(lane); }

    Result<Next> settle() override { return Next::as_before; }

    /// Thread-safe, as the next.
    std::uint64_t end_of(std::uint32_t lane) const { return ends_[lane].load(); }

    std::vector<ActivitySecond> activity_between(std::int64_t from, std::int64_t before) const {
        return activity_.between(from, before);
    }

private:
    const Clock* clock_;
    const std::vector<Onlooker*> onlookers_;
    std::array<std::atomic<std::uint64_t>, runtime::lane_count> ends_{};
    std::array<events::SourceOrder, runtime::lane_count> sources_{};
    Activity activity_;
};

}  // namespace footfall::intake
