#include "load/run_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace footfall::load {
namespace {

/// From here on a core is taken to be full: a loop that never waits still yields now and then.
constexpr double full_core = 0.9;

/// An event that was answered for is counted a moment later where other processes judge and count
/// it; so long it is asked again for counts that are too low.
constexpr Nanoseconds counted_within = 10'000'000'000;

bool misses_some(const CheckResult& result) {
    return std::ranges::any_of(result.differences, [](const Difference& each) {
        return each.counted < each.least;
    });
}

std::unique_ptr<Protocol> make_protocol(const LoadOptions& options) {
    const std::string host = fmt::format("{}:{}", options.host, options.port);
    switch (options.speech) {
        case Speech::events:
            return event_protocol(host, options.people, options.full_events, options.authorization);
        case Speech::redis_sets:
            return resp_protocol(RedisType::set);
        case Speech::redis_strings:
            return resp_protocol(RedisType::string);
        case Speech::targets:
            return target_protocol(host, options.targets, options.authorization);
        case Speech::counter:
            break;
    }
    return http_protocol(host, options.counter, options.authorization);
}

bool is_footfall(Speech speech) {
    return speech != Speech::redis_sets && speech != Speech::redis_strings;
}

/// Whether there is anybody to be measured: that nobody is, is the most likely mistake.
Result<void> check_reachable(const LoadOptions& options, const Endpoint& endpoint) {
    Result<void> opened = Connection{1}.open(endpoint);
    if (!opened && is_footfall(options.speech)) {
        opened.error().message += "; is it running? `footfall serve` starts one";
    }
    return opened;
}

}  // namespace

Result<void> check_options(const LoadOptions& options) {
    if (options.plan.batch > 0 && !is_footfall(options.speech)) {
        return fail(ErrorKind::invalid_input, "Redis takes no batches; use --pipeline");
    }
    if (options.plan.batch > 0 && options.traffic.get_share > 0) {
        return fail(
            ErrorKind::invalid_input, "a batch holds no GETs: leave out --post-batch or --get"
        );
    }
    const bool only_asks = options.plan.batch == 0 && options.traffic.get_share == 1 &&
                           options.traffic.objects == options.targets.size();
    if (options.speech == Speech::targets && !only_asks) {
        return fail(ErrorKind::invalid_input, "targets are only asked for, each as one object");
    }
    return {};
}

LimitedBy limited_by(const LoadReport& report) {
    const auto busy = [&](const CpuTime& time) {
        return static_cast<double>(time.total().count()) / 1e9 / report.total.seconds;
    };
    if (busy(report.total.client) >= full_core) {
        return LimitedBy::client;
    }
    if (report.total.server && report.server_cores &&
        busy(*report.total.server) >= full_core * static_cast<double>(*report.server_cores)) {
        return LimitedBy::server;
    }
    return LimitedBy::neither;
}

Result<LoadReport> run_load(const LoadOptions& options, LoadRun::OnWindow on_window) {
    TRY_VOID(check_options(options));
    LoadReport report;
    if (options.plan.server_pid) {
        TRY(report.server_cores, cores_of_process(*options.plan.server_pid));
    }
    TRY(const Endpoint endpoint, resolve(options.host, options.port));
    TRY_VOID(check_reachable(options, endpoint));
    const GeneratorOptions connect{
        .endpoint = endpoint, .connections = options.connections, .depth = options.depth
    };
    const auto protocol = make_protocol(options);
    const Traffic traffic{options.traffic};
    // The last value stands in a string, and what targets answer nobody here knows.
    const bool check = options.check != Check::none && options.speech != Speech::redis_strings &&
                       options.speech != Speech::targets;
    std::vector<std::uint64_t> objects;
    std::vector<Counted> before;
    if (check) {
        objects = objects_to_check(traffic, options.check == Check::all);
        TRY(before, ask_counts(connect, *protocol, objects));
    }
    TRY(const auto generator, Generator::open(connect, *protocol));
    LoadRun run{options.plan, traffic, *protocol, std::move(on_window)};
    TRY_VOID(generator->run(run));
    run.finish(Generator::now());
    report.total = run.total();
    report.operations_a_request = run.operations_a_request();
    if (check) {
        const Outcome outcome = run.take_outcome();
        const Nanoseconds patience = options.speech == Speech::events ? counted_within : 0;
        const Nanoseconds deadline = Generator::now() + patience;
        do {
            TRY(const auto after, ask_counts(connect, *protocol, objects));
            report.check = compare_counts(traffic, outcome, objects, before, after);
        } while (misses_some(*report.check) && Generator::now() < deadline);
    }
    return report;
}

}  // namespace footfall::load
