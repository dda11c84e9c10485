#pragma once

#include <string_view>

namespace footfall::events {

/// Whether a parameter of a query says how a reader came and never what is read:
/// tracking_parameters.txt. `name` has its percent-encoding normalised; its case does not matter.
bool is_tracking_parameter(std::string_view name);

}  // namespace footfall::events
