#pragma once

#include "jobs/job.h"

namespace footfall::jobs {

/// The jobs of this program. Every program that links the command line, or the server, defines it:
/// `footfall` does by the module job_list. All are there for as long as the program runs.
List all();

}  // namespace footfall::jobs
