#pragma once

#include "events/source_order.h"
#include "events/verdict.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "intake/intake.h"
#include "journal/log_reader.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace footfall::by_profile {

/// Reads judged events of some lanes, all that are kept, also from before the deployment moved: a
/// part at a time, so that others have their turn and it can be given up. Of one thread; the intake
/// must outlive it.
class LanesWalk {
public:
    struct Options {
        std::vector<std::uint32_t> lanes;
        /// What happened before is not wanted: then records that arrived long before it are not
        /// read.
        std::optional<Instant> from = {};
        /// Stands in every event that is wanted, as it is: its object, say. Other records are not
        /// decoded.
        std::string text;
    };

    /// Where an event stands.
    struct At {
        journal::LogId log{};
        std::uint32_t lane = 0;
        std::uint64_t offset = 0;
    };

    using Take = std::function<void(const events::JudgedEvent&, const At&)>;

    LanesWalk(intake::Intake& intake, Options options);
    LanesWalk(const LanesWalk&) = delete;
    LanesWalk& operator=(const LanesWalk&) = delete;

    ~LanesWalk() { rest(); }

    /// Reads some more records, and gives `take` those that may be wanted, each event once. False:
    /// all were read. Waits.
    Result<bool> step(const Take& take);

    /// All events of a time from this one on are among those that were read; absent: all are that
    /// there ever were. Once all were read.
    std::optional<Instant> since() const { return since_; }

    /// Records so far.
    std::uint64_t looked_at() const { return looked_at_; }

private:
    /// Where it reads.
    struct Place {
        std::size_t log = 0;   ///< Of logs_.
        std::size_t lane = 0;  ///< Of options_.lanes.
        bool begun = false;
        std::uint64_t next = 0;  ///< Where it has begun: what is read next.
    };

    Result<void> begin();
    Result<std::uint64_t> first_wanted(std::uint64_t begin);
    Result<std::optional<Instant>> arrival_at(std::uint64_t offset);
    Result<void> note_gap(std::uint64_t begin);
    void move_on();
    void rest();

    journal::LogReader& log() const { return *logs_[place_.log]; }

    std::uint32_t lane() const { return options_.lanes[place_.lane]; }

    intake::Intake* intake_;
    const Options options_;
    /// How much later than its arrival an event that counts may say it was; absent: nobody knows.
    std::optional<std::chrono::microseconds> ahead_;
    std::vector<journal::LogReader*> logs_;
    Place place_;
    bool looked_for_begins_ = false;
    events::SourceOrder sources_;
    std::optional<Instant> since_;
    std::uint64_t looked_at_ = 0;
};

}  // namespace footfall::by_profile
