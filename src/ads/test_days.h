#pragma once

#include "ads/month.h"
#include "foundation/calendar_day.h"

#include <string_view>

namespace footfall::ads {

/// For tests: "2026-11-21".
inline Day day_named(std::string_view text) {
    return parse_day(text).value_or(0);
}

}  // namespace footfall::ads
