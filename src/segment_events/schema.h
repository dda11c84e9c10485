#pragma once

#include "storage/table.h"

namespace footfall::segment_events {

/// A partition an id, so that all that is known of what somebody did is one read.
extern const storage::Table segment_did_table;

}  // namespace footfall::segment_events
