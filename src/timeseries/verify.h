#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "storage/store.h"
#include "timeseries/retention.h"

#include <cstdint>
#include <functional>
#include <string>

namespace footfall::timeseries {

/// What a comparison came to.
struct Verified {
    std::uint64_t points = 0;  ///< In all blocks that were read.
    std::uint64_t series = 0;
    std::uint64_t differences = 0;
};

struct VerifyOptions {
    SipKey secret;
    Retention retention = {};  ///< As whoever writes has it.
    Instant now;
};

/// Who is told of a comparison while it runs.
struct VerifyListeners {
    std::function<void(const std::string&)> difference;  ///< Each, as a sentence.
    std::function<void(std::uint64_t)> progress;         ///< Points so far, now and then.
    std::function<void(const std::string&)> remark;      ///< What is to be known, no difference.
};

/// Holds what is stored of metrics to itself: names to numbers, blocks to the hours they stand in
/// and to names, rows of an hour to what is noted of them, and cells to the points they are of, as
/// long as these are kept. Others may write meanwhile: what is newer is not looked at.
///
/// Memory: the names of all series, what is to be sealed, and the points of an hour. Blocks.
Result<Verified> verify(
    storage::Store& store, const VerifyOptions& options, const VerifyListeners& listeners
);

}  // namespace footfall::timeseries
