#pragma once

#include "segments/sampled.h"

#include <string>

// Numbers of people as members of JSON, with what they are worth.

namespace footfall::segments::routes {

/// "people", "exact", "error", and of an estimate "low" and "high".
std::string people_members(const Estimate& estimate);

/// "count", "exact", "error", "low", "high".
std::string pair_members(const Estimate& estimate);

/// "error", "low", "high".
std::string bounds_members(const Estimate& estimate);

}  // namespace footfall::segments::routes
