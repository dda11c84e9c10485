#include "cli/bench_command.h"

#include "cli/bench_report.h"
#include "cli/bench_targets.h"
#include "cli/rate_profile.h"
#include "cli/server_options.h"
#include "http_server/client.h"
#include "load/run_load.h"
#include "records/byte_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace footfall::cli {
namespace {

constexpr std::string_view redis_scheme = "redis://";
constexpr std::string_view redis_strings_scheme = "redis-strings://";

/// What the user wrote.
struct BenchOptions {
    ServerOptions server;
    std::string counter = "default";
    std::uint64_t objects = 100'000;
    double deviation = 0;
    double get_share = 0;
    std::uint64_t seed = 1;
    double rate = 0;
    bool poisson = false;
    std::string profile_file;
    std::string period;  ///< What is taken of that file.
    std::size_t connections = 64;
    std::size_t pipeline = 1;
    std::size_t post_batch = 0;
    bool events = false;  ///< Else tokens, or what is in the file of targets.
    std::string targets_file;
    std::uint64_t people = 1'000'000;
    bool full_events = false;
    std::uint64_t requests = 0;
    double duration = 10;
    double warm_up = 2;
    double window = 0;
    double patience = 5;
    int server_pid = 0;
    bool no_verify = false;
    bool verify_all = false;
    std::string json_file;
};

load::Nanoseconds nanoseconds(double seconds) {
    return static_cast<load::Nanoseconds>(seconds * 1e9);
}

/// CLI::PositiveNumber; but that says of a bad number up to where good ones go, in 300 digits.
CLI::Validator above_zero() {
    const auto check = [](std::string& text) {
        const bool good = CLI::PositiveNumber(text).empty();
        return good ? std::string{} : fmt::format("{} is not a number above 0", text);
    };
    return {check, "ABOVE 0"};
}

/// The server's address; its scheme says what is spoken.
Result<void> read_server(const std::string& url, load::LoadOptions& options) {
    std::string plain = url;
    if (url.starts_with(redis_scheme)) {
        options.speech = load::Speech::redis_sets;
        plain = "http://" + url.substr(redis_scheme.size());
    } else if (url.starts_with(redis_strings_scheme)) {
        options.speech = load::Speech::redis_strings;
        plain = "http://" + url.substr(redis_strings_scheme.size());
    }
    TRY(http_server::ServerUrl server, http_server::parse_server_url(plain));
    options.host = std::move(server.host);
    options.port = server.port;
    return {};
}

Result<load::LoadOptions> load_options(const BenchOptions& asked) {
    load::LoadOptions options;
    if (asked.events) {
        options.speech = load::Speech::events;
    }
    TRY_VOID(read_server(asked.server.url, options));
    TRY(options.authorization, asked.server.authorization());
    if (asked.events && options.speech != load::Speech::events) {
        return fail(
            ErrorKind::invalid_input, "Redis takes no events; --server needs an http:// URL"
        );
    }
    options.people = asked.people;
    options.full_events = asked.full_events;
    options.counter = http_server::percent_encode(asked.counter);
    std::uint64_t objects = asked.objects;
    if (!asked.targets_file.empty()) {
        if (options.speech != load::Speech::counter) {
            return fail(ErrorKind::invalid_input, "Redis has no targets; use an http:// URL");
        }
        options.speech = load::Speech::targets;
        TRY(const auto file, records::open_byte_source(asked.targets_file));
        TRY(options.targets, read_bench_targets(*file));
        objects = options.targets.size();
    }
    options.traffic = {
        .objects = objects,
        .deviation = asked.deviation > 0 ? asked.deviation : static_cast<double>(objects) / 6,
        .get_share = asked.get_share,
        .seed = asked.seed
    };
    options.connections = asked.connections;
    options.depth = asked.pipeline;
    options.plan.batch = asked.post_batch;
    options.plan.requests = asked.requests;
    options.plan.warm_up = nanoseconds(asked.warm_up);
    options.plan.duration = nanoseconds(asked.duration);
    options.plan.patience = nanoseconds(asked.patience);
    const double window =
        asked.window > 0 ? asked.window : std::clamp(std::round(asked.duration / 10), 1.0, 10.0);
    options.plan.window = nanoseconds(window);
    if (asked.rate > 0) {
        options.plan.rate = asked.rate;
        options.plan.arrivals =
            asked.poisson ? load::ArrivalKind::poisson : load::ArrivalKind::constant;
    }
    if (!asked.profile_file.empty()) {
        TRY(const auto file, records::open_byte_source(asked.profile_file));
        TRY(options.plan.profile, read_rate_profile(*file, asked.period));
    }
    if (asked.server_pid > 0) {
        options.plan.server_pid = asked.server_pid;
    }
    options.check = load::Check::sample;
    if (asked.no_verify) {
        options.check = load::Check::none;
    } else if (asked.verify_all) {
        options.check = load::Check::all;
    }
    TRY_VOID(check_options(options));
    return options;
}

void print(const std::string& text) {
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
}

/// Why the server refused what it was sent: it wants to see a key, or another one. Absent: it did
/// not, or is a server that knows no keys.
std::optional<Error> why_refused(
    const BenchOptions& asked, const Result<load::LoadReport>& report
) {
    if (report && report->total.failed.contains(403)) {
        return Error{
            .kind = ErrorKind::unavailable,
            .message =
                "the server answered 403: the key needs the scope write, and the scope read "
                "for counts. Give another one by --key KEY, or FOOTFALL_KEY in the "
                "environment."
        };
    }
    if (report && !report->total.failed.contains(401)) {
        return std::nullopt;
    }
    const auto server = asked.server.address();
    if (!server) {
        return std::nullopt;
    }
    const auto answer =
        http_server::Client{*server}.send(http_server::Method::get, "/api/v1/session");
    return answer && answer->status == 401 ? std::optional{refusal_of(*answer)} : std::nullopt;
}

/// Prints and keeps everything; `failed` if a count is wrong.
Result<ExitCode> run_bench(const BenchOptions& asked) {
    TRY(const load::LoadOptions options, load_options(asked));
    std::ofstream json;
    if (!asked.json_file.empty()) {
        json.open(asked.json_file);
        if (!json) {
            return fail(ErrorKind::invalid_input, fmt::format("cannot write {}", asked.json_file));
        }
    }
    print(bench_intro(options) + bench_window_head());
    std::vector<load::Measured> windows;
    const auto run = run_load(options, [&](const load::Measured& window) {
        windows.push_back(window);
        print(bench_window_line(window));
    });
    if (auto why = why_refused(asked, run)) {
        return std::unexpected(*std::move(why));
    }
    TRY(const load::LoadReport& report, run);
    print(bench_summary(options, report));
    if (json.is_open()) {
        json << bench_json(options, report, windows);
    }
    const bool wrong = report.check && !report.check->differences.empty();
    // A wrong body is a wrong count too; a refusal is not.
    return wrong || report.total.failed.contains(0) ? ExitCode::failed : ExitCode::ok;
}

void add_object_options(CLI::App& verb, BenchOptions& options) {
    options.server.add_to(verb);
    verb.add_option("--objects", options.objects, "How many objects, named 0 to N-1 [100000]")
        ->type_name("N")
        ->check(CLI::Range(1, 100'000'000));
    verb.add_option(
            "--deviation", options.deviation, "Standard deviation of the Gaussian [a sixth of N]"
    )
        ->type_name("OBJECTS")
        ->check(above_zero());
    verb.add_option("--seed", options.seed, "The same seed, the same tokens and ids [1]")
        ->type_name("N");
}

void add_token_options(CLI::App& verb, BenchOptions& options) {
    verb.add_option("--get", options.get_share, "Share of GETs, from 0 to 1 [0]")
        ->type_name("SHARE")
        ->check(CLI::Range(0.0, 1.0));
    verb.add_option("--counter", options.counter, "The counter")
        ->type_name("NAME")
        ->capture_default_str();
    verb.add_option(
            "--post-batch", options.post_batch, "POST so many tokens a request instead of PUTs"
    )
        ->type_name("N")
        ->check(CLI::Range(1, 100'000));
}

void add_event_options(CLI::App& verb, BenchOptions& options) {
    verb.add_option("--people", options.people, "How many different actors [1000000]")
        ->type_name("N")
        ->check(above_zero());
    verb.add_option("--batch", options.post_batch, "Events a request [500]")
        ->type_name("N")
        ->check(CLI::Range(1, 100'000));
    verb.add_flag("--full", options.full_events, "With an address and an agent in each event");
}

void add_load_options(CLI::App& verb, BenchOptions& options) {
    CLI::Option* const rate = verb.add_option(
                                      "--rate",
                                      options.rate,
                                      "Requests a second (open loop) [as fast as they are answered]"
    )
                                  ->type_name("N")
                                  ->check(above_zero());
    verb.add_flag("--poisson", options.poisson, "With --rate: at random moments, not evenly spaced")
        ->needs(rate);
    CLI::Option* const profile =
        verb.add_option(
                "--profile",
                options.profile_file,
                "With --rate: it goes up and down as in this file, played once in --duration; CSV "
                "lines of a time and a count, gzip and zstd too"
        )
            ->type_name("FILE")
            ->needs(rate);
    verb.add_option("--period", options.period, "Of that file only times that begin so [all of it]")
        ->type_name("TEXT")
        ->needs(profile);
    verb.add_option(
            "--connections",
            options.connections,
            fmt::format("Connections [{}]", options.connections)
    )
        ->type_name("N")
        ->check(CLI::Range(1, 60'000));
    verb.add_option("--pipeline", options.pipeline, "Requests in flight on a connection [1]")
        ->type_name("N")
        ->check(CLI::Range(1, 10'000));
    verb.add_option("--duration", options.duration, "How long is measured [10]")
        ->type_name("SECONDS")
        ->check(CLI::Range(0.1, 1e6));
    verb.add_option("--requests", options.requests, "Ends earlier, after so many")
        ->type_name("N")
        ->check(above_zero());
    verb.add_option("--warm-up", options.warm_up, "Sent before, not measured [2]")
        ->type_name("SECONDS")
        ->check(CLI::Range(0.0, 1e6));
    verb.add_option(
            "--patience", options.patience, "How long answers are waited for at the end [5]"
    )
        ->type_name("SECONDS")
        ->check(CLI::Range(0.0, 1e6));
    verb.add_option("--window", options.window, "A line for so long [a tenth, 1 to 10]")
        ->type_name("SECONDS")
        ->check(CLI::Range(0.1, 1e6));
}

void add_result_options(CLI::App& verb, BenchOptions& options) {
    verb.add_option("--server-pid", options.server_pid, "Tell the CPU time of this process too")
        ->type_name("PID")
        ->check(above_zero());
    verb.add_option("--json", options.json_file, "Write everything to this file, windows too")
        ->type_name("FILE");
    CLI::Option* const none =
        verb.add_flag("--no-verify", options.no_verify, "Do not check counts at the end");
    verb.add_flag("--verify-all", options.verify_all, "Check every object, not a sample of 1,000")
        ->excludes(none);
}

ExitCode run_verb(const BenchOptions& options) {
    const Result<ExitCode> done = run_bench(options);
    return done ? *done : report(done.error());
}

void add_counter_verb(CommandLine& command_line, CLI::App& bench) {
    auto options = std::make_shared<BenchOptions>();
    CLI::App& verb = command_line.add_verb(
        bench,
        "counter",
        "Random tokens on objects drawn from a Gaussian, as the token counters were first tested",
        "Tokens are random 64-bit numbers. At the end counts are compared with what was "
        "acknowledged; "
        "exit code 1 if one is wrong.\nOther servers, with the same client: redis://HOST:PORT "
        "(SADD, "
        "SCARD), redis-strings://HOST:PORT (SET, GET).\n\n"
        "Examples:\n"
        "  footfall bench counter --duration 30\n"
        "  footfall bench counter --rate 100000 --poisson --objects 10000000 --json run.json\n"
        "  footfall bench counter --pipeline 16 --server-pid \"$(pidof footfall)\"\n"
        "  footfall bench counter --server redis://127.0.0.1:6379\n",
        [options] { return run_verb(*options); }
    );
    add_object_options(verb, *options);
    add_token_options(verb, *options);
    add_load_options(verb, *options);
    add_result_options(verb, *options);
}

void add_events_verb(CommandLine& command_line, CLI::App& bench) {
    auto options = std::make_shared<BenchOptions>();
    options->events = true;
    options->post_batch = 500;
    options->connections = 8;
    CLI::App& verb = command_line.add_verb(
        bench,
        "events",
        "Views of objects drawn from a Gaussian, as batches of events",
        "Each event has an id, a time and an actor. A request is a batch, and latencies are those "
        "of batches. At the end each object's events, counted and refused, are compared with what "
        "was acknowledged; exit code 1 if one is wrong.\n\n"
        "Examples:\n"
        "  footfall bench events --duration 30 --server-pid \"$(pidof footfall)\"\n"
        "  footfall bench events --rate 100 --batch 500 --full --json run.json\n"
        "  footfall bench events --rate 40 --profile requests_per_minute.csv.gz --period "
        "1998-06-30\n",
        [options] { return run_verb(*options); }
    );
    add_object_options(verb, *options);
    add_event_options(verb, *options);
    add_load_options(verb, *options);
    add_result_options(verb, *options);
}

void add_gets_verb(CommandLine& command_line, CLI::App& bench) {
    auto options = std::make_shared<BenchOptions>();
    options->get_share = 1;
    CLI::App& verb = command_line.add_verb(
        bench,
        "gets",
        "GETs of whatever a file says: how fast any question is answered",
        "Which line is asked for is drawn from a Gaussian: those in the middle of the file come "
        "most often. What is answered is not looked at, but its status has to be 200.\n\n"
        "Examples:\n"
        "  footfall bench gets questions.txt --duration 30\n"
        "  footfall bench gets questions.txt --rate 20000 --json run.json\n",
        [options] { return run_verb(*options); }
    );
    options->server.add_to(verb);
    verb.add_option("FILE", options->targets_file, "Lines such as /api/v1/views/a?from=2026-11-01")
        ->required();
    verb.add_option("--seed", options->seed, "The same seed, the same order [1]")->type_name("N");
    add_load_options(verb, *options);
    verb.add_option("--server-pid", options->server_pid, "Tell the CPU time of this process too")
        ->type_name("PID")
        ->check(above_zero());
    verb.add_option("--json", options->json_file, "Write everything to this file, windows too")
        ->type_name("FILE");
}

}  // namespace

void add_bench(CommandLine& command_line) {
    CLI::App& bench = command_line.add_group(
        "bench",
        "Put load on a running server, measure it, check what it counted",
        "Examples:\n"
        "  footfall bench counter --help\n"
        "  footfall bench events --help\n"
        "  footfall bench gets --help\n"
    );
    add_counter_verb(command_line, bench);
    add_events_verb(command_line, bench);
    add_gets_verb(command_line, bench);
}

}  // namespace footfall::cli
