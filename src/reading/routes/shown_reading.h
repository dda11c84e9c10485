#pragma once

#include "showing/shown_column.h"

#include <span>

namespace footfall::reading::routes {

/// How `footfall table` shows the writer of a row, and the readers of a URL.
std::span<const showing::ShownColumn> shown_reading();

}  // namespace footfall::reading::routes
