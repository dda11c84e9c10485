#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "journal/log.h"
#include "projecting/projection.h"
#include "projecting/write_behind.h"
#include "runtime/memory_shares.h"
#include "segment_events/counted_terms.h"
#include "segment_events/did_rows.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace footfall::segment_events {

/// Takes out of the judged log what rules of segments count: of each id the latest counted events
/// of each event term, as many as it asks for. Whether a term holds now is for who reads to say, by
/// the clock; an event that comes late, or again, changes what it should and no more.
///
/// An event counts as it was judged when it arrived: restating the past moves no segment. A term
/// that comes into force is counted from there on; what happened before is looked up in the log
/// (filling.h).
///
/// State: marks that wait for their rows, behind the lanes' mutexes. Thread-safe as Projection
/// says; all given must outlive it.
class SegmentEvents final : public projecting::Projection {
public:
    static constexpr std::string_view name = "segment_events";

    /// Adds to the batch, which has rows of these ids, that something of them is to be looked at.
    using NoteIds = std::function<Result<void>(std::span<const Id> ids, storage::Batch& batch)>;

    /// Is told of ids whose rows have changed, once these are durable. Any thread, short.
    using TellIds = std::function<void(std::span<const Id> ids)>;

    struct Options {
        journal::LogId log{};
        KnownAs known_as = {};  ///< Empty: ids are known as they are written.
        TellIds tell = {};
        runtime::MemoryShare* memory = nullptr;  ///< Null: 32 MiB.
        std::chrono::microseconds interval = std::chrono::seconds{1};
    };

    SegmentEvents(
        storage::Store& store,
        const Clock& clock,
        const TermsInForce& terms,
        NoteIds note,
        const Options& options
    );

    Result<void> wait_for_room() override { return waiting_.wait_for_room(); }

    void apply(std::uint32_t lane, std::span<const projecting::JudgedRecord> records) override;

    void control(std::uint32_t, std::uint64_t, const events::Control&) override {}

    Result<void> flush(bool all) override;

    std::optional<std::uint64_t> unsaved(std::uint32_t lane) override {
        return waiting_.unsaved(lane);
    }

    Instant stored_until(std::uint32_t lane) override { return waiting_.stored_until(lane); }

    void drop() override { waiting_.drop(); }

    void drop_lane(std::uint32_t lane) override { waiting_.drop_lane(lane); }

    /// Marks stay as long as their term may hold, however long events are kept.
    Result<void> expire(std::uint32_t, std::span<const projecting::JudgedRecord>) override {
        return {};
    }

    std::size_t waiting() { return waiting_.waiting(); }

    std::size_t bytes() const { return waiting_.bytes(); }

    runtime::AccountAudit audit(std::size_t lane) { return waiting_.audit(lane); }

private:
    struct Cell {
        using Key = std::pair<Id, std::uint64_t>;  ///< And the hash of a term.

        struct Change {
            Instant time{};
            std::uint64_t offset = 0;
        };

        static std::size_t heap_bytes(const Key& key);

        static std::uint64_t offset_of(const Change& change) { return change.offset; }
    };

    using WriteBehind = projecting::WriteBehind<Cell>;

    Result<void> merge(std::uint32_t lane, const WriteBehind::Waiting& some, storage::Batch& batch);

    storage::Store* store_;
    const TermsInForce* terms_;
    NoteIds note_;
    const Options options_;
    WriteBehind waiting_;
    std::mutex telling_;
    std::set<Id> changed_;  ///< Guarded by telling_: of whom rows were merged, and nobody is told.
};

}  // namespace footfall::segment_events
