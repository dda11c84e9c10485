#pragma once

#include "foundation/clock.h"
#include "foundation/siphash.h"
#include "intake/arriving.h"
#include "intake/collector.h"
#include "intake/recent_ids.h"
#include "people/read_door.h"
#include "storage/store.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>

namespace footfall::intake {

/// Appends events to the log of events, where a guard, which may be another process, finds them. So
/// they are answered for before they are judged: of what came twice it knows only what the store
/// shows by then and what came through itself, and of refusals nothing. While the store does not
/// answer it takes events all the same, and knows less: the guard counts each once, and waits for
/// the store. Controls are said there, too, and passed on by the guard.
///
/// Thread-safe. All must outlive it.
class LogCollector final : public Collector {
public:
    /// `reads`: lets reads in; null: they are as other events.
    LogCollector(
        journal::Writer& events,
        storage::Store& store,
        const Clock& clock,
        SipKey secret,
        const people::ReadDoor* reads = nullptr
    )
        : events_{&events}, store_{&store}, clock_{&clock}, secret_{secret}, reads_{reads} {}

    Result<Taken> collect(Arrived arrived) override;

    Result<void> say_each(std::span<const events::ControlInLane> controls) override;

    /// As collect(), but asks of no event whether it is known: nobody waits for that answer. What
    /// to wait for.
    Result<storage::CommitPosition> append(Arrived arrived);

    journal::Writer& writer() override { return *events_; }

    Result<void> health() const override { return events_->health(); }

private:
    struct Packed;

    Packed pack(Arrived arrived) const;
    void look_for_ids(std::span<Arriving* const> with_id);
    Result<storage::CommitPosition> append(const Packed& packed);
    Result<void> append_in_lane(
        std::uint32_t lane,
        std::span<const std::string_view> records,
        std::chrono::steady_clock::time_point patience_ends,
        storage::CommitPosition& position
    );

    journal::Writer* events_;
    storage::Store* store_;
    const Clock* clock_;
    SipKey secret_;
    const people::ReadDoor* reads_;
    RecentIds recent_;
    std::atomic<Instant> store_failed_{Instant{}};  ///< When it last gave no answer.
};

}  // namespace footfall::intake
