#pragma once

#include "api/parameters.h"
#include "events/event_json.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "http_server/request.h"
#include "intake/collector.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::api {

/// Of a batch of events, packed or not.
inline constexpr std::size_t event_body_bytes_max = 16 << 20;

/// Whether a request to POST /api/v1/events has one event, which may come before batches: at most
/// 64 KiB that are not packed, and no array and no second line. What cannot be read has none.
bool has_one_event(const http_server::Request& request);

/// The body of one POST /api/v1/events, taken in turns. Its events are taken in their order; what
/// became of each is told at the end. Used by one thread at a time; the request outlives it.
class EventBatchTurns {
public:
    /// Unpacks the body, and reads it as far as its form wants: 20 MB take up to 0.1 s. The answer
    /// of what cannot be read.
    static Asked<std::unique_ptr<EventBatchTurns>> open(
        const http_server::Request& request, Instant arrival
    );

    bool done() const { return reader_->done(); }

    /// Reads the next events, at most so many, and gives them to `collector`. Answers how many it
    /// read. Waits as Collector::collect() does.
    Result<std::size_t> take(intake::Collector& collector, std::size_t most);

    /// What became of the events, once done; held until they are durable.
    http_server::Response answer();

    /// When it ends by `cause`: says whether some may have been taken.
    http_server::Response failed(Error cause) const;

private:
    EventBatchTurns() = default;

    std::string unpacked_;  ///< The body, if it was packed.
    std::string key_;       ///< Of whom lines without an id get one; empty: none was sent.
    Instant arrival_{};
    std::unique_ptr<events::EventReader> reader_;  ///< Set by open().
    std::uint64_t accepted_ = 0;
    intake::Taken taken_;
    std::vector<events::RejectedEvent> rejected_;
};

/// Says that a batch of events failed, and what of it may have been taken.
http_server::Response failed_events(Error error);

}  // namespace footfall::api
