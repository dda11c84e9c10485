#pragma once

#include "api/event_stream.h"
#include "api/front_door.h"
#include "foundation/clock.h"
#include "foundation/siphash.h"
#include "intake/intake.h"
#include "journal/log.h"
#include "metrics/figures.h"
#include "projecting/owners.h"
#include "projecting/projection.h"
#include "projecting/recount.h"
#include "runtime/accounted_lanes.h"
#include "runtime/blocking_pool.h"
#include "runtime/memory_shares.h"
#include "storage/store.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace footfall::jobs {

/// What a job stands on. All of it outlives the job.
struct Floor {
    storage::Store* store = nullptr;
    const Clock* clock = nullptr;
    SipKey secret;         ///< The deployment's.
    journal::LogId log{};  ///< Of judged events.
    /// What it may take of the memory that jobs share; null: as much as it sees fit.
    runtime::MemoryShare* memory = nullptr;
    /// Who counts lanes that this process does not, where several share them; null: all lanes are
    /// counted here.
    projecting::Owners* owners = nullptr;
};

/// What the routes of a job are answered with. All of it outlives them.
struct Answering {
    intake::Intake* intake = nullptr;          ///< Finds events, and tells of new ones.
    runtime::BlockingPool* lookups = nullptr;  ///< For answers that wait for the store.
    const api::ProgramFacts* facts = nullptr;  ///< For the first event of a stream.
};

/// A job of a running program. Thread-safe.
class Job {
public:
    Job() = default;
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;
    virtual ~Job() = default;

    /// What keeps its tables by the judged log, for as long as the job lives.
    virtual projecting::Projection& projection() = 0;

    /// Adds its routes to the door behind which questions are answered.
    virtual void add_routes(api::FrontDoor& door, const Answering& answering) = 0;

    /// Tells its metrics, when somebody asks for them. Names begin with footfall_<job>_.
    virtual void tell(metrics::Figures& figures) = 0;

    /// What a lane takes in memory as it is booked, and counted anew; absent: it books none.
    virtual std::optional<runtime::AccountAudit> audit(std::size_t /*lane*/) {
        return std::nullopt;
    }
};

/// A job as a program knows it before it is opened: the one line of the list.
struct Registered {
    /// Of its checkpoints, `footfall verify NAME`, questions to owners, metrics. Never changed.
    std::string_view name;
    std::span<const storage::Table* const> tables;
    std::unique_ptr<Job> (*open)(const Floor& floor);
    std::unique_ptr<projecting::Recount> (*recount)(const projecting::RecountPart& part);
    /// Its paths and schemas; merged with those of all others.
    std::string_view (*openapi)();
};

/// The jobs of a program.
using List = std::span<const Registered* const>;

}  // namespace footfall::jobs
