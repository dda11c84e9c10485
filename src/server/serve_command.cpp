#include "server/serve_command.h"

#include "cli/demo_traffic.h"
#include "cli/version_command.h"
#include "foundation/clock.h"
#include "foundation/log.h"
#include "server/program.h"

#include <fmt/format.h>

#include <algorithm>
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

struct ServeOptions {
    std::string config;
    std::string listen;
    std::string data;
    std::string sync;
    std::string memory;
    std::string threads;
    std::string rules;
    std::string keep_events;
    std::string keep_addresses;
    std::string sites;
    std::string trusted_proxies;

    Settings flags() const {
        Settings settings;
        const auto add = [&](const char* name, const std::string& text) {
            if (!text.empty()) {
                std::string flag = fmt::format("--{}", name);
                std::ranges::replace(flag, '_', '-');
                settings.insert_or_assign(name, Setting{.text = text, .origin = std::move(flag)});
            }
        };
        add("listen", listen);
        add("data", data);
        add("sync", sync);
        add("memory", memory);
        add("threads", threads);
        add("rules", rules);
        add("keep_events", keep_events);
        add("keep_addresses", keep_addresses);
        add("sites", sites);
        add("trusted_proxies", trusted_proxies);
        return settings;
    }
};

std::shared_ptr<ServeOptions> add_options(CLI::App& verb) {
    auto options = std::make_shared<ServeOptions>();
    verb.add_option(
            "--listen",
            options->listen,
            "Where to serve; port 0 takes any free one [127.0.0.1:8080]"
    )
        ->type_name("ADDR:PORT");
    verb.add_option("--data", options->data, "The data directory; made if missing")
        ->type_name("DIR");
    verb.add_option(
            "--sync",
            options->sync,
            "always: answer once it is on disk; or an interval such as 200ms [always]"
    )
        ->type_name("WHEN");
    verb.add_option(
            "--memory",
            options->memory,
            "Memory for everything: the store and the objects counted [256MiB]"
    )
        ->type_name("SIZE");
    verb.add_option("--threads", options->threads, "Threads that serve; 0: one a core [0]")
        ->type_name("N");
    verb.add_option(
            "--rules",
            options->rules,
            "The rule file that events are judged by [the standard rules]"
    )
        ->type_name("FILE");
    verb.add_option(
            "--keep-events",
            options->keep_events,
            "How long events are kept; what was counted of them stays. Or forever [90d]"
    )
        ->type_name("TIME");
    verb.add_option(
            "--keep-addresses",
            options->keep_addresses,
            "How long the addresses of events are shown, then only a keyed hash; or forever [7d]"
    )
        ->type_name("TIME");
    verb.add_option(
            "--sites",
            options->sites,
            "Sites whose pages may send events, such as https://example.org [none]"
    )
        ->type_name("ORIGINS");
    verb.add_option(
            "--trusted-proxies",
            options->trusted_proxies,
            "Networks of proxies whose X-Forwarded-For is believed [none]"
    )
        ->type_name("NETWORKS");
    verb.add_option("--config", options->config, "A TOML file; flags and FOOTFALL_* win over it")
        ->type_name("FILE");
    return options;
}

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

void announce(const Configuration& configuration, std::uint16_t port, std::string_view what) {
    const std::string sync =
        configuration.sync_interval
            ? fmt::format("synced every {} ms", configuration.sync_interval->count())
            : std::string{"every answer synced"};
    const std::string host = reachable_host(configuration);
    std::fputs(
        fmt::format(
            "footfall {} {} http://{}:{}/  (data in {}, {}; Ctrl-C stops)\n",
            cli::program_version(),
            what,
            host,
            port,
            configuration.data,
            sync
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

ExitCode serve(const ServeOptions& options) {
    StopSignals signals;
    raise_descriptor_limit();
    Result<Configuration> configuration = read_configuration(options.config, options.flags());
    if (!configuration) {
        return cli::report(configuration.error());
    }
    const SystemClock clock;
    auto program = Program::start({.configuration = *configuration}, clock);
    if (!program) {
        return cli::report(program.error());
    }
    announce(*configuration, (*program)->port(), "serves");
    warn_of_closed_door(*configuration, (*program)->directory().keys());
    signals.wait();
    log(LogLevel::info, "stopping");
    (*program)->stop();
    return ExitCode::ok;
}

ExitCode demo(const ServeOptions& options, const std::string& program_name) {
    StopSignals signals;
    raise_descriptor_limit();
    Settings flags = options.flags();
    flags.try_emplace(
        "data", Setting{.text = "./footfall-data/demo", .origin = "the demo's own directory"}
    );
    Result<Configuration> configuration = read_configuration(options.config, flags);
    if (!configuration) {
        return cli::report(configuration.error());
    }
    const SystemClock clock;
    auto program = Program::start(
        {.configuration = *configuration, .mode = "demo", .serve_command = program_name + " serve"},
        clock
    );
    if (!program) {
        return cli::report(program.error());
    }
    // Somebody who tries out keys should not end the traffic with the first.
    const auto own_key = (*program)->directory().keys().make_own_key(*keys::Scopes::parse("write"));
    if (!own_key) {
        return cli::report(own_key.error());
    }
    announce(*configuration, (*program)->port(), "shows demo traffic at");
    {
        const auto seed = static_cast<std::uint64_t>(clock.now().time_since_epoch().count());
        const cli::DemoTraffic traffic{
            {.host = reachable_host(*configuration),
             .port = (*program)->port(),
             .authorization = "Bearer " + *own_key},
            seed
        };
        signals.wait();
    }
    log(LogLevel::info, "stopping");
    (*program)->stop();
    return ExitCode::ok;
}

}  // namespace

void add_serve(cli::CommandLine& command_line) {
    auto chosen = std::make_shared<std::shared_ptr<ServeOptions>>();
    CLI::App& verb = command_line.add_verb(
        "serve",
        "Count: serve the API and the dashboard",
        "Examples:\n"
        "  footfall serve\n"
        "  footfall serve --listen 127.0.0.1:9090 --data /var/lib/footfall\n"
        "  footfall serve --config footfall.toml --sync 200ms\n",
        [chosen] { return serve(**chosen); }
    );
    *chosen = add_options(verb);
}

void add_demo(cli::CommandLine& command_line, std::string program) {
    auto chosen = std::make_shared<std::shared_ptr<ServeOptions>>();
    CLI::App& verb = command_line.add_verb(
        "demo",
        "Serve a data directory of its own with made-up traffic",
        "Example:\n"
        "  footfall demo --listen 127.0.0.1:9090\n",
        [chosen, program = std::move(program)] { return demo(**chosen, program); }
    );
    *chosen = add_options(verb);
}

}  // namespace footfall::server
