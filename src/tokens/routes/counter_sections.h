#pragma once

#include "foundation/result.h"
#include "jobs/settings.h"
#include "tokens/counter_config.h"

#include <span>
#include <string_view>
#include <vector>

namespace footfall::tokens::routes {

/// The counters of a configuration file are its sections [[counter]].
inline constexpr std::string_view counter_section = "counter";

/// Reads them: name (text), ttl (duration) and limit. `invalid_input` names what is wrong, and
/// where; two of one name are.
Result<std::vector<CounterConfig>> read_counters(std::span<const jobs::Section> sections);

}  // namespace footfall::tokens::routes
