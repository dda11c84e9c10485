#pragma once

#include "cli/rejects.h"
#include "events/event.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "http_server/client.h"

#include <cstdint>
#include <memory>

namespace footfall::deployment {
class Deployment;
}

namespace footfall::cli {

/// An event to be put, and where it was read. It may be taken (events::tidy_event) and is UTF-8.
struct SourceEvent {
    std::uint64_t line = 0;
    events::Event event;
};

/// Where imported events go. put() keeps the order of each object's events; nothing is promised
/// before finish() has answered. For one thread.
class EventSink {
public:
    virtual ~EventSink() = default;

    /// Takes an event; may wait for earlier ones. An error ends the import.
    virtual Result<void> put(SourceEvent event) = 0;

    /// Waits until all that was put is durable.
    virtual Result<void> finish() = 0;

    /// How many events were taken so far that were not there already.
    virtual std::uint64_t imported() const = 0;

    /// How many were there already.
    virtual std::uint64_t duplicates() const = 0;
};

/// Sends batches to POST /api/v1/events. A server that says it is busy is asked again for up to a
/// minute.
std::unique_ptr<EventSink> make_server_event_sink(http_server::ServerUrl server, RejectLine reject);

/// Judges and counts them in an open data directory. Both must outlive it.
std::unique_ptr<EventSink> make_directory_event_sink(
    deployment::Deployment& directory, const Clock& clock
);

}  // namespace footfall::cli
