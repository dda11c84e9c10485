#pragma once

#include "storage/table.h"

namespace footfall::webhooks {

/// One partition, so that all are read at once; `all` is there because a table needs one.
extern const storage::Table webhook_table;

extern const storage::Table webhook_progress_table;

/// The only value of `all`.
inline constexpr const char* all_hooks = "all";

}  // namespace footfall::webhooks
