#pragma once

#include "events/source_order.h"
#include "intake/event_search.h"
#include "journal/message_writer.h"
#include "journal/shared_feed.h"
#include "runtime/turns.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace footfall::intake {

/// A thread that writes every judged event once more, as JSON, for programs that know nothing of
/// ours, until stop() (docs/formats/judged_json.md). Who starts again writes some again; they carry
/// the place of their event, which only grows in a lane, so that a reader can leave them out.
class Publisher {
public:
    /// Appends an event as other programs are to read it.
    using Render = std::function<void(const FoundEvent&, std::string&)>;

    struct Topics {
        std::unique_ptr<journal::SharedFeed> judged;
        std::unique_ptr<journal::MessageWriter> json;  ///< With as many lanes.
    };

    /// `log`: of the judged events.
    Publisher(Topics topics, journal::LogId log, Render render);
    Publisher(const Publisher&) = delete;
    Publisher& operator=(const Publisher&) = delete;
    ~Publisher();

    /// Events that were written since the start. Thread-safe.
    std::uint64_t published() const { return published_.load(); }

    /// Idempotent. Waits.
    void stop();

private:
    Result<void> turn();
    Result<storage::CommitPosition> publish(const FoundEvent& event);

    Topics topics_;
    const journal::LogId log_;
    Render render_;
    std::map<std::uint32_t, events::SourceOrder> sources_;  ///< Of each lane, as far as it is done.
    std::atomic<std::uint64_t> published_ = 0;
    runtime::Turns turns_;
};

}  // namespace footfall::intake
