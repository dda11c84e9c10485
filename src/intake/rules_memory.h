#pragma once

#include "foundation/result.h"
#include "intake/lane_judge.h"

#include <span>

namespace footfall::intake {

/// What the rules of all lanes remember of the past, from one clean stop to the next start, which
/// then reads no log for it (docs/decisions/0058-rules-memory.md).
///
/// It holds for one state of the log alone: where each lane ends, and under which rules. So it is
/// used once, by the start that finds the log as the stop left it; an event that was appended since
/// makes it void. Whoever starts with it judges as one who reads the log again, or never ended:
/// times of repeats that were left out, to keep it small, are asked of the store.
///
/// For a log that is in the store, of a program that judges by itself: on a cluster, or where
/// rates are shared in Redis, both do nothing. While nobody takes events. Wait.

/// So much is stored of one lane, at most, and so many keys of repeats: about 1 MiB.
inline constexpr std::size_t stored_keys_max = 80'000;
inline constexpr std::size_t stored_filter_bytes_max = 1 << 20;
inline constexpr std::size_t stored_rates_bytes_max = 1 << 20;

/// Stores it, after all that follows from the log. Nothing where something is missing in the store,
/// or rates hold what is not in the log, or more than is stored.
Result<void> store_rules_memory(const Context& context, JudgeLanes& lanes);

/// Begins all lanes with what is stored, if it fits, and erases it. False: it does not fit, or
/// there is none, and all lanes are to be read again.
Result<bool> restore_rules_memory(
    const Context& context, JudgeLanes& lanes, std::span<const LaneJudge::Checkpoint> checkpoints
);

}  // namespace footfall::intake
