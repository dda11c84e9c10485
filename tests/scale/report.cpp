#include "report.h"

#include "test_support/must.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>

namespace footfall::scale {
namespace {

namespace json = boost::json;

void write_file(const std::filesystem::path& file, std::string_view text) {
    std::ofstream out{file};
    out << text;
    if (!out.flush()) {
        test_support::give_up("cannot write " + file.string());
    }
}

json::object to_json(const Phase& phase) {
    json::array windows;
    for (const Window& window : phase.windows) {
        windows.push_back(
            {{"start", phase.begin + window.start},
             {"seconds", window.seconds},
             {"puts", window.puts},
             {"refused", window.refused},
             {"p50_ms", window.p50_ms},
             {"p99_ms", window.p99_ms},
             {"max_ms", window.max_ms},
             {"stolen", window.stolen}}
        );
    }
    return {
        {"name", phase.name},
        {"begin", phase.begin},
        {"end", phase.end},
        {"lines", phase.lines},
        {"batches_refused", phase.batches_refused},
        {"puts", phase.puts()},
        {"server_cpu_seconds", phase.server_cpu_seconds},
        {"worst_p99_ms", phase.worst_p99_ms()},
        {"mean_p99_ms", phase.mean_p99_ms()},
        {"p99_drift_ms", phase.p99_drift_ms()},
        {"windows", std::move(windows)}
    };
}

}  // namespace

std::uint64_t Phase::puts() const {
    std::uint64_t sum = 0;
    for (const Window& window : windows) {
        sum += window.puts;
    }
    return sum;
}

double Phase::worst_p99_ms() const {
    double worst = 0;
    for (const Window& window : windows) {
        worst = std::max(worst, window.p99_ms);
    }
    return worst;
}

double Phase::mean_p99_ms() const {
    double sum = 0;
    for (const Window& window : windows) {
        sum += window.p99_ms;
    }
    return windows.empty() ? 0 : sum / static_cast<double>(windows.size());
}

std::string Phase::above(double limit_ms) const {
    std::size_t above = 0;
    double stolen_above = 0;
    double stolen_below = 0;
    for (const Window& window : windows) {
        const bool is_above = window.p99_ms >= limit_ms;
        above += is_above ? 1 : 0;
        (is_above ? stolen_above : stolen_below) += 100 * window.stolen;
    }
    const std::size_t below = windows.size() - above;
    return fmt::format(
        "{} of {} windows above; the hypervisor took {:.1f} % of the cores in these, {:.1f} % in "
        "the others",
        above,
        windows.size(),
        stolen_above / static_cast<double>(std::max<std::size_t>(1, above)),
        stolen_below / static_cast<double>(std::max<std::size_t>(1, below))
    );
}

double Phase::p99_drift_ms() const {
    if (windows.size() < 3) {
        return 0;
    }
    const auto count = static_cast<double>(windows.size());
    double mean_start = 0;
    for (const Window& window : windows) {
        mean_start += window.start / count;
    }
    const double mean_p99 = mean_p99_ms();
    double products = 0;
    double squares = 0;
    for (const Window& window : windows) {
        products += (window.start - mean_start) * (window.p99_ms - mean_p99);
        squares += (window.start - mean_start) * (window.start - mean_start);
    }
    return products / squares * (windows.back().start - windows.front().start);
}

double Report::peak_mib() const {
    double peak = 0;
    for (const MemorySample& sample : memory) {
        peak = std::max(peak, sample.resident_mib);
    }
    return peak;
}

void Report::write(const std::filesystem::path& folder) const {
    json::array all_phases;
    std::string windows = "# phase\tsecond\tputs/s\tp50 ms\tp99 ms\tmax ms\trefused\tstolen\n";
    for (const Phase& phase : phases) {
        all_phases.push_back(to_json(phase));
        for (const Window& window : phase.windows) {
            fmt::format_to(
                std::back_inserter(windows),
                "{}\t{:.1f}\t{:.0f}\t{:.3f}\t{:.3f}\t{:.3f}\t{}\t{:.3f}\n",
                phase.name,
                phase.begin + window.start + window.seconds / 2,
                static_cast<double>(window.puts) / window.seconds,
                window.p50_ms,
                window.p99_ms,
                window.max_ms,
                window.refused,
                window.stolen
            );
        }
        windows += "\n\n";  // a block of its own for gnuplot
    }
    json::array all_memory;
    std::string resident = "# second\tresident MiB\tCPU s\n";
    for (const MemorySample& sample : memory) {
        all_memory.push_back(json::array{sample.at, sample.resident_mib, sample.cpu_seconds});
        fmt::format_to(
            std::back_inserter(resident),
            "{:.1f}\t{:.1f}\t{:.2f}\n",
            sample.at,
            sample.resident_mib,
            sample.cpu_seconds
        );
    }
    json::array all_verdicts;
    for (const Verdict& verdict : verdicts) {
        all_verdicts.push_back(
            {{"promise", verdict.promise}, {"found", verdict.found}, {"kept", verdict.kept}}
        );
    }
    json::object all_settings;
    for (const auto& [name, value] : settings) {
        all_settings[name] = value;
    }
    const json::object document{
        {"settings", std::move(all_settings)},
        {"memory_limit_mib", memory_limit_mib},
        {"peak_mib", peak_mib()},
        {"phases", std::move(all_phases)},
        {"verdicts", std::move(all_verdicts)},
        {"memory", std::move(all_memory)}
    };
    write_file(folder / "scale.json", json::serialize(document) + "\n");
    write_file(folder / "windows.tsv", windows);
    write_file(folder / "memory.tsv", resident);
}

void Report::print() const {
    for (const Phase& phase : phases) {
        const double seconds = phase.end - phase.begin;
        const auto puts = static_cast<double>(phase.puts());
        const auto lines = static_cast<double>(phase.lines);
        fmt::print(
            "{:<5} {:6.0f} s  {:9.0f} lines/s  {:8.0f} PUT/s  {:5.2f} us CPU an operation  "
            "p99 {:.2f} ms mean, {:.2f} worst, {:+.2f} drift\n",
            phase.name,
            seconds,
            lines / seconds,
            puts / seconds,
            1e6 * phase.server_cpu_seconds / std::max(1.0, lines + puts),
            phase.mean_p99_ms(),
            phase.worst_p99_ms(),
            phase.p99_drift_ms()
        );
    }
    for (const Verdict& verdict : verdicts) {
        fmt::print(
            "{:<7} {}: {}\n", verdict.kept ? "kept" : "BROKEN", verdict.promise, verdict.found
        );
    }
}

}  // namespace footfall::scale
