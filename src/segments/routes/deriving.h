#pragma once

#include "foundation/clock.h"
#include "foundation/seldom_log.h"
#include "journal/log.h"
#include "projecting/projection.h"
#include "runtime/accounted_lanes.h"
#include "runtime/turns.h"
#include "segment_events/segment_events.h"
#include "segments/segments.h"
#include "segments/size_history.h"
#include "segments_routes/asked_people.h"
#include "storage/store.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace footfall::segments::routes {

/// Has segments derived where one lane of the log is: so one process of a deployment does, and
/// others know whom to ask. Of records of the log it counts what rules of segments ask for, in
/// each lane that is here (SegmentEvents).
///
/// State: whether the lane is here, and since when; a thread that derives, and where it does not
/// goes on to read rules. Thread-safe as Projection says. What it is given must outlive it, and the
/// store be open until stop().
class Deriving final : public projecting::Projection {
public:
    /// `log`: of judged events.
    Deriving(
        Segments& segments,
        SizeHistory& sizes,
        AskedPeople& people,
        storage::Store& store,
        const Clock& clock,
        journal::LogId log
    );

    /// The first turn begins at once.
    void start();

    /// Ends the thread. Idempotent.
    void stop();

    Result<void> begin(std::span<const projecting::LaneStart> lanes) override;

    Result<void> wait_for_room() override { return events_.wait_for_room(); }

    void apply(std::uint32_t lane, std::span<const projecting::JudgedRecord> records) override {
        events_.apply(lane, records);
    }

    void control(
        std::uint32_t /*lane*/, std::uint64_t /*offset*/, const events::Control& /*control*/
    ) override {}

    Result<void> flush(bool all) override { return events_.flush(all); }

    std::optional<std::uint64_t> unsaved(std::uint32_t lane) override {
        return events_.unsaved(lane);
    }

    Instant stored_until(std::uint32_t lane) override { return events_.stored_until(lane); }

    Result<std::string> answer(std::uint32_t lane, std::string_view question) override;

    /// What was derived is read again: some of it may be lost.
    void drop() override {
        events_.drop();
        tenure_.fetch_add(1);
    }

    void drop_lane(std::uint32_t lane) override;

    Result<void> expire(
        std::uint32_t /*lane*/, std::span<const projecting::JudgedRecord> /*records*/
    ) override {
        return {};
    }

    /// What waits for its rows, booked and counted anew.
    runtime::AccountAudit audit(std::size_t lane) { return events_.audit(lane); }

private:
    std::chrono::milliseconds turn(const std::stop_token& stop);
    Result<std::chrono::milliseconds> take_turn(const std::stop_token& stop);

    Segments* segments_;
    SizeHistory* sizes_;  ///< Which is written here.
    AskedPeople* people_;
    segment_events::SegmentEvents events_;
    std::atomic<bool> is_here_ = false;
    std::atomic<std::uint64_t> tenure_ = 1;  ///< Another one: it is begun anew.
    std::uint64_t begun_ = 0;  ///< The tenure that was begun; 0: none. The thread's own.
    SeldomLog troubles_{std::chrono::minutes{1}};
    std::optional<runtime::Turns> turns_;  // last: ends before what it uses
};

}  // namespace footfall::segments::routes
