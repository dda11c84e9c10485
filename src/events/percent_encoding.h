#pragma once

#include <string>
#include <string_view>

namespace footfall::events {

/// Appends a part of a URL's path or query in its one spelling: what needs no encoding is decoded,
/// what must not stand raw is encoded, and digits are upper-case. Of one spelling is one spelling.
void append_normalised(std::string_view text, std::string& to);

/// With every triplet decoded; a "%" that begins none stays.
std::string percent_decoded(std::string_view text);

}  // namespace footfall::events
