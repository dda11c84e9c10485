#pragma once

#include "api/collect_routes.h"
#include "api/durable_times.h"
#include "api/event_stream.h"
#include "api/front_door.h"
#include "audit/acts.h"
#include "by_profile/profiles.h"
#include "by_profile/report_desk.h"
#include "erasure/desk.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "intake/collector.h"
#include "intake/intake.h"
#include "intake/judged_watch.h"
#include "intake/kept_events.h"
#include "jobs/settings.h"
#include "journal/log.h"
#include "journal/outgoing_topics.h"
#include "metrics/figures.h"
#include "metrics/metrics.h"
#include "people/read_terms.h"
#include "projecting/owners.h"
#include "projecting/projection.h"
#include "projecting/recount.h"
#include "projecting/verify.h"
#include "runtime/accounted_lanes.h"
#include "runtime/blocking_pool.h"
#include "runtime/memory_shares.h"
#include "showing/shown_column.h"
#include "storage/store.h"

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::identities {
class Settling;
}  // namespace footfall::identities

namespace footfall::people {
class People;
class ReadSeals;
}  // namespace footfall::people

namespace footfall::jobs {

/// What a job stands on. All of it outlives the job.
struct Floor {
    storage::Store* store = nullptr;
    const Clock* clock = nullptr;
    metrics::Metrics* metrics = nullptr;  ///< For what is counted as it happens; see Job::tell().
    SipKey secret;                        ///< The deployment's.
    journal::LogId log{};                 ///< Of judged events, for a job that is made of them.
    /// Whether other processes read and write the same rows.
    bool shared = false;
    /// What it read of its settings; null: nobody said anything, and its defaults hold.
    const Options* options = nullptr;
    /// What it may take of the memory that jobs share; null: as much as it sees fit.
    runtime::MemoryShare* memory = nullptr;
    /// Who counts lanes that this process does not, where several share them; null: all lanes are
    /// counted here.
    projecting::Owners* owners = nullptr;
    people::People* people = nullptr;          ///< Who shares what they read.
    const people::ReadSeals* seals = nullptr;  ///< Of what they share.
    /// Who brings profiles in line, of a job that was opened before (Job::settling()); null: none.
    const identities::Settling* settling = nullptr;
    people::ReadTerms reads = {};             ///< What holds of all reads.
    const erasure::Ledger* ledger = nullptr;  ///< Of whom was erased; null: nobody ever is.
    /// Name of the region, where there are several: facts of the others are followed; empty: there
    /// is one.
    std::string_view region = {};
    /// Where it records an act that no request asked for, such as settings that hold from now on,
    /// before it is carried out; those of its routes are by api::FrontDoor::acting. Null: in tests,
    /// and where a lane is only counted again.
    audit::Acts* acts = nullptr;
    journal::OutgoingTopics* topics = nullptr;  ///< Null: this deployment has no brokers.
};

/// What the routes of a job are answered with. All of it outlives them.
struct Answering {
    /// Finds events, and tells of new ones; null for a job that is not made of them.
    intake::Intake* intake = nullptr;
    /// Takes what this process is sent, whatever its roles: the job says its controls there
    /// (intake::Collector::say). Null with `intake`.
    intake::Collector* collector = nullptr;
    runtime::BlockingPool* lookups = nullptr;  ///< For answers that wait for a few reads.
    runtime::BlockingPool* surveys = nullptr;  ///< For those that look through many objects.
    /// How many threads may work on what is sent in bulk: the others are for whoever waits for a
    /// single answer.
    std::size_t batch_threads = 1;
    const api::ProgramFacts* facts = nullptr;          ///< For the first event of a stream.
    const api::DurableTimes* durable_times = nullptr;  ///< How long writes took of late.
    /// Who counts people where several actors are one (Job::profiles()); null: nobody here knows
    /// who is.
    by_profile::ReportDesk* by_profile = nullptr;
    erasure::Desk* eraser = nullptr;  ///< Where people are erased; null: not by this process.
    /// All that the program says of itself, as /metrics has it. Once start_listening() was called.
    std::function<std::vector<metrics::Sample>()> samples = {};
};

/// A job of a running program. Thread-safe.
class Job {
public:
    Job() = default;
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;
    virtual ~Job() = default;

    /// What keeps its tables by the judged log, for as long as the job lives; null for a job that
    /// is not made of events.
    virtual projecting::Projection* projection() { return nullptr; }

    /// Who is to see each judged event of the deployment as it comes, where this process answers
    /// but others count; for as long as the job lives. Null: nobody.
    virtual intake::Onlooker* onlooker() { return nullptr; }

    /// What it keeps of events for longer than their ids are known, for as long as the job lives.
    /// Null: nothing.
    virtual intake::KeptEvents* kept_events() { return nullptr; }

    /// Which profile an actor is in, if the job knows, for others that count people; for as long as
    /// the job lives. Null: it does not.
    virtual by_profile::Profiles* profiles() { return nullptr; }

    /// As what the job knows an id that others sent: some write what is the same in several ways.
    virtual events::Identifier known_as(events::Identifier id) const { return id; }

    /// How the audit log calls what the job says of these beside their ids (audit/acts.h), asked
    /// before they are erased: so that what acts said of it is forgotten with them.
    virtual Result<std::vector<std::string>>
    persons_of(std::span<const events::Identifier> /*ids*/) {
        return std::vector<std::string>{};
    }

    /// Erases what it has of these, in rows and in memory, so that no answer tells of them. The
    /// ledger has them already: what was recorded of them before, and comes later, is to be left
    /// out. An actor is the id of events::id_of_actor(). What fails is done by sweep_erased().
    virtual Result<void> erase(std::span<const events::Identifier> /*ids*/) { return {}; }

    /// The same of all whom the ledger has, whatever rows name them, some time after each erasure,
    /// and again while it is `open`. Ends early with `cancelled`.
    virtual Result<erasure::Swept> sweep_erased(const std::stop_token& /*stop*/) {
        return erasure::Swept::done;
    }

    /// Who brings profiles in line in this process, for jobs that stand on them and are opened
    /// later; outlives those. Null: it does not.
    virtual const identities::Settling* settling() { return nullptr; }

    /// Adds its routes to the door behind which questions are answered. Called once at most.
    virtual void add_routes(api::FrontDoor& door, const Answering& answering) = 0;

    /// Adds its routes to the public door, where events come in. Called once at most, and only
    /// where there are events.
    virtual void add_collecting_routes(
        api::FrontDoor& /*door*/, const api::CollectOptions& /*collecting*/
    ) {}

    /// Listens where it is set to take other protocols than HTTP. Called once at most, when its
    /// routes are there. Fails with what its address does not allow. stop_answering() ends it.
    virtual Result<void> start_listening() { return {}; }

    /// Refuses what waits to be begun on threads of its own, and what comes from then on: the
    /// program stops, and finishes what it has begun. Idempotent.
    virtual void refuse_waiting() {}

    /// Ends what it does for its routes on threads of its own; from then on they refuse. Called
    /// while the store is open. Idempotent.
    virtual void stop_answering() {}

    /// Tells its metrics, when somebody asks for them; beside those that it counts in
    /// Floor::metrics. Names begin with footfall_<job>_.
    virtual void tell(metrics::Figures& /*figures*/) {}

    /// Its accounts of memory, to be held to what is there; for as long as the job lives.
    virtual std::vector<runtime::AuditedAccount> accounts() { return {}; }
};

/// What a job without events is held to: the rows of its tables, by themselves.
struct StoredParts {
    storage::Store* store;
    SipKey secret;                     ///< The deployment's.
    const Options* options = nullptr;  ///< Null: its defaults.
    Instant now;
};

/// A job as a program knows it before it is opened: the one line of the list.
struct Registered {
    /// Of its checkpoints, `footfall verify NAME`, questions to owners, metrics. Never changed.
    std::string_view name;
    std::span<const storage::Table* const> tables;
    /// Whether it is made of judged events, and has a projection. If not it stands on the store
    /// alone, and is there without a log of events, too.
    bool of_events = true;
    /// Reads its sections; null: it has no settings.
    const JobSettings* settings = nullptr;
    /// The least that it must have of the memory that jobs share; `invalid_input`, and what to do,
    /// if that is more than `most`. Null: it makes do with what each job has.
    Result<std::size_t> (*least_memory)(const Options* options, std::size_t most) = nullptr;
    /// Blocks. Fails with what its tables or its settings do not allow.
    Result<std::unique_ptr<Job>> (*open)(const Floor& floor);
    /// Null: it does not follow from the log; there is no `verify NAME` without `verify` either.
    std::unique_ptr<projecting::Recount> (*recount)(const projecting::RecountPart& part) = nullptr;
    /// Holds what is stored to itself, for what has no recount. Others may write meanwhile. Blocks.
    Result<projecting::Verified> (*verify)(
        const StoredParts& parts, const projecting::VerifyListeners& listeners
    ) = nullptr;
    /// What projecting::Verified counts of it as events, and as objects.
    std::array<std::string_view, 2> verified{"events", "objects"};
    /// Its paths and schemas; merged with those of all others.
    std::string_view (*openapi)();
    /// How `footfall table` shows those of its columns that hold more than a text or a number.
    /// Null: there are none.
    std::span<const showing::ShownColumn> (*shown)() = nullptr;
};

/// The jobs of a program.
using List = std::span<const Registered* const>;

}  // namespace footfall::jobs
