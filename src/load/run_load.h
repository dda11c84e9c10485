#pragma once

#include "foundation/result.h"
#include "load/count_check.h"
#include "load/load_run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace footfall::load {

/// What is spoken to the server.
enum class Speech { counter, events, redis_sets, redis_strings, targets };

enum class Check { none, sample, all };

/// A whole test of a server.
struct LoadOptions {
    std::string host = "127.0.0.1";
    std::uint16_t port = 8080;
    std::string authorization = {};  ///< The header of this name in HTTP requests; empty: none.
    Speech speech = Speech::counter;
    std::string counter = "default";        ///< Of tokens.
    std::uint64_t people = 1'000'000;       ///< Of events: how many different actors, above 0.
    bool full_events = false;               ///< With address and agent.
    std::vector<std::string> targets = {};  ///< As target_protocol(); as many as objects.
    TrafficShape traffic;
    LoadPlan plan;
    std::size_t connections = 64;
    std::size_t depth = 1;
    Check check = Check::sample;
};

/// `invalid_input` for options that contradict each other.
Result<void> check_options(const LoadOptions& options);

struct LoadReport {
    Measured total;
    std::uint64_t operations_a_request = 1;
    std::optional<std::size_t> server_cores;  ///< That it may run on; with a server_pid.
    std::optional<CheckResult> check;
};

/// Whose core was busy enough to be what limited the rate.
enum class LimitedBy { client, server, neither };

LimitedBy limited_by(const LoadReport& report);

/// Asks what is there, sends the traffic, asks what is counted now, compares. `unavailable`: the
/// server cannot be reached, or went away; `corrupt`: its answers cannot be understood;
/// `invalid_input`: see check_options().
Result<LoadReport> run_load(const LoadOptions& options, LoadRun::OnWindow on_window);

}  // namespace footfall::load
