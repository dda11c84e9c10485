#pragma once

#include <string_view>

namespace footfall::events {

/// Whether an event may have this action: a word of a-z, 0-9, "_", "-" and ".", of at most
/// longest_action letters.
bool is_action(std::string_view text);

}  // namespace footfall::events
