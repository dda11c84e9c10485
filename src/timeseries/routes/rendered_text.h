#pragma once

#include "graphite/drawn.h"

#include <string>

namespace footfall::timeseries::routes {

/// A line as graphite-web 1.1 writes it for format=csv: "name,2026-11-30 10:00:00,1.5" and the end
/// of a line for each value, in UTC; nothing stands for none. A name is quoted where it has to be.
/// Pure.
void append_csv(const graphite::Drawn& line, std::string& text);

/// The same for format=raw: "name,start,end,step|1.5,None,2.0" and the end of a line. Pure.
void append_raw(const graphite::Drawn& line, std::string& text);

}  // namespace footfall::timeseries::routes
