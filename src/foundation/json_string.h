#pragma once

#include <string>
#include <string_view>

namespace footfall {

/// Writes `text`, which is UTF-8, as a JSON string, quotes included.
void append_json_string(std::string& json, std::string_view text);
std::string json_string(std::string_view text);

}  // namespace footfall
