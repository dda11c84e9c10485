#include "server/verify_command.h"

#include "cli/deployment.h"
#include "cli/log_place.h"
#include "cli/progress.h"
#include "cli/verify_views.h"
#include "projecting/checkpoints.h"
#include "server/configuration.h"
#include "server/setting_flags.h"
#include "storage/deployment.h"

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <string>

namespace footfall::server {
namespace {

struct VerifyOptions {
    std::shared_ptr<SettingFlags> flags;
    bool json = false;
};

struct Listeners {
    std::function<void(const std::string&)> difference;
    std::function<void(std::uint64_t)> progress;
};

void print_line(const std::string& line) {
    std::fputs((line + "\n").c_str(), stdout);
}

Result<cli::Verified> verify_directory(
    const Configuration& configuration, const Clock& clock, const Listeners& listeners
) {
    metrics::Metrics metrics;
    cli::DeploymentOptions open{
        .place = cli::DirectoryPlace{.path = configuration.data, .create = false}, .judges = false
    };
    TRY(const auto directory, cli::Deployment::open(std::move(open), clock, metrics));
    return cli::verify_views(directory->events(), listeners.difference, listeners.progress);
}

/// Of each lane, up to which record the rows of views are stored.
Result<std::vector<std::uint64_t>> views_stored(storage::Store& store, const journal::Log& log) {
    TRY(const auto marks, projecting::read_checkpoints(store, log, cli::EventParts::views_name));
    std::vector<std::uint64_t> stored;
    stored.reserve(marks.size());
    for (const auto& mark : marks) {
        stored.push_back(mark.value_or(projecting::Mark{}).offset);
    }
    return stored;
}

/// Beside those who count there: makes nothing, writes nothing, is no member of any group.
Result<cli::Verified> verify_cluster(
    const Configuration& configuration, const Clock& clock, const Listeners& listeners
) {
    if (!configuration.log_on_kafka) {
        return fail(
            ErrorKind::invalid_input,
            "a cluster without a log has no events to verify: --log kafka says where it is"
        );
    }
    metrics::Metrics metrics;
    cli::ClusterPlace place = configuration.cluster;
    place.replication.clear();
    TRY(const auto store,
        cli::open_store(
            place,
            {.tables = cli::Deployment::tables(), .memory_bytes = configuration.memory_bytes / 4},
            clock,
            metrics
        ));
    TRY(const auto drawn, storage::stored_secret(*store));
    if (!drawn) {
        return fail(
            ErrorKind::not_found,
            fmt::format("nothing was ever counted in keyspace {}", place.keyspace)
        );
    }
    TRY(const SipKey secret, storage::load_secret(*store));
    TRY(const auto log, cli::open_judged_log(configuration.kafka));
    cli::VerifiedParts parts{
        .store = store.get(),
        .log = log.get(),
        .secret = secret,
        .ends = {},
        .stored = [&] { return views_stored(*store, *log); }
    };
    for (std::uint32_t lane = 0; lane < log->lanes(); ++lane) {
        parts.ends.push_back(log->end(lane));
    }
    return cli::verify_views(parts, listeners.difference, listeners.progress);
}

Result<cli::ExitCode> verify(const VerifyOptions& options) {
    TRY(const Configuration configuration,
        read_configuration(options.flags->config(), options.flags->given()));
    const SystemClock clock;
    cli::Progress progress{clock, cli::standard_error_output()};
    const Listeners listeners{
        .difference =
            [&](const std::string& text) {
                progress.clear();
                print_line(text);
            },
        .progress = [&](std::uint64_t events) { progress.update({.records = events}); }
    };
    const auto verify_place =
        configuration.store == Configuration::Store::cassandra ? verify_cluster : verify_directory;
    TRY(const cli::Verified verified, verify_place(configuration, clock, listeners));
    progress.clear();
    if (options.json) {
        print_line(fmt::format(
            R"({{"events":{},"objects":{},"differences":{}}})",
            verified.events,
            verified.objects,
            verified.differences
        ));
    } else {
        print_line(fmt::format(
            "verified {} events of {} objects: {} differences",
            verified.events,
            verified.objects,
            verified.differences
        ));
    }
    return verified.differences == 0 ? cli::ExitCode::ok : cli::ExitCode::failed;
}

}  // namespace

void add_verify(cli::CommandLine& command_line) {
    CLI::App& group = command_line.add_group(
        "verify",
        "Hold stored numbers to the log of events that they follow from",
        "Example:\n"
        "  footfall verify views --data ./footfall-data\n"
    );
    auto options = std::make_shared<VerifyOptions>();
    CLI::App& verb = command_line.add_verb(
        group,
        "views",
        "Count all views again from the log, and print each number that differs",
        "Exits with 1 if there is a difference. The server that uses a directory must be stopped;\n"
        "those of a cluster may count on meanwhile.\n\n"
        "Examples:\n"
        "  footfall verify views --data ./footfall-data\n"
        "  footfall verify views --store cassandra --cassandra 10.0.0.1:9042 --log kafka --kafka "
        "10.0.0.1:9092\n",
        [options] {
            const Result<cli::ExitCode> done = verify(*options);
            return done ? *done : cli::report(done.error());
        }
    );
    options->flags = SettingFlags::add_to(verb, SettingFlags::Which::logs);
    verb.add_flag("--json", options->json, "The sums as one JSON object, after the differences");
}

}  // namespace footfall::server
