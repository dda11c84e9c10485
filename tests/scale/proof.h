#pragma once

#include "filler.h"
#include "memory_watch.h"
#include "report.h"
#include "test_support/footfall_process.h"
#include "workload.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace footfall::scale {

struct ProofOptions {
    std::filesystem::path folder = "build/prove/scale";  ///< Results, and the data directory.
    std::uint64_t objects = 10'000'000;
    std::uint64_t tokens = 50'000'000;  ///< Of the big object; a fiftieth of them by PUT.
    std::chrono::seconds seconds{3600};
    std::chrono::seconds window{10};
    std::uint64_t memory_mib = 1024;
    std::size_t connections = 64;
    std::size_t fill_connections = 2;
    std::uint64_t batch_lines = 500;  ///< Larger ones hold up PUTs on their thread.
    std::optional<double> fill_rate;  ///< Lines a second; absent: as fast as the server takes them.
    double probe_rate = 5'000;        ///< PUTs a second beside the filling.
    std::uint64_t seed = 1;
    bool judge_latency = true;
    bool keep = false;  ///< Go on with what the folder holds; else start with nothing.
};

/// The proof of size: a server in a process of its own, filled and loaded in phases, watched all
/// the time. State is kept in the folder between runs, so that phases can be run one by one.
class Proof {
public:
    explicit Proof(const ProofOptions& options);

    /// Many small objects, by batches, with PUTs on a schedule beside them.
    void fill();

    /// One object with very many tokens, the same way.
    void big();

    /// PUTs as fast as the server answers.
    void hour();

    /// Counts of a sample; then, with the server stopped, the rows of the big object.
    void verify();

    /// Judges all, writes the results; whether every promise was kept.
    bool finish();

private:
    void run_phase(const std::string& name, PutLoad& load, Filler* filler, std::uint64_t things);
    std::string progress(
        const std::string& name,
        const PutLoad& load,
        const Filler* filler,
        std::uint64_t things,
        double begin
    ) const;
    PutLoad::Options load_options();
    void stop_server();
    void judge(std::string promise, std::string found, bool kept);

    const ProofOptions options_;
    Workload workload_;
    const std::filesystem::path state_;
    test_support::FootfallProcess server_;
    MemoryWatch watch_;
    Report report_;
};

}  // namespace footfall::scale
