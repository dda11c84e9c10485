#pragma once

#include "foundation/result.h"
#include "jobs/list.h"
#include "jobs/settings.h"
#include "server/configuration.h"
#include "server/setting_table.h"

#include <vector>

namespace footfall::server {

/// What jobs add to the table of settings: each of their values.
std::vector<SettingRow> rows_of_jobs(jobs::List list);

/// Each job reads its sections and its values; the error is the job's, and names the origin.
/// `settings` may hold those of others, too.
Result<jobs::OptionsByJob> read_jobs(
    jobs::List list, const Settings& settings, const Sections& sections
);

}  // namespace footfall::server
