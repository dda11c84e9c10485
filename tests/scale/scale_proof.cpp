// Ten million objects and one of fifty million tokens in a gibibyte, then an hour flat out.
//
//   build/release/tests/scale/scale_proof --help

#include "proof.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <string>
#include <vector>

namespace {

using footfall::scale::Proof;
using footfall::scale::ProofOptions;

int run(const ProofOptions& options, const std::vector<std::string>& phases) {
    Proof proof{options};
    const auto wanted = [&](const char* phase) {
        return std::ranges::find(phases, phase) != phases.end();
    };
    if (wanted("fill")) {
        proof.fill();
    }
    if (wanted("big")) {
        proof.big();
    }
    if (wanted("hour")) {
        proof.hour();
    }
    if (wanted("verify")) {
        proof.verify();
    }
    return proof.finish() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    ProofOptions options;
    std::vector<std::string> phases{"fill", "big", "hour", "verify"};
    bool any_latency = false;
    CLI::App app{"Fills a server with many objects and one very large one, loads it, watches it"};
    app.add_option("--phase", phases, "fill, big, hour, verify; in this order whatever is named")
        ->check(CLI::IsMember({"fill", "big", "hour", "verify"}));
    app.add_flag(
        "--keep", options.keep, "Go on with the data of the last run; else start with none"
    );
    app.add_option("--folder", options.folder, "Results and data")->capture_default_str();
    app.add_option("--objects", options.objects)->capture_default_str();
    app.add_option("--tokens", options.tokens, "Of the big object")->capture_default_str();
    app.add_option_function<long>(
        "--seconds",
        [&](long seconds) { options.seconds = std::chrono::seconds{seconds}; },
        "How long the hour is (3600)"
    );
    app.add_option_function<long>(
        "--window",
        [&](long seconds) { options.window = std::chrono::seconds{seconds}; },
        "Seconds of a latency window (10)"
    );
    app.add_option("--memory-mib", options.memory_mib, "The budget")->capture_default_str();
    app.add_option("--connections", options.connections, "That PUT")->capture_default_str();
    app.add_option("--fill-connections", options.fill_connections, "That POST")
        ->capture_default_str();
    app.add_option("--batch-lines", options.batch_lines, "Of a POST, about")
        ->capture_default_str()
        ->check(CLI::Range(1, 100'000));
    app.add_option("--fill-rate", options.fill_rate, "Lines a second; else flat out");
    app.add_option("--probe-rate", options.probe_rate, "PUTs a second while filling")
        ->capture_default_str();
    app.add_option("--seed", options.seed)->capture_default_str();
    app.add_flag("--any-latency", any_latency, "Judge counts and memory only");
    CLI11_PARSE(app, argc, argv);
    options.judge_latency = !any_latency;
    try {
        return run(options, phases);
    } catch (const std::exception& error) {
        fmt::print(stderr, "scale_proof: {}\n", error.what());
        return 1;
    }
}
