#pragma once

#include "showing/shown_column.h"

namespace footfall::jobs {

/// How a column `writer` (projecting::writer_of) is shown: {"log":..,"lane":..}, the log as the
/// number that other tables have in their column `log`; null where no lane wrote the row.
extern const showing::ShownColumn shown_writer;

}  // namespace footfall::jobs
