#pragma once

#include "showing/shown_column.h"

#include <span>

namespace footfall::timeseries::routes {

/// How `footfall table` shows points of a block: [[milliseconds since 1970, value], ..], and
/// cells: [[milliseconds since 1970, least, largest, sum, number, last], ..]; what is no number of
/// JSON as a text.
std::span<const showing::ShownColumn> shown_timeseries();

}  // namespace footfall::timeseries::routes
