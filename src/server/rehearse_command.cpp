#include "server/rehearse_command.h"

#include "deployment/backups.h"
#include "deployment/deployment.h"
#include "deployment/open_job.h"
#include "deployment/verify.h"
#include "foundation/json_string.h"
#include "jobs/list.h"
#include "server/backup_text.h"
#include "server/configuration.h"
#include "server/moving_options.h"
#include "storage/deployment.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace footfall::server {
namespace {

namespace fs = std::filesystem;
using Seconds = std::chrono::duration<double>;

struct RehearseOptions {
    RestoredBackup which;
    std::string in;
    bool json = false;
};

/// A directory that is removed when the rehearsal ends, however it ends.
class Stage {
public:
    explicit Stage(const fs::path& in)
        : path_{in / fmt::format("footfall-rehearsal-{}", ::getpid())} {}

    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    ~Stage() {
        std::error_code error;
        fs::remove_all(path_, error);
        if (error) {
            print_moving_note(fmt::format("cannot remove {}: {}", path_.string(), error.message()));
        }
    }

    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

/// What a job's numbers came to.
struct Recounted {
    const jobs::Registered* job;
    projecting::Verified sums;
    double seconds = 0;
};

struct Rehearsed {
    deployment::Restored restored;
    double restore_seconds = 0;
    double open_seconds = 0;
    std::vector<Recounted> jobs;
    std::uint64_t differences = 0;
};

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return Seconds{std::chrono::steady_clock::now() - begin}.count();
}

/// From the log that was restored with it, or by itself.
Result<projecting::Verified> recount_job(
    deployment::Deployment& opened,
    const jobs::Registered& job,
    const Configuration& configuration,
    const Clock& clock,
    const projecting::VerifyListeners& listeners
) {
    if (job.recount != nullptr) {
        return deployment::verify(opened.events(), job, listeners);
    }
    TRY(const SipKey secret, storage::load_secret(opened.store()));
    return job.verify(
        {.store = &opened.store(),
         .secret = secret,
         .options = deployment::options_of(configuration.jobs, job),
         .now = clock.now()},
        listeners
    );
}

/// Counts again what each job has stored.
Result<void> recount(
    const fs::path& directory,
    const Configuration& configuration,
    const Clock& clock,
    Rehearsed& rehearsed
) {
    metrics::Metrics metrics;
    const auto begin = std::chrono::steady_clock::now();
    deployment::DeploymentOptions open{
        .place = deployment::DirectoryPlace{.path = directory, .create = false},
        .judges = false,
        .jobs = jobs::all(),
        .jobs_options = configuration.jobs,
        .reads = configuration.reads
    };
    TRY(const auto opened, deployment::Deployment::open(std::move(open), clock, metrics));
    rehearsed.open_seconds = seconds_since(begin);
    cli::Progress progress{clock, cli::standard_error_output()};
    const auto say = [&](const std::string& text) {
        progress.clear();
        print_moving_note(text);
    };
    for (const jobs::Registered* const job : jobs::all()) {
        if (job->recount == nullptr ? job->verify == nullptr : !opened->has_events()) {
            continue;
        }
        const auto job_begin = std::chrono::steady_clock::now();
        TRY(const projecting::Verified sums,
            recount_job(
                *opened,
                *job,
                configuration,
                clock,
                {.difference = say,
                 .progress = [&](std::uint64_t events) { progress.update({.records = events}); },
                 .remark = say}
            ));
        progress.clear();
        rehearsed.differences += sums.differences;
        rehearsed.jobs.push_back({.job = job, .sums = sums, .seconds = seconds_since(job_begin)});
    }
    return {};
}

void print_json(const Rehearsed& rehearsed) {
    std::string rows;
    for (const Recounted& each : rehearsed.jobs) {
        rows += fmt::format(
            R"({}{{"job":{},"{}":{},"{}":{},"differences":{},"seconds":{:.3f}}})",
            rows.empty() ? "" : ",",
            json_string(each.job->name),
            each.job->verified[0],
            each.sums.events,
            each.job->verified[1],
            each.sums.objects,
            each.sums.differences,
            each.seconds
        );
    }
    print_moving(fmt::format(
        R"({{"backup":{},"bytes":{},"restore_seconds":{:.3f},"open_seconds":{:.3f},"jobs":[{}],"differences":{}}})",
        json_string(rehearsed.restored.manifest.name),
        rehearsed.restored.manifest.bytes(),
        rehearsed.restore_seconds,
        rehearsed.open_seconds,
        rows,
        rehearsed.differences
    ));
}

void print_text(const Rehearsed& rehearsed) {
    print_moving(fmt::format(
        "restored the backup {} in {:.1f} s ({}), opened it in {:.1f} s",
        rehearsed.restored.manifest.name,
        rehearsed.restore_seconds,
        size_text(rehearsed.restored.manifest.bytes()),
        rehearsed.open_seconds
    ));
    for (const Recounted& each : rehearsed.jobs) {
        print_moving(fmt::format(
            "{}: counted {} {} again in {:.1f} s, {} {}, {} differences",
            each.job->name,
            each.sums.events,
            each.job->verified[0],
            each.seconds,
            each.sums.objects,
            each.job->verified[1],
            each.sums.differences
        ));
    }
    print_moving(
        rehearsed.differences == 0
            ? "the rehearsal went well; what was restored for it is removed"
            : fmt::format(
                  "{} differences: this backup is not to be relied on", rehearsed.differences
              )
    );
}

Result<cli::ExitCode> run_rehearse(const RehearseOptions& options) {
    const SystemClock clock;
    metrics::Metrics metrics;
    TRY(const Configuration configuration, read_configuration("", {}));
    TRY(const std::optional<Instant> moment, options.which.moment());
    std::error_code error;
    const fs::path in = options.in.empty() ? fs::temp_directory_path(error) : fs::path{options.in};
    if (error || !fs::is_directory(in, error)) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("{} is no directory: --in names one with room for a restore", in.string())
        );
    }
    const Stage stage{in};
    Rehearsed rehearsed;
    const auto begin = std::chrono::steady_clock::now();
    {
        ByteProgress progress{clock};
        TRY(const auto depot, backup::open_depot(options.which.from));
        TRY(rehearsed.restored,
            deployment::restore_backup(
                {.depot = depot.get(),
                 .name = options.which.name,
                 .moment = moment,
                 .target = stage.path(),
                 .tables = deployment::Deployment::tables(jobs::all()),
                 .memory_bytes = configuration.memory_bytes / 2,
                 .before_step = progress.before_step()},
                clock,
                metrics
            ));
        progress.clear();
    }
    rehearsed.restore_seconds = seconds_since(begin);
    TRY_VOID(recount(stage.path(), configuration, clock, rehearsed));
    options.json ? print_json(rehearsed) : print_text(rehearsed);
    return rehearsed.differences == 0 ? cli::ExitCode::ok : cli::ExitCode::failed;
}

}  // namespace

void add_rehearse(cli::CommandLine& command_line, CLI::App& group) {
    auto options = std::make_shared<RehearseOptions>();
    CLI::App& verb = command_line.add_verb(
        group,
        "rehearse",
        "Restore a backup beside, count all of it again, and remove it",
        "Says how long each part took, which is how long it takes when it is needed. Exits with 1 "
        "if a byte\nis damaged, or a number differs from what the log of events gives. Needs room "
        "for the whole\nbackup, for a while.\n\n"
        "Examples:\n"
        "  footfall backup rehearse --from /mnt/backups\n"
        "  footfall backup rehearse --from /mnt/backups --time 2026-11-30T15:04:05Z --in "
        "/mnt/large\n",
        [options] {
            const Result<cli::ExitCode> done = run_rehearse(*options);
            return done ? *done : cli::report(done.error());
        }
    );
    options->which.add_to(verb);
    verb.add_option(
            "--in", options->in, "Where it is restored; that of temporary files if left out"
    )
        ->type_name("DIR");
    verb.add_flag("--json", options->json, "One JSON object");
}

}  // namespace footfall::server
