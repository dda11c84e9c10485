#pragma once

#include "storage/table.h"

namespace footfall::audience {

/// What a question was answered on a day.
extern const storage::Table audience_number_table;

/// Which questions a key asked on a day: a row each, however often.
extern const storage::Table audience_asked_table;

}  // namespace footfall::audience
