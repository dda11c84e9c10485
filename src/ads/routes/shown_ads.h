#pragma once

#include "showing/shown_column.h"

#include <span>

namespace footfall::ads::routes {

/// How `writer`, `days`, `quarters`, `refused` and the `rows` of sealed months are shown.
std::span<const showing::ShownColumn> shown_ads();

}  // namespace footfall::ads::routes
