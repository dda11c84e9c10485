#pragma once

#include "events/verdict.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "journal/log.h"
#include "projecting/projection.h"
#include "storage/store.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace footfall::people {
class ReadSeals;
}

namespace footfall::projecting {

/// A part of a lane that is counted again. A lane of many events is counted in several parts, one
/// after the other, so that memory stays within bounds: each part sees all records, and takes those
/// of which some hash, modulo `of`, is `number`.
struct RecountPart {
    storage::Store* store = nullptr;
    SipKey secret;
    journal::LogId log = 0;
    std::uint32_t lane = 0;
    bool begins_later = false;  ///< Records have left the log before the first that is there.
    std::uint64_t number = 0;
    std::uint64_t of = 1;
    const people::ReadSeals* seals = nullptr;  ///< By which readers are known; null: none is.
    Instant now{};                             ///< When it is counted: what expired is not missed.
    const Clock* clock = nullptr;  ///< By which more expires meanwhile; null: nothing does.
    /// Who counts for long looks whether it is to end, and fails with `cancelled` then.
    std::stop_token stop = {};
    /// The same tells how many rows it has looked at, now and then. Null: nobody listens.
    std::function<void(std::uint64_t)> progress = {};
    /// What the recount of one part leaves to those of the parts that follow, in this comparison:
    /// null at first. Null itself: nothing can be left.
    std::shared_ptr<void>* left = nullptr;
    bool is_last = false;  ///< Whether no part of any lane follows.
    bool alone = false;    ///< Whether nobody counts meanwhile: rows say nothing of later records.
};

/// How far the rows of a lane are written. Where others write meanwhile this moves on.
class WrittenRows {
public:
    WrittenRows() = default;
    WrittenRows(const WrittenRows&) = delete;
    WrittenRows& operator=(const WrittenRows&) = delete;
    virtual ~WrittenRows() = default;

    /// What follows from records before this is in rows.
    virtual std::uint64_t end() const = 0;

    /// Waits a moment for more. False: none came of this lane for too long, or none will.
    virtual Result<bool> wait() = 0;
};

/// Counts a part of a lane again, by other code than the projection's, and holds every stored
/// number to that. Used by one thread, in the order in which its functions stand here.
class Recount {
public:
    Recount() = default;
    Recount(const Recount&) = delete;
    Recount& operator=(const Recount&) = delete;
    virtual ~Recount() = default;

    /// An event of the lane before the end that is compared, in the order of the lane.
    virtual Result<void> add(const JudgedRecord& record) = 0;

    /// The same of a control record, which holds for the events behind it.
    virtual Result<void> control(std::uint64_t /*offset*/, const events::Control& /*control*/) {
        return {};
    }

    /// All was added: reads what is stored of it, and waits for rows that may come yet. Answers up
    /// to which record of the lane they reach.
    virtual Result<std::uint64_t> read_stored(WrittenRows& rows) = 0;

    /// An event behind that end, as far as rows reach: it counts where a row says that it includes
    /// it.
    virtual void add_behind(const JudgedRecord& record) = 0;

    /// The same of a control record.
    virtual Result<void> control_behind(
        std::uint64_t /*offset*/, const events::Control& /*control*/
    ) {
        return {};
    }

    /// A sentence for each number that is not as it should be.
    virtual std::vector<std::string> differences() const = 0;

    /// The same of what is no difference, and to be known of the result.
    virtual std::vector<std::string> remarks() const { return {}; }

    virtual std::uint64_t events() const = 0;   ///< That this part took.
    virtual std::uint64_t objects() const = 0;  ///< Of which it compared numbers.
};

using MakeRecount = std::function<std::unique_ptr<Recount>(const RecountPart&)>;

}  // namespace footfall::projecting
