#pragma once

#include "projecting/owners.h"
#include "rankings/trends.h"

#include <string_view>

namespace footfall::views {

/// Asks the owners of lanes what trends there, under the name of this projection. Both must outlive
/// what is answered.
rankings::OtherLanes other_lanes(projecting::Owners& owners, std::string_view projection);

}  // namespace footfall::views
