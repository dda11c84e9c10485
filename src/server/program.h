#pragma once

#include "api/durable_times.h"
#include "api/event_batch.h"
#include "api/event_stream.h"
#include "api/front_door.h"
#include "api/store_gate.h"
#include "api/web_assets.h"
#include "backup/desk.h"
#include "by_profile/report_desk.h"
#include "deployment/deployment.h"
#include "foundation/clock_watch.h"
#include "http_server/server.h"
#include "jobs/job.h"
#include "keys/sessions.h"
#include "metrics/figures.h"
#include "metrics/metrics.h"
#include "runtime/blocking_pool.h"
#include "runtime/io_threads.h"
#include "server/configuration.h"
#include "server/event_figures.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace rocksdb {
class Env;
}

namespace footfall::server {

/// The whole program in one process: who owns what, started in this order and stopped in the
/// reverse.
class Program {
public:
    struct Options {
        Configuration configuration;
        std::string mode = "serve";
        std::string serve_command = "footfall serve";
        rocksdb::Env* env = nullptr;  ///< Tests only; of the embedded store.
        api::WebAssets dashboard = api::no_web_assets();
    };

    /// Opens the store, recovers, and serves. `clock` must outlive the program.
    static Result<std::unique_ptr<Program>> start(const Options& options, const Clock& clock);

    /// Stops, if stop() was not called.
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    std::uint16_t port() const { return port_; }

    deployment::Deployment& deployment() { return *deployment_; }

    /// Not ready any more; answers what was begun, at most ten seconds; writes what is queued;
    /// closes. Idempotent.
    void stop();

private:
    explicit Program(const Clock& clock);

    Result<void> start_parts(const Options& options);
    void add_routes(const Options& options);
    void add_collecting_routes(api::FrontDoor door, const Configuration& configuration);
    void add_query_routes(api::FrontDoor door, const Configuration& configuration);
    void add_job_routes(api::FrontDoor door, bool of_events);
    void open_by_profile(std::size_t memory_bytes);
    Result<void> open_backups(const Configuration& configuration);
    Result<backup::Taken> take_backup(const backup::TakeOptions& options);
    void tell_figures();
    void announce(const Configuration& configuration);
    std::vector<runtime::BlockingPool*> answer_pools() const;
    void refuse_waiting();

    const WatchedClock clock_;
    metrics::Metrics metrics_;
    metrics::Figures figures_{metrics_};
    api::DurableTimes durable_times_;
    api::ProgramFacts facts_;
    std::atomic<bool> draining_ = false;
    bool stopped_ = false;
    std::size_t batch_threads_ = 1;
    std::uint16_t port_ = 0;
    keys::Sessions sessions_;
    std::unique_ptr<deployment::Deployment> deployment_;
    std::unique_ptr<runtime::BlockingPool> lookups_;  ///< For requests that wait for a few reads.
    std::unique_ptr<runtime::BlockingPool> surveys_;  ///< For those that look through many objects.
    std::unique_ptr<runtime::BlockingPool> acts_;     ///< For those that record what they do.
    std::unique_ptr<runtime::BlockingPool> owner_answers_;  ///< For other processes, which hurry.
    /// Null where nobody knows who is one person.
    std::unique_ptr<by_profile::ReportDesk> by_profile_;
    std::unique_ptr<api::EventBatches> event_batches_;  ///< Null without events.
    std::unique_ptr<EventFigures> event_figures_;       ///< Null without events.
    std::unique_ptr<backup::Desk> backups_;
    std::unique_ptr<api::StoreGate> gate_;
    http_server::Router router_;
    std::unique_ptr<runtime::IoThreads> threads_;
    std::unique_ptr<http_server::Server> server_;
};

}  // namespace footfall::server
