#pragma once

#include "foundation/result.h"
#include "storage/store.h"
#include "tokens/counter_config.h"

#include <span>

namespace footfall::tokens {

/// Holds the configured counters against those the store knows, and adds the new ones. A counter's
/// ttl decides where its rows lie: if it differs from the one the counter was made with, the answer
/// is `conflict` and says what to do. Blocks; for start-up.
Result<void> register_counters(storage::Store& store, std::span<const CounterConfig> counters);

}  // namespace footfall::tokens
