#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "journal/log.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace footfall::journal {

/// A record as whoever wrote it left it.
struct SharedRecord {
    std::uint32_t lane = 0;
    std::uint64_t offset = 0;
    std::optional<Instant> time = {};  ///< When it was written, as its writer says.
    std::string key = {};
    std::string value = {};
    std::string content_type = {};      ///< Empty: its writer did not say.
    bool is_binary_cloudevent = false;  ///< What it says of itself stands beside the value.
};

/// Records of lanes that several processes share, for those who keep nothing of how far they came:
/// each record is given to one of them, and again to it or another until it is done. Belongs to one
/// thread.
class SharedFeed {
public:
    SharedFeed() = default;
    SharedFeed(const SharedFeed&) = delete;
    SharedFeed& operator=(const SharedFeed&) = delete;
    virtual ~SharedFeed() = default;

    /// With the lane and the offset it names a record for good.
    virtual LogId id() const = 0;

    /// What a person calls the log.
    virtual const std::string& name() const = 0;

    /// Those that were given last, unless they are done; else the next ones, in the order of each
    /// lane; none within `patience`. Valid until the next call that is not const.
    virtual Result<std::span<const SharedRecord>> poll(std::chrono::milliseconds patience) = 0;

    /// All that were given last need not be given again.
    virtual void done() = 0;

    /// Takes leave of the other processes: they are given what is not done. Another poll() joins
    /// again. Idempotent.
    virtual void leave() = 0;
};

}  // namespace footfall::journal
