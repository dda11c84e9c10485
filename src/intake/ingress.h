#pragma once

#include "events/event.h"
#include "foundation/clock.h"
#include "intake/log_collector.h"
#include "journal/message_writer.h"
#include "journal/shared_feed.h"
#include "runtime/turns.h"

#include <atomic>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>

namespace footfall::intake {

/// Why a record is no event.
struct Rejection {
    std::string type;    ///< Of the problem, as the API names it.
    std::string detail;  ///< A sentence.
    std::string field;   ///< At fault; empty: the record as a whole.
    /// Why the record itself is not told with the reason; empty: it is.
    std::string left_out = {};
    bool says_who_read = false;
};

/// Whether a read that names its actor may come from another program, by a topic in which it lies
/// in clear.
enum class ForeignReads { refused, taken };

/// The event that a record of another program is, as POST /api/v1/events would read it: one JSON
/// object, or one CloudEvents envelope where its content type says so. Who gives no id gets one
/// from the place of the record in its log, so that it is one event however often it is read; who
/// gives no time, that of the record, or `arrival`. One that is larger than about 2 MiB is no
/// event, whatever stands in it. Pure.
std::expected<events::Event, Rejection> read_foreign(
    const journal::SharedRecord& record,
    journal::LogId log,
    Instant arrival,
    ForeignReads reads = ForeignReads::refused
);

/// A thread that takes the events that other programs wrote, by the trusted door, until stop().
/// What it has read is done once the events are durable in the collector's log; until then it is
/// read again, and so may be appended twice: the guard counts events of one id once. What is no
/// event is written elsewhere, with the reason (docs/formats/ingress.md). While there is no room
/// for events nothing more is read.
///
/// The collector and the clock must outlive it.
class Ingress {
public:
    /// Since the start.
    struct Figures {
        std::uint64_t accepted = 0;
        std::uint64_t rejected = 0;
        std::uint64_t refused_reads = 0;  ///< Not among these: they said who read what.
    };

    /// Where records come from, and where those go that are no events.
    struct Topics {
        std::unique_ptr<journal::SharedFeed> events;
        std::unique_ptr<journal::MessageWriter> rejected;
    };

    Ingress(Topics topics, LogCollector& collector, const Clock& clock, ForeignReads reads);
    Ingress(const Ingress&) = delete;
    Ingress& operator=(const Ingress&) = delete;
    ~Ingress();

    /// Thread-safe.
    Figures figures() const {
        return {.accepted = accepted_, .rejected = rejected_, .refused_reads = refused_reads_};
    }

    /// Idempotent. Waits.
    void stop();

private:
    Result<void> turn();
    Result<storage::CommitPosition> reject(
        const journal::SharedRecord& record, const Rejection& why
    );

    Topics topics_;
    LogCollector* collector_;
    const Clock* clock_;
    const ForeignReads reads_;
    std::atomic<std::uint64_t> accepted_ = 0;
    std::atomic<std::uint64_t> rejected_ = 0;
    std::atomic<std::uint64_t> refused_reads_ = 0;
    runtime::Turns turns_;
};

}  // namespace footfall::intake
