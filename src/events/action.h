#pragma once

#include <string_view>

namespace footfall::events {

/// Whether an event may have this action: a word of a-z, 0-9, "_", "-" and ".", of at most
/// longest_action letters.
bool is_action(std::string_view text);

/// The action of an event that says nothing but that ids are one person (src/identities). Its
/// object is one of these ids, which says who somebody is: it is told to nobody who may not know
/// people, so it is counted among all objects, and not by itself.
inline constexpr std::string_view identify_action = "identify";

}  // namespace footfall::events
