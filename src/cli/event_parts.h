#pragma once

#include "cli/views_projection.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "guard/rate.h"
#include "guard/rules.h"
#include "intake/intake.h"
#include "intake/retention.h"
#include "journal_rocksdb/store_log.h"
#include "storage/store.h"
#include "views/views.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace footfall::cli {

/// Everything between an event and its views, on one store: the log, the rules and what they
/// remember, the intake, the views. Opened by reading the log from where views and rows end.
///
/// Thread-safe parts. The store and the clock must outlive it, and the store must be closed (no
/// more callbacks) before it is destroyed.
class EventParts {
public:
    struct Options {
        SipKey secret;
        /// False: no event will be judged, and whatever rules were last in force stay so.
        bool judges = true;
        /// The rule file; absent: the standard rules. Its lists lie in its folder.
        std::optional<std::string> rules = {};
        /// Events that arrived longer ago go, while this is open; absent: none do. Not shorter than
        /// the rules look back.
        std::optional<std::chrono::seconds> keep = {};
        std::optional<std::chrono::seconds> keep_addresses = {};  ///< As of intake::Bench.
        std::size_t views_bytes = 16 << 20;
        std::size_t guard_bytes = 8 << 20;
    };

    /// The tables that the store has to know.
    static std::span<const storage::Table* const> tables();

    /// `invalid_input` when the rule file is none, or events are kept too shortly for it. Waits.
    static Result<std::unique_ptr<EventParts>> open(
        storage::Store& store, const Clock& clock, const Options& options
    );

    intake::Intake& intake() { return *intake_; }

    views::Views& views() { return *views_; }

    /// How many events went because they were kept long enough, since the start.
    std::uint64_t dropped() const { return retention_ ? retention_->dropped() : 0; }

    /// Writes what is left to write. Idempotent.
    void close();

private:
    EventParts() = default;

    std::unique_ptr<journal_rocksdb::StoreLog> log_;
    std::unique_ptr<guard::RateState> rates_;
    std::unique_ptr<views::Views> views_;
    std::unique_ptr<ViewsProjection> projection_;
    std::unique_ptr<intake::Intake> intake_;
    std::unique_ptr<intake::Retention> retention_;  ///< Null: events are kept for ever.
};

}  // namespace footfall::cli
