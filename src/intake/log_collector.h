#pragma once

#include "foundation/siphash.h"
#include "intake/collector.h"
#include "intake/recent_ids.h"
#include "storage/store.h"

namespace footfall::intake {

/// Appends events to the log of events, where a guard, which may be another process, finds them. So
/// they are answered for before they are judged: of what came twice it knows only what the store
/// shows by then and what came through itself, and of refusals nothing.
///
/// Thread-safe. All must outlive it.
class LogCollector final : public Collector {
public:
    LogCollector(journal::Writer& events, storage::Store& store, SipKey secret)
        : events_{&events}, store_{&store}, secret_{secret} {}

    Result<Taken> take(Arrived arrived) override;

    /// As take(), but asks of no event whether it is known: nobody waits for that answer. What to
    /// wait for.
    Result<storage::CommitPosition> append(Arrived arrived);

    journal::Writer& writer() override { return *events_; }

    Result<void> health() const override { return {}; }

private:
    struct Packed;

    Packed pack(Arrived arrived) const;
    Result<storage::CommitPosition> append(const Packed& packed);

    journal::Writer* events_;
    storage::Store* store_;
    SipKey secret_;
    RecentIds recent_;
};

}  // namespace footfall::intake
