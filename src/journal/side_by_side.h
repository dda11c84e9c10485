#pragma once

#include "foundation/result.h"
#include "journal/lane_feed.h"
#include "journal/records.h"
#include "runtime/blocking_pool.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace footfall::journal {

/// Records of a lane on their way to a reader.
struct Portion {
    std::uint32_t lane = 0;
    Records records;
    Result<void> taken = {};  ///< What the reader said.
};

/// Gives portions of several lanes to a reader side by side: who takes one mostly waits for the
/// store, or has a core of its own. Between two calls the reader is called by nobody. Belongs to
/// one thread, which takes its share.
class SideBySide {
public:
    explicit SideBySide(std::size_t lanes_at_once);

    /// Waits until all were taken. At most one portion of each lane.
    void give(LaneReader& reader, std::span<Portion> portions);

private:
    const std::size_t helpers_;
    runtime::BlockingPool pool_;
};

}  // namespace footfall::journal
