#include "server/program.h"

#include "api/answers.h"
#include "api/backup_routes.h"
#include "api/collect_routes.h"
#include "api/erasure_routes.h"
#include "api/event_answers.h"
#include "api/event_routes.h"
#include "api/front_door.h"
#include "api/key_routes.h"
#include "api/openapi_route.h"
#include "api/operations_routes.h"
#include "api/owner_routes.h"
#include "api/rule_routes.h"
#include "api/web_routes.h"
#include "audit_routes/audit_routes.h"
#include "audit_routes/openapi.h"
#include "cli/version_command.h"
#include "deployment/backups.h"
#include "foundation/log.h"
#include "jobs/list.h"
#include "server/setting_readers.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::server {
namespace {

constexpr std::chrono::seconds drain_patience{10};
/// Which part of the memory the actors of a question by profile may take, while it is answered.
constexpr std::size_t memory_by_profile = 16;
/// Acts that are recorded at the same time share a block of the store.
constexpr std::size_t act_threads = 8;
constexpr std::size_t act_queue = 64;

std::string rfc3339(Instant instant) {
    const std::time_t seconds = std::chrono::system_clock::to_time_t(instant);
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds));
}

deployment::StorePlace place_of(const Program::Options& options) {
    const Configuration& configuration = options.configuration;
    if (configuration.store == Configuration::Store::cassandra) {
        return configuration.cluster;
    }
    return deployment::DirectoryPlace{
        .path = configuration.data,
        .sync_interval = configuration.sync_interval,
        .past_log_bytes = configuration.backup_directory.empty() ? 0 : configuration.backup_history,
        .env = options.env
    };
}

/// What it does of events: all of it where the log is its own.
deployment::Roles roles_of(const Configuration& configuration) {
    return configuration.log_on_kafka ? configuration.kafka.roles : deployment::Roles{};
}

/// What a process says that has not got `role`.
std::string done_by(std::string_view role, std::string_view what) {
    return fmt::format(
        "{} by processes with the role {}, which this one has not got: ask one of them, or give "
        "this one the role (`roles` in its settings)",
        what,
        role
    );
}

}  // namespace

Result<std::unique_ptr<Program>> Program::start(const Options& options, const Clock& clock) {
    std::unique_ptr<Program> program{new Program{clock}};
    TRY_VOID(program->start_parts(options));
    return program;
}

Program::Program(const Clock& clock) : clock_{clock}, durable_times_{clock_}, sessions_{clock_} {}

Program::~Program() {
    stop();
}

Result<void> Program::start_parts(const Options& options) {
    const Configuration& configuration = options.configuration;
    facts_ = {
        .version = cli::program_version(),
        .mode = options.mode,
        .started = rfc3339(clock_.now()),
        .serve_command = options.serve_command,
        .takes_events = roles_of(configuration).collect
    };
    deployment::DeploymentOptions open{
        .place = place_of(options),
        .kafka = configuration.log_on_kafka ? std::optional{configuration.kafka} : std::nullopt,
        .rules = configuration.rules,
        .redis = configuration.redis,
        .keep_events = configuration.keep_events,
        .keep_addresses = configuration.keep_addresses,
        .render_event = api::append_found_event,
        .jobs = jobs::all(),
        .jobs_options = configuration.jobs,
        .reads = configuration.reads,
        .memory_bytes = configuration.memory_bytes,
        .on_block = [this](std::chrono::nanoseconds duration) { durable_times_.add(duration); }
    };
    TRY(deployment_, deployment::Deployment::open(std::move(open), clock_, metrics_));
    storage::Store& store = deployment_->store();

    gate_ = std::make_unique<api::StoreGate>(store);
    const std::size_t threads =
        configuration.threads > 0 ? configuration.threads : runtime::available_cores();
    // Half of the cores: the others are for whoever waits for a single answer.
    batch_threads_ = std::max<std::size_t>(1, threads / 2);
    lookups_ = std::make_unique<runtime::BlockingPool>(2, 100);
    surveys_ = std::make_unique<runtime::BlockingPool>(batch_threads_, 100);
    acts_ = std::make_unique<runtime::BlockingPool>(act_threads, act_queue);
    if (deployment_->has_events()) {
        event_batches_ = std::make_unique<api::EventBatches>(
            deployment_->events().collector(), store, clock_, batch_threads_
        );
        event_figures_ = std::make_unique<EventFigures>(deployment_->events(), metrics_);
        open_by_profile(configuration.memory_bytes);
    }
    TRY_VOID(open_backups(configuration));
    tell_figures();  // they are there from the beginning
    add_routes(options);

    threads_ = std::make_unique<runtime::IoThreads>(threads);
    http_server::ServerOptions serve{.address = configuration.address, .port = configuration.port};
    serve.memory =
        http_server::MemoryLimits::of(configuration.memory_bytes, serve.limits.body_bytes);
    serve.outcome_unknown = [] {
        return api::answer_error(
            {.kind = ErrorKind::outcome_unknown,
             .message = "the write may or may not have been stored; send it again, it counts once"}
        );
    };
    server_ = std::make_unique<http_server::Server>(
        *threads_, router_, *gate_, metrics_, std::move(serve)
    );
    threads_->start();
    for (const deployment::OpenJob* const each : deployment_->jobs()) {
        TRY_VOID(each->job->start_listening());
    }
    TRY(port_, server_->start());
    announce(configuration);
    backups_->keep_to_schedule();
    return {};
}

/// Some job knows who is one person, for those that count people.
void Program::open_by_profile(std::size_t memory_bytes) {
    for (const deployment::OpenJob* const each : deployment_->jobs()) {
        if (by_profile::Profiles* const profiles = each->job->profiles()) {
            by_profile_ = std::make_unique<by_profile::ReportDesk>(
                deployment_->events().intake(),
                *profiles,
                by_profile::Limits{.bytes_max = memory_bytes / memory_by_profile}
            );
            return;
        }
    }
}

Result<void> Program::open_backups(const Configuration& configuration) {
    const bool in_directory = configuration.store == Configuration::Store::rocksdb;
    const backup::Address address{
        .place = in_directory ? configuration.backup_directory : "",
        .key_file = configuration.backup_encryption_key
    };
    // What is wrong with the address or the key is said now, and not when the first one is due.
    TRY_VOID(backup::open_depot(address));
    backups_ = std::make_unique<backup::Desk>(
        backup::Desk::Options{
            .address = address,
            .bytes_a_second = configuration.backup_rate,
            .why_none = in_directory
                            ? "the server makes backups where the setting backup_directory says, "
                              "which it has not got"
                            : "a backup is made of a data directory; of a cluster, `nodetool "
                              "snapshot` makes one on each node (docs/operations.md)",
            .every = configuration.backup_every,
            .keep = configuration.backup_keep
        },
        clock_,
        metrics_,
        [this](const backup::TakeOptions& terms) { return take_backup(terms); }
    );
    return {};
}

Result<backup::Taken> Program::take_backup(const backup::TakeOptions& options) {
    deployment::LogPosition position;
    if (deployment_->has_events()) {
        intake::Intake& intake = deployment_->events().intake();
        position.id = intake.context().log->id();
        for (std::uint32_t lane = 0; lane < intake.context().log->lanes(); ++lane) {
            position.records += intake.end_of(lane);
        }
    }
    return deployment::take_backup(deployment_->store(), position, clock_, options);
}

/// To the other processes of the deployment.
void Program::announce(const Configuration& configuration) {
    if (!owner_answers_) {
        return;
    }
    if (!configuration.advertise.empty()) {
        deployment_->events().announce(configuration.advertise);
    } else if (!is_every_address(configuration.address)) {
        const std::string& host = configuration.address;
        const bool is_v6 = host.find(':') != std::string::npos;
        deployment_->events().announce(
            fmt::format("{}:{}", is_v6 ? fmt::format("[{}]", host) : host, port_)
        );
    } else {
        log(LogLevel::warning,
            "other processes cannot ask this one for what it has just counted, and answer by rows: "
            "set advertise to the ADDRESS:PORT at which they reach it");
    }
}

void Program::add_routes(const Options& options) {
    const Configuration& configuration = options.configuration;
    api::FrontDoor door{
        router_,
        {deployment_->keys(), sessions_},
        {.acts = &deployment_->audit(), .pool = acts_.get()}
    };
    audit::routes::add_audit_routes(door, deployment_->audit(), *lookups_);
    api::add_key_routes(door, deployment_->keys(), sessions_, *lookups_);
    api::add_backup_routes(door, *backups_, *lookups_);
    add_job_routes(door, false);
    const deployment::Roles roles = roles_of(configuration);
    // What cannot be done without a log of events is not found; what others do is said to be
    // theirs.
    if (deployment_->has_events()) {
        add_collecting_routes(
            roles.collect ? door : door.elsewhere(done_by("collect", "events are taken")),
            configuration
        );
        add_query_routes(
            roles.query ? door : door.elsewhere(done_by("query", "this is answered")), configuration
        );
    }
    if (deployment_->has_events() && deployment_->events().owner_desk() != nullptr) {
        owner_answers_ = std::make_unique<runtime::BlockingPool>(1, 100);
        api::add_owner_route(door, *deployment_->events().owner_desk(), *owner_answers_);
    }
    std::vector<std::string_view> fragments{audit::routes::openapi()};
    for (const jobs::Registered* const each : jobs::all()) {
        fragments.push_back(each->openapi());
    }
    api::add_openapi_route(door, fragments);
    const auto health = [this]() -> Result<void> {
        TRY_VOID(deployment_->store().health());
        return deployment_->has_events() ? deployment_->events().health() : Result<void>{};
    };
    const auto metrics_text = [this] {
        tell_figures();
        return metrics_.text();
    };
    api::add_operations_routes(door, health, metrics_text, draining_);
    api::add_web_routes(door, options.dashboard);
}

void Program::add_collecting_routes(api::FrontDoor door, const Configuration& configuration) {
    api::add_event_post_route(door, *event_batches_);
    const api::CollectOptions collecting{
        .take = [this](
                    http_server::Exchange& exchange, api::CollectedEvent event
                ) { return std::optional{event_batches_->take_one(&exchange, std::move(event))}; },
        .refuse = [sites = configuration.sites](const http_server::Request& request
                  ) { return api::refuse_other_sites(request, sites); },
        .trusted_proxies = configuration.trusted_proxies
    };
    api::add_collect_routes(door, collecting, clock_);
    for (const deployment::OpenJob* const each : deployment_->jobs()) {
        each->job->add_collecting_routes(door, collecting);
    }
}

void Program::add_query_routes(api::FrontDoor door, const Configuration& configuration) {
    intake::Intake& intake = deployment_->events().intake();
    api::add_event_lookup_routes(door, intake, *lookups_, *surveys_);
    api::add_rule_routes(
        door,
        *intake.context().rules,
        {.events = configuration.keep_events, .addresses = configuration.keep_addresses},
        configuration.sites
    );
    if (erasure::Desk* const eraser = deployment_->eraser()) {
        api::add_erasure_routes(door, *eraser, *lookups_);
    }
    add_job_routes(door, true);
}

/// Of those that are made of events, or of those that are not.
void Program::add_job_routes(api::FrontDoor door, bool of_events) {
    const jobs::Answering answering{
        .intake = of_events ? &deployment_->events().intake() : nullptr,
        .collector = of_events ? &deployment_->events().collector() : nullptr,
        .lookups = lookups_.get(),
        .surveys = surveys_.get(),
        .batch_threads = batch_threads_,
        .facts = &facts_,
        .durable_times = &durable_times_,
        .by_profile = of_events ? by_profile_.get() : nullptr,
        .eraser = deployment_->eraser(),
        .samples =
            [this] {
                tell_figures();
                return metrics_.samples();
            }
    };
    for (const deployment::OpenJob* const each : deployment_->jobs()) {
        if (each->registered->of_events == of_events) {
            each->job->add_routes(door, answering);
        }
    }
}

void Program::tell_figures() {
    figures_.raise(
        "footfall_clock_set_back_total",
        "How often the clock was set back by more than 5 s since the program started.",
        clock_.set_back()
    );
    if (event_figures_) {
        event_figures_->update();
    }
    audit::routes::tell(deployment_->audit(), clock_.now(), figures_);
    if (const deployment::Eraser* const eraser = deployment_->eraser()) {
        eraser->tell(figures_);
    }
    for (const deployment::OpenJob* const each : deployment_->jobs()) {
        each->job->tell(figures_);
    }
    if (server_) {
        server_->tell_figures();
    }
}

/// Those that there are.
std::vector<runtime::BlockingPool*> Program::answer_pools() const {
    std::vector<runtime::BlockingPool*> pools{
        lookups_.get(), surveys_.get(), acts_.get(), owner_answers_.get()
    };
    std::erase(pools, nullptr);
    return pools;
}

/// What waits for a thread is refused: whoever asked can ask another process, or again.
void Program::refuse_waiting() {
    for (runtime::BlockingPool* const each : answer_pools()) {
        each->refuse_waiting();
    }
    if (by_profile_) {
        by_profile_->refuse_waiting();
    }
    if (event_batches_) {
        event_batches_->refuse_waiting();
    }
    if (deployment_) {
        for (const deployment::OpenJob* const each : deployment_->jobs()) {
            each->job->refuse_waiting();
        }
    }
}

void Program::stop() {
    if (std::exchange(stopped_, true)) {
        return;
    }
    draining_.store(true);
    refuse_waiting();
    if (backups_) {
        backups_->stop();
    }
    if (server_ && port_ != 0) {
        const std::size_t cut_off = server_->drain(drain_patience);
        if (cut_off > 0) {
            log(LogLevel::warning, "{} connections were cut off", cut_off);
        }
    }
    if (deployment_) {
        for (const deployment::OpenJob* const each : deployment_->jobs()) {
            each->job->stop_answering();
        }
    }
    if (by_profile_) {
        by_profile_->stop();
    }
    if (event_batches_) {
        event_batches_->stop();
    }
    for (runtime::BlockingPool* const each : answer_pools()) {
        each->stop();
    }
    if (deployment_) {
        deployment_->close(
        );  // whoever waits for the store is answered while there are threads to take it
    }
    if (threads_) {
        threads_->stop();
    }
}

}  // namespace footfall::server
