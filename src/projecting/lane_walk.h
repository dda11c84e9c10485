#pragma once

#include "events/source_order.h"
#include "events/verdict.h"
#include "foundation/result.h"
#include "journal/log.h"

#include <cstdint>
#include <functional>

namespace footfall::projecting {

/// Who reads the records of a lane in order, without those that stand there twice. Of one thread;
/// the log must outlive it.
struct LaneWalk {
    journal::Log* log;
    std::uint32_t lane;
    events::SourceOrder sources = {};

    using Each = std::function<Result<void>(std::uint64_t offset, const events::LogRecord& record)>;

    /// From `from` on, up to `end` or to its end. False: records are gone that were to be read.
    /// Waits.
    Result<bool> walk(std::uint64_t from, std::uint64_t end, const Each& each);
};

}  // namespace footfall::projecting
