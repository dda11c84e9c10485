#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "intake/lane_judge.h"
#include "runtime/lanes.h"

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>

namespace footfall::intake {

/// How far back ids are known: since when events of a lane have come whose ids stand. What happened
/// before then may have come, and its id been let go. Thread-safe.
class KnownSince {
public:
    /// The context must outlive it.
    explicit KnownSince(const Context& context)
        : context_{&context}, in_store_{context.log->is_in(*context.store)} {}

    /// For an event that came at `arrival`; absent: every id of the lane is known that ever came.
    /// To be asked after ids were looked for. Reads the log where its beginning is not known:
    /// waits.
    Result<std::optional<Instant>> of(std::uint32_t lane, Instant arrival);

private:
    /// When the first event came of a lane that begins there.
    struct First {
        std::uint64_t begin = 0;
        Instant arrival{};
    };

    Result<std::optional<Instant>> first_arrival(std::uint32_t lane);
    Result<std::optional<Instant>> read_first_arrival(std::uint32_t lane, std::uint64_t from) const;

    const Context* context_;
    const bool in_store_;
    std::mutex mutex_;
    std::array<std::optional<First>, runtime::lane_count> firsts_{};  ///< Guarded by mutex_.
};

}  // namespace footfall::intake
