#pragma once

#include "foundation/result.h"
#include "journal/message_writer.h"

#include <cstdint>
#include <memory>
#include <string_view>

namespace footfall::journal {

/// Topics that this deployment writes for other programs, where it has brokers for them.
/// Thread-safe.
class OutgoingTopics {
public:
    OutgoingTopics() = default;
    OutgoingTopics(const OutgoingTopics&) = delete;
    OutgoingTopics& operator=(const OutgoingTopics&) = delete;
    virtual ~OutgoingTopics() = default;

    /// Opens the topic of this name, before which stands what all topics of the deployment begin
    /// with, and makes it if it is not there. What is written goes after a week, or as soon as
    /// judged events or addresses do. Waits. Failures: the brokers'.
    virtual Result<std::unique_ptr<MessageWriter>> open(std::string_view name) = 0;

    /// The lane of a key among so many, as other programs that write there choose it. Pure.
    virtual std::uint32_t lane_of(std::string_view key, std::uint32_t lanes) const = 0;
};

}  // namespace footfall::journal
