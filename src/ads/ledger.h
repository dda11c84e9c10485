#pragma once

#include "ads/account.h"
#include "ads/entries.h"
#include "ads/gathered.h"
#include "ads/ledger_zone.h"
#include "ads/line_wire.h"
#include "ads/live_clicks.h"
#include "ads/parties.h"
#include "ads/party_pages.h"
#include "ads/poster.h"
#include "ads/seals.h"
#include "events/event_keys.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "projecting/owners.h"
#include "projecting/projection.h"
#include "projecting/rows_behind.h"
#include "runtime/lanes.h"
#include "runtime/memory_shares.h"
#include "storage/store.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::ads {

/// Lines of one party, or ad, that may be in no row yet.
struct WaitingLines {
    std::vector<WaitingLine> lines;
    bool provisional = false;  ///< Whoever counts some lanes did not answer.
};

/// The job: reads the judged log, and keeps the ledger's tables. A click, a sale, a change of a
/// rate and a seal wait in memory in the order of their lane, and are merged with their rows by
/// Poster; nothing is read when one comes.
///
/// State: what waits, and the seals that each lane has passed, under the lane's mutex. Thread-safe
/// as Projection says; what it is given must outlive it.
class Ledger final : public projecting::Projection {
public:
    /// Under which its owners are asked, its checkpoints stand, and `verify` knows it.
    static constexpr std::string_view name = "ads";

    struct Options {
        LedgerZone zone = {};
        std::string currency = "XXX";  ///< Of events that name none.
        SipKey secret;                 ///< The deployment's: by it a name has its lane.
        runtime::MemoryShare* memory = nullptr;
        /// Lines wait so long for their rows, unless memory is short: the longer, the more of them
        /// a row is written for, and the more a start has to read again.
        std::chrono::microseconds interval = std::chrono::seconds{1};
        projecting::Owners* owners = nullptr;  ///< Null: all lanes are counted here.
        LiveClicks* live = nullptr;  ///< Told of clicks that come; null: it is told by others.
    };

    /// Fails (`conflict`) if the ledger in the store was begun with another zone or currency: what
    /// to do is in the message. Blocks.
    static Result<std::unique_ptr<Ledger>> open(
        storage::Store& store, const Clock& clock, std::uint64_t log, Options options
    );

    const LedgerZone& zone() const { return options_.zone; }

    const std::string& currency() const { return options_.currency; }

    storage::Store& store() const { return *store_; }

    const Clock& clock() const { return *clock_; }

    std::uint64_t log() const { return log_; }

    const Parties& parties() const { return parties_; }

    /// The lane in which changes of a party's rate stand.
    std::uint32_t lane_of(std::string_view party) const {
        return events::lane_of(party, options_.secret);
    }

    // As Projection says.
    Result<void> begin(std::span<const projecting::LaneStart> lanes) override;

    Result<void> wait_for_room() override;

    void apply(std::uint32_t lane, std::span<const projecting::JudgedRecord> records) override;
    void control(std::uint32_t lane, std::uint64_t offset, const events::Control& control) override;
    Result<void> flush(bool all) override;

    std::optional<std::uint64_t> unsaved(std::uint32_t lane) override;

    Instant stored_until(std::uint32_t lane) override {
        return std::min(waiting_.stored_until(lane), clicks_.stored_until(lane));
    }

    Result<std::string> answer(std::uint32_t lane, std::string_view question) override;

    void drop() override;

    void drop_lane(std::uint32_t lane) override;

    /// ad_click is the record of money: sums are held to it, and stay when events go.
    Result<void> expire(std::uint32_t, std::span<const projecting::JudgedRecord>) override {
        return {};
    }

    /// Lines of a party, or an ad, that may be in no row yet: to be asked before rows are read.
    /// Waits for other processes, if any, but never long.
    Result<WaitingLines> waiting_lines(const LinesAsked& asked);

    /// What was sealed, as the store says now. Blocks.
    Result<Seals> seals() const { return Seals::read(*store_, log_); }

    /// Pages of parties, kept up to date by hand_over(); null: other processes count lanes, too,
    /// and every question reads rows.
    PartyPages* pages() { return pages_.get(); }

    /// Gives pages what has come: before one is asked, and several times a second. Never waits for
    /// the store. Thread-safe.
    void hand_over();

    /// Whether pages may lack something that has come. Thread-safe.
    bool is_to_hand_over() const { return to_hand_over_.load(); }

    /// How far seals have come. Where there are pages this process knows of all of them.
    SealProgress& seal_progress() { return seal_progress_; }

    /// What waits for its rows.
    Waiting& waiting() { return waiting_; }

    /// Lines of a lane before this wait, or are in rows: they do not come any more.
    std::uint64_t taken_before(std::uint32_t lane) {
        return lanes_.with(lane, [](const LaneState& state) { return state.taken_before; });
    }

    /// Rows of ad_click that wait to be written.
    projecting::RowsBehind& clicks() { return clicks_; }

private:
    /// Of a lane; its mutex is taken before those of clicks_ and waiting_.
    struct LaneState {
        LaneSeals seals;
        SharedNames names;  ///< Of the lines that wait and will be written together.
        std::uint64_t taken_before = 0;
    };

    Ledger(storage::Store& store, const Clock& clock, std::uint64_t log, Options options);

    Result<void> merge(std::span<const Waiting::Part> parts, storage::Batch& batch);
    Line take_line(
        std::uint32_t lane,
        const projecting::JudgedRecord& record,
        LaneState& state,
        storage::Batch& clicks
    ) const;
    void note_live(std::span<const projecting::JudgedRecord> records);
    void note_written(std::span<const Waiting::Part> parts);
    void drop_lines(std::uint32_t lane);
    void forget_pages();

    storage::Store* store_;
    const Clock* clock_;
    const std::uint64_t log_;
    const Options options_;
    runtime::Lanes<LaneState> lanes_;
    const Parties parties_;
    const std::vector<std::string> writers_;  ///< By lane.
    Poster poster_;
    bool begun_ = false;  ///< The ledger's row stands. Used where the poster is.
    projecting::RowsBehind clicks_;
    Waiting waiting_;
    std::unique_ptr<PartyPages> pages_;                        ///< Null: see pages().
    std::atomic<bool> to_hand_over_ = false;                   ///< Set once something has come.
    std::mutex handing_;                                       ///< Of what follows.
    std::array<std::uint64_t, runtime::lane_count> handed_{};  ///< Records before this were.
    SealProgress seal_progress_;
};

}  // namespace footfall::ads
