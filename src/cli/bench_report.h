#pragma once

#include "load/run_load.h"

#include <string>
#include <vector>

namespace footfall::cli {

/// What `bench` prints before it starts: what is sent, how, and what the latencies mean.
std::string bench_intro(const load::LoadOptions& options);

/// The head of the table of windows, and one line of it. Latencies in milliseconds.
std::string bench_window_head();
std::string bench_window_line(const load::Measured& window);

/// What `bench` prints at the end: totals, CPU time a request of both sides, who was the limit,
/// what failed, what was counted wrong.
std::string bench_summary(const load::LoadOptions& options, const load::LoadReport& report);

/// Everything as JSON, windows included. Times in seconds, latencies and CPU in microseconds.
std::string bench_json(
    const load::LoadOptions& options,
    const load::LoadReport& report,
    const std::vector<load::Measured>& windows
);

}  // namespace footfall::cli
