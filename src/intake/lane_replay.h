#pragma once

#include "events/event_keys.h"
#include "events/source_order.h"
#include "foundation/result.h"
#include "intake/lane_judge.h"
#include "journal/records.h"

#include <cstdint>
#include <span>
#include <unordered_map>

namespace footfall::intake {

/// Reads a lane again from its checkpoints: what the rules remember from their mark on; rows and
/// projections from where they may not be stored. For start-up, and after records were lost: while
/// nobody takes events. Waits.
class LaneReplay {
public:
    /// `remembers`: the rules know the lane already (restore_rules_memory), and the judge has
    /// begun.
    LaneReplay(
        const Context& context,
        JudgeLanes& lanes,
        std::uint32_t lane,
        const LaneJudge::Checkpoint& checkpoint,
        bool remembers
    );

    Result<void> run();

    /// How many records were read of which something may not have been stored.
    std::uint64_t unstored() const { return unstored_; }

    /// How many records were read.
    std::uint64_t read() const { return read_; }

private:
    struct Record {
        std::uint64_t offset;
        events::JudgedEvent judged;
        events::EventKeys keys;
        events::IdKeys unstored_id = {};  ///< By what its row is to name it; 0: it needs none.
    };

    Result<void> replay(const journal::Records& records);
    std::uint64_t projected_to() const;
    Result<void> find_unstored_ids(std::span<Record> records);
    events::IdKeys unstored_id(const Arriving& asked);
    bool is_first_of_id(std::uint64_t identity, Instant arrival);
    Result<void> submit_rows(std::span<Record> records);
    Result<void> project(
        std::span<const Record> records,
        std::span<const projecting::ControlRecord> controls,
        std::uint64_t end
    );

    const Context* context_;
    JudgeLanes* lanes_;
    std::uint32_t lane_;
    LaneJudge::Checkpoint checkpoint_;
    bool remembers_;
    storage::CommitPosition last_row_ = 0;
    std::uint64_t unstored_ = 0;
    std::uint64_t read_ = 0;
    events::SourceOrder sources_;
    /// Ids of records that were read again: when the first event of each arrived.
    std::unordered_map<std::uint64_t, Instant> ids_;
};

}  // namespace footfall::intake
