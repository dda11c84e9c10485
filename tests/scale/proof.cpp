#include "proof.h"

#include "stored_tokens.h"
#include "test_support/api.h"
#include "test_support/must.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <future>
#include <thread>
#include <utility>

namespace footfall::scale {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t default_limit = 100'000;
constexpr std::uint64_t sampled_objects = 5'000;
constexpr double p99_limit_ms = 10;
/// "Flat": from the first window to the last p99 changes by less than a quarter, or by less than
/// this.
constexpr double drift_noise_ms = 0.5;

/// The folder's file of state; everything from a run before is gone unless it is to be kept.
std::filesystem::path prepare(const ProofOptions& options) {
    const std::filesystem::path state = options.folder / "state.bin";
    std::filesystem::create_directories(options.folder);
    if (!options.keep) {
        std::filesystem::remove_all(options.folder / "data");
        std::filesystem::remove(state);
    } else if (!std::filesystem::exists(state)) {
        test_support::give_up("nothing to go on with: there is no " + state.string());
    }
    return state;
}

}  // namespace

Proof::Proof(const ProofOptions& options)
    : options_{options},
      workload_{options.objects, options.seed},
      state_{prepare(options)},
      server_{
          (options.folder / "data").string(), {"--memory", fmt::format("{}MiB", options.memory_mib)}
      },
      watch_{server_.process().pid()} {
    report_.settings = {
        {"objects", static_cast<double>(options.objects)},
        {"tokens", static_cast<double>(options.tokens)},
        {"seconds", static_cast<double>(options.seconds.count())},
        {"memory_mib", static_cast<double>(options.memory_mib)},
        {"connections", static_cast<double>(options.connections)},
        {"fill_connections", static_cast<double>(options.fill_connections)},
        {"fill_rate", options.fill_rate.value_or(0)},
        {"batch_lines", static_cast<double>(options.batch_lines)},
        {"probe_rate", options.probe_rate},
        {"seed", static_cast<double>(options.seed)}
    };
    report_.memory_limit_mib = static_cast<double>(options.memory_mib) * 1.25 + 200;
    if (options.keep && !workload_.restore(state_)) {
        test_support::give_up(state_.string() + " is of another number of objects");
    }
    // From now on the directory may hold more than the state knows of: a run that dies cannot be
    // gone on with.
    std::filesystem::remove(state_);
}

PutLoad::Options Proof::load_options() {
    return {
        .port = server_.port(),
        .connections = options_.connections,
        .rate = options_.probe_rate,
        .window = options_.window,
        .next = [this] { return std::optional{workload_.draw()}; },
        .acknowledged = [this](const Put& put) { workload_.acknowledged(put); }
    };
}

void Proof::fill() {
    PutLoad probe{load_options()};
    Filler filler{
        {.port = server_.port(),
         .connections = options_.fill_connections,
         .things = options_.objects,
         .things_a_batch = std::max<std::uint64_t>(1, options_.batch_lines / 2),
         .rate = options_.fill_rate.transform([](double lines) { return lines / 2; }),
         .lines = Workload::fill_lines}
    };
    run_phase("fill", probe, &filler, options_.objects);
    workload_.set_filled();
}

void Proof::big() {
    const std::uint64_t by_put = options_.tokens / 50;
    const std::uint64_t by_post = options_.tokens - by_put;
    std::uint64_t next = by_post;
    PutLoad::Options puts = load_options();
    puts.next = [this, &next] {
        return next < options_.tokens ? std::optional{Put{big_object, next++}} : std::nullopt;
    };
    puts.acknowledged = [](const Put&) {};
    PutLoad load{std::move(puts)};
    Filler filler{
        {.port = server_.port(),
         .connections = options_.fill_connections,
         .things = by_post,
         .things_a_batch = options_.batch_lines,
         .rate = options_.fill_rate,
         .lines = Workload::big_lines}
    };
    run_phase("big", load, &filler, by_post);
    workload_.add_big_tokens(options_.tokens);
}

void Proof::hour() {
    PutLoad::Options puts = load_options();
    puts.rate.reset();
    PutLoad load{std::move(puts)};
    run_phase("hour", load, nullptr, 0);
}

/// Runs the load until the filler is done and the load has no more PUTs of its own or, without a
/// filler, as long as the options say. Prints a line a window.
void Proof::run_phase(
    const std::string& name, PutLoad& load, Filler* filler, std::uint64_t things
) {
    const MemorySample begin = watch_.look();
    std::future<void> filling;
    if (filler != nullptr) {
        filling = std::async(std::launch::async, [filler] { filler->run(); });
    }
    std::stop_source stop;
    std::future<void> putting =
        std::async(std::launch::async, [&load, token = stop.get_token()] { load.run(token); });
    const bool finite = name == "big";  // its PUTs end by themselves
    std::size_t printed = 0;
    for (bool over = false; !over;) {
        putting.wait_for(200ms);
        const std::size_t windows = load.windows().size();
        if (windows != printed) {
            printed = windows;
            fmt::print("{}\n", progress(name, load, filler, things, begin.at));
            std::fflush(stdout);
        }
        const bool filled = filler == nullptr ? watch_.now() - begin.at >=
                                                    static_cast<double>(options_.seconds.count())
                                              : filling.wait_for(0s) == std::future_status::ready;
        if (filled && !finite) {
            stop.request_stop();
        }
        const bool put = putting.wait_for(0s) == std::future_status::ready;
        over = put && (filled || !load.failure().empty());
    }
    if (filling.valid()) {
        filling.get();
    }
    putting.get();
    if (!load.failure().empty()) {
        test_support::give_up(name + ": " + load.failure() + "\n" + server_.process().errors());
    }
    const MemorySample end = watch_.look();
    report_.phases.push_back(
        {.name = name,
         .begin = begin.at,
         .end = end.at,
         .lines = filler == nullptr ? 0 : filler->lines(),
         .batches_refused = filler == nullptr ? 0 : filler->refused(),
         .server_cpu_seconds = end.cpu_seconds - begin.cpu_seconds,
         .windows = load.windows()}
    );
}

std::string Proof::progress(
    const std::string& name,
    const PutLoad& load,
    const Filler* filler,
    std::uint64_t things,
    double begin
) const {
    const Window window = load.windows().back();
    const double spent = watch_.now() - begin;
    double left = static_cast<double>(options_.seconds.count()) - spent;
    std::string filled;
    if (filler != nullptr) {
        const auto done = static_cast<double>(filler->done());
        left = done > 0 ? spent * (static_cast<double>(things) - done) / done : 0;
        filled = fmt::format(
            "{:.1f} of {:.1f} M, {:.0f} k lines/s  ",
            done / 1e6,
            static_cast<double>(things) / 1e6,
            static_cast<double>(filler->lines()) / spent / 1000
        );
    }
    return fmt::format(
        "{:<5} {}{:.0f} PUT/s  p50 {:.2f} p99 {:.2f} max {:.1f} ms  {} refused  {:.0f} % stolen  "
        "resident {:.0f} MiB  {:.0f} s left",
        name,
        filled,
        static_cast<double>(window.puts) / window.seconds,
        window.p50_ms,
        window.p99_ms,
        window.max_ms,
        window.refused,
        100 * window.stolen,
        watch_.look().resident_mib,
        std::max(0.0, left)
    );
}

void Proof::verify() {
    test_support::Api api{server_};
    Random random{options_.seed + 1};
    std::uint64_t wrong = 0;
    for (std::uint64_t sample = 0; sample < sampled_objects; ++sample) {
        const std::uint64_t object = random.below(workload_.objects());
        const std::uint64_t count = api.count(object_name(object));
        if (count != workload_.expected(object) && ++wrong <= 10) {
            fmt::print(
                "{} counts {} instead of {}\n",
                object_name(object),
                count,
                workload_.expected(object)
            );
        }
    }
    judge(
        "counts are exact",
        fmt::format("{} of {} sampled objects are wrong", wrong, sampled_objects),
        wrong == 0
    );
    if (workload_.big_tokens() == 0) {
        return;
    }
    const auto answer = api.counter_json(object_name(big_object));
    const auto count = answer.at("count").to_number<std::uint64_t>();
    const bool at_least = answer.at("at_least").as_bool();
    const bool above = workload_.big_tokens() > default_limit;
    judge(
        "the big object answers its limit and at_least above it",
        fmt::format("{}{} of {} tokens", count, at_least ? "+" : "", workload_.big_tokens()),
        count == std::min(workload_.big_tokens(), default_limit) && at_least == above
    );
    stop_server();
    const std::uint64_t stored = stored_tokens(options_.folder / "data", object_name(big_object));
    judge(
        "every token of the big object is stored once",
        fmt::format("{} rows for {} tokens", stored, workload_.big_tokens()),
        stored == workload_.big_tokens()
    );
}

void Proof::stop_server() {
    if (!server_.process().running()) {
        return;
    }
    report_.memory = watch_.samples();
    judge("SIGTERM ends it with 0", "after all that", server_.stop(60s) == 0);
}

void Proof::judge(std::string promise, std::string found, bool kept) {
    report_.verdicts.push_back({std::move(promise), std::move(found), kept});
}

bool Proof::finish() {
    stop_server();
    judge(
        fmt::format(
            "resident <= {} MiB + 25 % + 200 MiB = {:.0f} MiB",
            options_.memory_mib,
            report_.memory_limit_mib
        ),
        fmt::format("{:.0f} MiB at most", report_.peak_mib()),
        report_.peak_mib() <= report_.memory_limit_mib
    );
    for (const Phase& phase : report_.phases) {
        if (!options_.judge_latency || phase.windows.empty()) {
            continue;
        }
        judge(
            fmt::format("{}: p99 < {} ms in every window", phase.name, p99_limit_ms),
            fmt::format(
                "{:.2f} ms in the worst; {}", phase.worst_p99_ms(), phase.above(p99_limit_ms)
            ),
            phase.worst_p99_ms() < p99_limit_ms
        );
        if (phase.name == "hour") {
            const double drift = phase.p99_drift_ms();
            judge(
                "hour: p99 is flat",
                fmt::format("{:+.3f} ms from {:.2f}", drift, phase.mean_p99_ms()),
                drift < std::max(drift_noise_ms, phase.mean_p99_ms() / 4)
            );
        }
    }
    if (!report_.phases.empty()) {  // asking for counts again leaves the figures of the run before
        report_.write(options_.folder);
    }
    report_.print();
    workload_.save(state_);
    return std::ranges::all_of(report_.verdicts, &Verdict::kept);
}

}  // namespace footfall::scale
