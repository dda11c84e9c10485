#pragma once

#include "foundation/clock.h"

#include <optional>
#include <string>
#include <string_view>

namespace footfall::reading {

/// What a process asks the owner of a lane to know up to which mark it has come
/// (Readership::passed). Other questions to readerships are of another length.
inline constexpr std::string_view passed_question = "passed";

/// What the owner answers.
std::string written_passed(std::optional<Instant> passed);

/// Absent as well where it is no such answer: who answered is another version.
std::optional<Instant> read_passed(std::string_view bytes);

}  // namespace footfall::reading
