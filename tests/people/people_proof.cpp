// How close sketches count, from one person to a thousand million, and whether every gate of that
// holds.
//
//   build/release/tests/people/people_proof --help

#include "curve.h"
#include "gates.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace footfall::people;

struct Options {
    std::size_t runs = 10'000;
    std::uint64_t seed = 1;
    std::size_t threads = 2;
    std::filesystem::path folder = "build/prove/people";
};

std::string as_csv(const std::vector<Point>& points) {
    std::string text = "people,way,runs,bias,rmse,percentile99,theory\n";
    for (const Point& point : points) {
        for (const Way way : ways) {
            if (const auto& errors = point.of(way); !errors.empty()) {
                const Summary found{errors};
                text += fmt::format(
                    "{:.0f},{},{},{:.8f},{:.8f},{:.8f},{:.8f}\n",
                    point.people,
                    name_of(way),
                    found.runs,
                    found.bias,
                    found.rmse,
                    found.percentile99,
                    theory(way, point.people)
                );
            }
        }
    }
    return text;
}

void write(const std::filesystem::path& file, const std::string& text) {
    std::ofstream out{file};
    out << text;
    if (!out.flush()) {
        throw std::runtime_error("cannot write " + file.string());
    }
}

void print_table(const Curve& curve) {
    fmt::print("rmse / bias, %{:>4}", "");
    for (const Way way : ways) {
        fmt::print("{:>17}", name_of(way));
    }
    fmt::print("\n");
    for (const Point& point : curve.points()) {
        fmt::print("{:>16.0f}  ", point.people);
        for (const Way way : ways) {
            const Summary found{point.of(way)};
            fmt::print(" {:7.4f} {:+8.4f}", 100 * found.rmse, 100 * found.bias);
        }
        fmt::print("\n");
    }
}

bool print_verdicts(const Curve& curve) {
    bool kept = true;
    for (const Verdict& verdict : judged(curve)) {
        fmt::print(
            "{:6}  {}: {}\n", verdict.kept ? "kept" : "BROKEN", verdict.promise, verdict.found
        );
        kept = kept && verdict.kept;
    }
    return kept;
}

/// All runs, those of each thread from seeds of its own.
Curve run_all(const Options& options) {
    constexpr std::size_t told_times = 10;
    std::vector<Curve> curves(options.threads);
    {
        std::atomic<std::size_t> done_by_all = 0;
        std::vector<std::jthread> threads;
        threads.reserve(options.threads);
        for (std::size_t at = 0; at < options.threads; ++at) {
            threads.emplace_back([&, at] {
                footfall::Random seeds{options.seed * options.threads + at};
                for (std::size_t run = at; run < options.runs; run += options.threads) {
                    curves[at].run(seeds());
                    const std::size_t done = ++done_by_all;
                    if (done * told_times / options.runs > (done - 1) * told_times / options.runs) {
                        fmt::print(stderr, "{} of {} runs\n", done, options.runs);
                    }
                }
            });
        }
    }
    Curve all;
    for (const Curve& curve : curves) {
        all.add(curve);
    }
    return all;
}

int run(const Options& options) {
    std::filesystem::create_directories(options.folder);
    const Curve curve = run_all(options);
    write(options.folder / "error.csv", as_csv(curve.points()));
    write(options.folder / "promotion.csv", as_csv(curve.promotion()));
    print_table(curve);
    fmt::print("{} runs, seed {}, threads {}\n", options.runs, options.seed, options.threads);
    return print_verdicts(curve) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app{"Error curves of sketches and their gates"};
    app.add_option("--runs", options.runs)->capture_default_str()->check(CLI::PositiveNumber);
    app.add_option("--seed", options.seed)->capture_default_str();
    app.add_option("--threads", options.threads)->capture_default_str()->check(CLI::PositiveNumber);
    app.add_option("--folder", options.folder, "Where the figures go")->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    try {
        return run(options);
    } catch (const std::exception& error) {
        fmt::print(stderr, "people_proof: {}\n", error.what());
        return 1;
    }
}
