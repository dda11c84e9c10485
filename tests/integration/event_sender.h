#pragma once

#include "events/event.h"
#include "foundation/random.h"
#include "http_server/client.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace footfall::power {

/// The days in which the events of event_of() happened, the last of them after the first.
inline constexpr const char* first_day = "2026-11-18";
inline constexpr const char* last_day = "2026-11-20";

/// Number `number` of a stream of events, the same whenever it is asked for. Few objects, of which
/// one is seen by thousands; times of three days, in no order; many repeats.
events::Event event_of(std::uint64_t stream, std::uint64_t number);

/// Names of all objects that events of any stream are about.
std::vector<std::string> object_names();

/// A client that sends the events of a stream in order, in batches, and each batch again until it
/// is acknowledged, before any other; now and then one that was acknowledged already. Some answers
/// are lost before it hears of them. Several may send the same stream. For one thread at a time.
class EventSender {
public:
    EventSender(std::uint64_t stream, std::uint64_t seed) : stream_{stream}, random_{seed} {}

    /// Sends until something is not acknowledged.
    void run(http_server::Client client);

    /// Sends a batch; whether it was acknowledged, heard or not.
    bool send(http_server::Client& client);

    std::uint64_t stream() const { return stream_; }

    /// Events of the stream before this were acknowledged to this sender.
    std::uint64_t acknowledged() const { return next_; }

    /// Events of the stream before this were sent by it.
    std::uint64_t attempted() const { return end_; }

    /// What was there already of batches that were sent again.
    struct SentAgain {
        std::uint64_t nothing = 0;
        std::uint64_t part = 0;
        std::uint64_t all = 0;
    };

    const SentAgain& sent_again() const { return sent_again_; }

    /// How often the answer was that nobody knows. While it sends, too.
    std::uint64_t unknown() const { return unknown_.load(); }

    /// Batches that were acknowledged and not before. While it sends, too.
    std::uint64_t batches() const { return batches_.load(); }

    /// Answers that no healthy server gives.
    const std::vector<std::string>& complaints() const { return complaints_; }

private:
    bool post(
        http_server::Client& client,
        std::uint64_t from,
        std::uint64_t before,
        std::uint64_t& duplicates
    );

    const std::uint64_t stream_;
    Random random_;
    std::uint64_t next_ = 0;
    std::uint64_t end_ = 0;  ///< Behind the batch that is under way; next_: there is none.
    std::atomic<std::uint64_t> unknown_ = 0;
    std::atomic<std::uint64_t> batches_ = 0;
    SentAgain sent_again_;
    std::vector<std::string> complaints_;
};

}  // namespace footfall::power
