#pragma once

#include "memory_watch.h"
#include "put_load.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace footfall::scale {

/// One phase of the proof, as it went.
struct Phase {
    std::string name;
    double begin = 0;  ///< By the memory watch's time.
    double end = 0;
    std::uint64_t lines = 0;  ///< By POST.
    std::uint64_t batches_refused = 0;
    double server_cpu_seconds = 0;
    std::vector<Window> windows;

    std::uint64_t puts() const;
    double worst_p99_ms() const;

    /// How p99 changed from the first window to the last, by the straight line of least squares
    /// through all; 0 for fewer than three.
    double p99_drift_ms() const;

    double mean_p99_ms() const;

    /// How many windows have their p99 above `limit_ms`, and what was stolen in these and in the
    /// others, in words.
    std::string above(double limit_ms) const;
};

/// A promise and how it came out.
struct Verdict {
    std::string promise;
    std::string found;
    bool kept = false;
};

/// All that was found.
struct Report {
    std::map<std::string, double> settings;
    double memory_limit_mib = 0;
    std::vector<Phase> phases;
    std::vector<MemorySample> memory;
    std::vector<Verdict> verdicts;

    double peak_mib() const;

    /// Writes scale.json, and windows.tsv and memory.tsv for the plots, into `folder`. Throws when
    /// it cannot.
    void write(const std::filesystem::path& folder) const;

    /// Prints phases and verdicts.
    void print() const;
};

}  // namespace footfall::scale
