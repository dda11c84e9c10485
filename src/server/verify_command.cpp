#include "server/verify_command.h"

#include "cli/progress.h"
#include "deployment/deployment.h"
#include "deployment/log_claim.h"
#include "deployment/log_place.h"
#include "deployment/open_job.h"
#include "deployment/store_place.h"
#include "deployment/verify.h"
#include "jobs/list.h"
#include "people/day_keys.h"
#include "people/people.h"
#include "people/read_seals.h"
#include "projecting/checkpoints.h"
#include "server/configuration.h"
#include "server/setting_flags.h"
#include "storage/deployment.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace footfall::server {
namespace {

struct VerifyOptions {
    std::shared_ptr<SettingFlags> flags;
    bool json = false;
};

void print_line(const std::string& line) {
    std::fputs((line + "\n").c_str(), stdout);
}

Result<projecting::Verified> verify_directory(
    const jobs::Registered& job,
    const Configuration& configuration,
    const Clock& clock,
    const projecting::VerifyListeners& listeners
) {
    metrics::Metrics metrics;
    deployment::DeploymentOptions open{
        .place = deployment::DirectoryPlace{.path = configuration.data, .create = false},
        .judges = false,
        .jobs = jobs::all(),
        .jobs_options = configuration.jobs,
        .reads = configuration.reads
    };
    TRY(const auto directory, deployment::Deployment::open(std::move(open), clock, metrics));
    return deployment::verify(directory->events(), job, listeners);
}

/// Of each lane, up to which record the rows of a job are stored.
Result<std::vector<std::uint64_t>> stored_ends(
    storage::Store& store, const journal::Log& log, const jobs::Registered& job
) {
    TRY(const auto marks, projecting::read_checkpoints(store, log, job.name));
    std::vector<std::uint64_t> stored;
    stored.reserve(marks.size());
    for (const auto& mark : marks) {
        stored.push_back(mark.value_or(projecting::Mark{}).offset);
    }
    return stored;
}

/// Beside those who count there: makes nothing, writes nothing, is no member of any group.
Result<projecting::Verified> verify_cluster(
    const jobs::Registered& job,
    const Configuration& configuration,
    const Clock& clock,
    const projecting::VerifyListeners& listeners
) {
    if (!configuration.log_on_kafka) {
        return fail(
            ErrorKind::invalid_input,
            "a cluster without a log has no events to verify: --log kafka says where it is"
        );
    }
    metrics::Metrics metrics;
    deployment::ClusterPlace place = configuration.cluster;
    place.replication.clear();
    TRY(const auto store,
        deployment::open_store(
            place,
            {.tables = deployment::Deployment::tables(jobs::all()),
             .memory_bytes = configuration.memory_bytes / 4},
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
    TRY_VOID(deployment::check_topics(
        *store, {.keyspace = place.keyspace, .region = place.region()}, configuration.kafka
    ));
    TRY(const auto log, deployment::open_judged_log(configuration.kafka));
    TRY(const auto people, people::People::open(*store, clock, {.secret = secret}));
    TRY(const auto days,
        people::DayKeys::open(*store, clock, {.ttl = configuration.reads.ttl, .draws = false}));
    const people::ReadSeals seals{people->sharers(), *days, 0};
    projecting::VerifiedParts parts{
        .store = store.get(),
        .log = log.get(),
        .secret = secret,
        .seals = &seals,
        .now = clock.now(),
        .clock = &clock,
        .ends = {},
        .stored = [&] { return stored_ends(*store, *log, job); }
    };
    for (std::uint32_t lane = 0; lane < log->lanes(); ++lane) {
        parts.ends.push_back(log->end(lane));
    }
    return projecting::verify(parts, job.recount, listeners);
}

/// What does not follow from the log: in a directory, which nobody else has open, or a cluster.
Result<projecting::Verified> verify_stored(
    const jobs::Registered& job,
    const Configuration& configuration,
    const Clock& clock,
    const projecting::VerifyListeners& listeners
) {
    deployment::StorePlace place =
        deployment::DirectoryPlace{.path = configuration.data, .create = false};
    if (configuration.store == Configuration::Store::cassandra) {
        deployment::ClusterPlace cluster = configuration.cluster;
        cluster.replication.clear();
        place = std::move(cluster);
    }
    metrics::Metrics metrics;
    TRY(const auto store,
        deployment::open_store(
            place,
            {.tables = deployment::Deployment::tables(jobs::all()),
             .memory_bytes = configuration.memory_bytes / 4},
            clock,
            metrics
        ));
    TRY(const auto drawn, storage::stored_secret(*store));
    if (!drawn) {
        return fail(ErrorKind::not_found, "nothing was ever stored there");
    }
    TRY(const SipKey secret, storage::load_secret(*store));
    return job.verify(
        {.store = store.get(),
         .secret = secret,
         .options = deployment::options_of(configuration.jobs, job),
         .now = clock.now()},
        listeners
    );
}

Result<projecting::Verified> verify_place(
    const jobs::Registered& job,
    const Configuration& configuration,
    const Clock& clock,
    const projecting::VerifyListeners& listeners
) {
    if (job.recount == nullptr) {
        return verify_stored(job, configuration, clock, listeners);
    }
    return configuration.store == Configuration::Store::cassandra
               ? verify_cluster(job, configuration, clock, listeners)
               : verify_directory(job, configuration, clock, listeners);
}

Result<cli::ExitCode> verify(const jobs::Registered& job, const VerifyOptions& options) {
    TRY(const Configuration configuration,
        read_configuration(options.flags->config(), options.flags->given()));
    const SystemClock clock;
    cli::Progress progress{clock, cli::standard_error_output()};
    const projecting::VerifyListeners listeners{
        .difference =
            [&](const std::string& text) {
                progress.clear();
                print_line(text);
            },
        .progress = [&](std::uint64_t events) { progress.update({.records = events}); },
        .remark =
            [&](const std::string& text) {
                progress.clear();
                print_line(text);
            }
    };
    TRY(const projecting::Verified verified, verify_place(job, configuration, clock, listeners));
    progress.clear();
    const auto& [events, objects] = job.verified;
    if (options.json) {
        print_line(fmt::format(
            R"({{"{}":{},"{}":{},"differences":{}}})",
            events,
            verified.events,
            objects,
            verified.objects,
            verified.differences
        ));
    } else {
        print_line(fmt::format(
            "verified {} {} of {} {}: {} differences",
            verified.events,
            events,
            verified.objects,
            objects,
            verified.differences
        ));
    }
    return verified.differences == 0 ? cli::ExitCode::ok : cli::ExitCode::failed;
}

std::string examples_of(const jobs::Registered& job) {
    return fmt::format(
        "Examples:\n"
        "  footfall verify {0} --data ./footfall-data\n"
        "  footfall verify {0} --store cassandra --cassandra 10.0.0.1:9042{1}\n",
        job.name,
        job.recount == nullptr ? "" : " --log kafka --kafka 10.0.0.1:9092"
    );
}

void add_verify(cli::CommandLine& command_line, CLI::App& group, const jobs::Registered& job) {
    auto options = std::make_shared<VerifyOptions>();
    CLI::App& verb = command_line.add_verb(
        group,
        std::string{job.name},
        job.recount == nullptr
            ? fmt::format(
                  "Hold all that is stored of {} to itself, and print what differs", job.name
              )
            : fmt::format(
                  "Count all {} again from the log, and print each number that differs", job.name
              ),
        "Exits with 1 if there is a difference. The server that uses a directory must be "
        "stopped;\n"
        "those of a cluster may count on meanwhile.\n\n" +
            examples_of(job),
        [options, &job] {
            const Result<cli::ExitCode> done = verify(job, *options);
            return done ? *done : cli::report(done.error());
        }
    );
    options->flags = SettingFlags::add_to(verb, SettingFlags::Which::logs);
    verb.add_flag("--json", options->json, "The sums as one JSON object, after the differences");
}

}  // namespace

void add_verify(cli::CommandLine& command_line) {
    CLI::App& group = command_line.add_group(
        "verify",
        "Hold stored numbers to what they follow from",
        "Example:\n"
        "  footfall verify views --data ./footfall-data\n"
    );
    for (const jobs::Registered* const job : jobs::all()) {
        if (job->recount != nullptr || job->verify != nullptr) {
            add_verify(command_line, group, *job);
        }
    }
}

}  // namespace footfall::server
