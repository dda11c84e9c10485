#include "server/serve_command.h"

#include "cli/demo_ads.h"
#include "cli/demo_identities.h"
#include "cli/demo_ledger.h"
#include "cli/demo_metrics.h"
#include "cli/demo_reading.h"
#include "cli/demo_segments.h"
#include "cli/demo_traffic.h"
#include "cli/server_options.h"
#include "cli/version_command.h"
#include "foundation/clock.h"
#include "foundation/log.h"
#include "server/program.h"
#include "server/service_manager.h"
#include "server/setting_flags.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <pthread.h>
#include <signal.h>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace footfall::server {
namespace {

using cli::ExitCode;

/// What the demo counts into, unless it is told: never what somebody counts in earnest.
constexpr std::string_view demo_directory = "./footfall-data/demo";

/// The signals that stop the program are taken by wait() alone: every thread started later inherits
/// the mask.
class StopSignals {
public:
    StopSignals() {
        sigemptyset(&signals_);
        sigaddset(&signals_, SIGINT);
        sigaddset(&signals_, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
        signal(SIGPIPE, SIG_IGN);
    }

    /// Waits for one. A second one ends the process at once.
    void wait() {
        int taken = 0;
        sigwait(&signals_, &taken);
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
    }

private:
    sigset_t signals_{};
};

/// As many connections as the limit on them promises need as many descriptors; the default is 1024.
void raise_descriptor_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/// By which this machine reaches the program.
std::string reachable_host(const Configuration& configuration) {
    return configuration.address == "0.0.0.0" ? "127.0.0.1" : configuration.address;
}

/// Where the data is, and when it is safe there.
std::string data_of(const Configuration& configuration) {
    if (configuration.store == Configuration::Store::cassandra) {
        const deployment::ClusterPlace& cluster = configuration.cluster;
        const bool is_of_region = !cluster.region_keyspace.empty();
        const std::string region = is_of_region ? " and " + cluster.region_keyspace : "";
        return fmt::format("keyspace {}{} at {}", cluster.keyspace, region, cluster.contacts);
    }
    if (configuration.sync_interval) {
        const auto interval = configuration.sync_interval->count();
        return fmt::format("{}, synced every {} ms", configuration.data, interval);
    }
    return fmt::format("{}, every answer synced", configuration.data);
}

void announce(const Configuration& configuration, std::uint16_t port, std::string_view what) {
    std::fputs(
        fmt::format(
            "footfall {} {} http://{}:{}/  (data in {}; Ctrl-C stops)\n",
            cli::program_version(),
            what,
            reachable_host(configuration),
            port,
            data_of(configuration)
        )
            .c_str(),
        stdout
    );
    std::fflush(stdout);
}

bool is_loopback(std::string_view address) {
    return address.starts_with("127.") || address == "::1" || address == "localhost";
}

/// Whoever listens for others should know that they are not answered yet.
void warn_of_closed_door(const Configuration& configuration, const keys::KeyRegistry& keys) {
    if (is_loopback(configuration.address) || keys.any()) {
        return;
    }
    log(LogLevel::warning,
        "listening on {}, but without API keys only this machine is answered, by a loopback name "
        "such as 127.0.0.1; `footfall keys add NAME --scope read,write` makes a key",
        configuration.address);
}

ExitCode serve(const SettingFlags& options, const api::WebAssets& dashboard) {
    StopSignals signals;
    raise_descriptor_limit();
    Result<Configuration> configuration = read_configuration(options.config(), options.given());
    if (!configuration) {
        return cli::report(configuration.error());
    }
    const SystemClock clock;
    auto program = Program::start({.configuration = *configuration, .dashboard = dashboard}, clock);
    if (!program) {
        return cli::report(program.error());
    }
    announce(*configuration, (*program)->port(), "serves");
    for (const std::string& each : configuration->idle) {
        log(LogLevel::warning, "{}", each);
    }
    warn_of_closed_door(*configuration, (*program)->deployment().keys());
    tell_service_manager("READY=1");
    signals.wait();
    log(LogLevel::info, "stopping");
    tell_service_manager("STOPPING=1");
    (*program)->stop();
    return ExitCode::ok;
}

std::uint64_t seed_by(const Clock& clock) {
    return static_cast<std::uint64_t>(clock.now().time_since_epoch().count());
}

/// Sends the traffic to a server that runs already.
ExitCode demo_elsewhere(const cli::ServerOptions& options) {
    StopSignals signals;
    auto server = options.address();
    if (!server) {
        return cli::report(server.error());
    }
    const SystemClock clock;
    const cli::DemoTraffic traffic{*server, seed_by(clock)};
    const cli::DemoLedger ledger{*server, clock, {.seed = seed_by(clock)}};
    const cli::DemoReading reading{*server, clock, seed_by(clock)};
    const cli::DemoIdentities identities{*server, clock, seed_by(clock)};
    const cli::DemoSegments segments{*server, seed_by(clock)};
    const cli::DemoMetrics metrics{*server, clock};
    std::fputs(
        fmt::format("demo traffic goes to {}  (Ctrl-C stops)\n", options.url).c_str(), stdout
    );
    std::fflush(stdout);
    signals.wait();
    return ExitCode::ok;
}

ExitCode demo(
    const SettingFlags& options, const std::string& program_name, const api::WebAssets& dashboard
) {
    StopSignals signals;
    raise_descriptor_limit();
    Settings flags = options.given();
    const Setting own{.text = "rocksdb", .origin = "the demo's own directory"};
    flags.insert_or_assign("store", own);
    flags.try_emplace(
        "ledger_currency",
        Setting{.text = std::string{cli::demo_currency}, .origin = "the demo's own ads"}
    );
    flags.try_emplace(
        "data", Setting{.text = std::string{demo_directory}, .origin = "the demo's own directory"}
    );
    Result<Configuration> configuration = read_configuration(options.config(), flags);
    if (!configuration) {
        return cli::report(configuration.error());
    }
    const SystemClock clock;
    auto program = Program::start(
        {.configuration = *configuration,
         .mode = "demo",
         .serve_command = program_name + " serve",
         .dashboard = dashboard},
        clock
    );
    if (!program) {
        return cli::report(program.error());
    }
    // Somebody who tries out keys should not end the traffic with the first.
    const auto own_key =
        (*program)->deployment().keys().make_own_key(*keys::Scopes::parse("write,people,money"));
    if (!own_key) {
        return cli::report(own_key.error());
    }
    announce(*configuration, (*program)->port(), "shows demo traffic at");
    {
        const http_server::ServerUrl server{
            .host = reachable_host(*configuration),
            .port = (*program)->port(),
            .authorization = "Bearer " + *own_key
        };
        const cli::DemoTraffic traffic{server, seed_by(clock)};
        const cli::DemoLedger ledger{server, clock, {.seals = true, .seed = seed_by(clock)}};
        const cli::DemoReading reading{server, clock, seed_by(clock)};
        const cli::DemoIdentities identities{server, clock, seed_by(clock)};
        const cli::DemoSegments segments{server, seed_by(clock)};
        const cli::DemoMetrics metrics{server, clock};
        signals.wait();
    }
    log(LogLevel::info, "stopping");
    (*program)->stop();
    return ExitCode::ok;
}

}  // namespace

void add_serve(cli::CommandLine& command_line, api::WebAssets dashboard) {
    auto chosen = std::make_shared<std::shared_ptr<SettingFlags>>();
    CLI::App& verb = command_line.add_verb(
        "serve",
        "Count: serve the API and the dashboard",
        "Examples:\n"
        "  footfall serve\n"
        "  footfall serve --listen 127.0.0.1:9090 --data /var/lib/footfall\n"
        "  footfall serve --config footfall.toml --sync 200ms\n"
        "  footfall serve --store cassandra --cassandra 10.0.0.1:9042,10.0.0.2:9042\n",
        [chosen, dashboard = std::move(dashboard)] { return serve(**chosen, dashboard); }
    );
    *chosen = SettingFlags::add_to(verb, SettingFlags::Which::all);
}

void add_demo(cli::CommandLine& command_line, std::string program, api::WebAssets dashboard) {
    struct Options {
        std::shared_ptr<SettingFlags> settings;
        cli::ServerOptions server;
        CLI::Option* elsewhere = nullptr;
    };

    auto chosen = std::make_shared<Options>();
    CLI::App& verb = command_line.add_verb(
        "demo",
        "Serve a data directory of its own with made-up traffic, or send that to a server",
        "Examples:\n"
        "  footfall demo --listen 127.0.0.1:9090\n"
        "  footfall demo --server http://127.0.0.1:18080\n",
        [chosen, program = std::move(program), dashboard = std::move(dashboard)] {
            return chosen->elsewhere->count() > 0 ? demo_elsewhere(chosen->server)
                                                  : demo(*chosen->settings, program, dashboard);
        }
    );
    chosen->settings = SettingFlags::add_to(verb, SettingFlags::Which::directory);
    chosen->elsewhere = chosen->server.add_to(verb)->description(
        "A server that runs: it gets the traffic, three years of clicks and people who read, and "
        "nothing is served here"
    );
    chosen->elsewhere->default_str("");
    verb.get_option("--data")->description(
        fmt::format("The data directory; made if missing [{}]", demo_directory)
    );
    for (const char* own : {"--listen", "--data"}) {
        chosen->elsewhere->excludes(verb.get_option(own));
    }
}

}  // namespace footfall::server
