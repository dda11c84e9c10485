#pragma once

#include "showing/shown_column.h"

#include <span>

namespace footfall::views::routes {

/// How `writer`, `counts` and `people` of the tables of views are shown.
std::span<const showing::ShownColumn> shown_views();

}  // namespace footfall::views::routes
