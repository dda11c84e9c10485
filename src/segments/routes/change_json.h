#pragma once

#include "segments/segments.h"

#include <string>
#include <string_view>

namespace footfall::segments::routes {

/// Appends
/// {"number":,"change":"joined"|"left"|"erased","identifier":,"id_name":,"id_value":,"time":}; with
/// an "id" before that unless it is empty.
void append_change(const Change& change, std::string_view id, std::string& json);

}  // namespace footfall::segments::routes
