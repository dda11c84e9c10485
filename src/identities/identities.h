#pragma once

#include "erasure/ledger.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "identities/expiry_rows.h"
#include "identities/fact.h"
#include "identities/fact_rows.h"
#include "identities/feed.h"
#include "identities/profile_rows.h"
#include "identities/recorded_guards.h"
#include "identities/settling.h"
#include "journal/log.h"
#include "projecting/ordered_write_behind.h"
#include "projecting/projection.h"
#include "runtime/accounted_lanes.h"
#include "runtime/lanes.h"
#include "runtime/memory_shares.h"
#include "storage/store.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace footfall::identities {

/// Takes facts out of the judged log, writes their rows, and then those of the profiles that follow
/// from them: the log is only past a fact once both are durable. Answers come from rows.
///
/// State: facts that wait for their rows, behind the lanes' mutexes; behind one of its own the
/// guards that hold, and which lanes nobody before it has left half settled. Thread-safe as
/// Projection says; all given must outlive it.
class Identities final : public projecting::Projection {
public:
    static constexpr std::string_view name = "identities";

    struct Options {
        SipKey secret;                            ///< The deployment's.
        const erasure::Ledger* ledger = nullptr;  ///< Null: nobody is ever erased.
        journal::LogId log{};
        std::chrono::microseconds interval = std::chrono::seconds{1};  ///< Facts wait so long.
        runtime::MemoryShare* memory = nullptr;                        ///< Null: as it sees fit.
        bool shared = true;                 ///< Whether other processes write the same rows.
        Guards guards = {};                 ///< Those that hold where none are recorded.
        DatumRules data = default_rules();  ///< Which values stand for a profile.
        std::string region = {};  ///< For which others follow these lanes; empty: there is one.
        /// More facts than that are not looked at before an answer, nor by a lane.
        std::size_t replay = 20'000;
        std::size_t later_facts_max = 200'000;  ///< As in Settling::Options.
        /// Told what has rows now, lane by lane in their order, by the one thread that writes; a
        /// record may be told again. Empty: nobody is.
        std::function<void(std::uint32_t lane, std::uint64_t offset, const FactId& fact)>
            on_written = {};
    };

    Identities(storage::Store& store, const Clock& clock, Options options);

    Result<void> begin(std::span<const projecting::LaneStart> lanes) override;

    Result<void> wait_for_room() override { return waiting_.wait_for_room(); }

    void apply(std::uint32_t lane, std::span<const projecting::JudgedRecord> records) override;
    void control(std::uint32_t lane, std::uint64_t offset, const events::Control& control) override;

    Result<void> flush(bool all) override { return waiting_.flush(all); }

    std::optional<std::uint64_t> unsaved(std::uint32_t lane) override {
        return waiting_.unsaved(lane);
    }

    Instant stored_until(std::uint32_t lane) override { return waiting_.stored_until(lane); }

    void drop() override;
    void drop_lane(std::uint32_t lane) override;

    /// Facts stay when their events go.
    Result<void> expire(
        std::uint32_t /*lane*/, std::span<const projecting::JudgedRecord> /*records*/
    ) override {
        return {};
    }

    /// The lane in which is said what has these ids; they are arranged.
    std::uint32_t lane_of(std::span<const Id> ids) const;

    const Settling& settling() const { return settling_; }

    /// Those that are told here.
    std::set<std::uint32_t> lanes() const;

    /// A fact that may end (lifetime.h), said so of last.
    struct Lasting {
        FactId fact{};
        const std::vector<Id>* ids = nullptr;
        Instant last{};
    };

    /// What some facts touch.
    struct Touched {
        std::set<Id> ids = {};      ///< All that they name.
        std::set<Id> decided = {};  ///< Those of which one decides whether they are shared.
        std::vector<Lasting> lasting = {};
        /// Those of facts that name one with which too much hangs together, as is known already.
        std::set<Id> later = {};

        bool empty() const { return ids.empty() && decided.empty() && later.empty(); }
    };

    /// Adds the ids that a fact names, and of these the ones that it decides.
    void touch(const std::vector<Id>& named, const std::vector<Id>& decided, Touched& touched)
        const;

    /// Adds what a fact touches; it must outlive what is told of it.
    void touch(const Fact& fact, Touched& touched) const;

    /// Has the profiles follow of which something was told elsewhere, in the name of a lane that is
    /// told here. Failures: the store's; half may be written then, and is
    /// ended by whoever has the lane. Blocks.
    Result<void> settle_told(std::uint32_t lane, const Touched& touched);

    /// Those that hold here now.
    RecordedGuards guards() const;

    /// Has the newest guards that are recorded hold here from now on, and answers them. Blocks.
    Result<RecordedGuards> refresh_guards();

    /// Settles these ids anew, under the newest guards: whoever records others while rows are
    /// written is seen afterwards, and they are written again. Answers as Settling::settle_each().
    /// Blocks.
    Result<std::size_t> settle_anew(std::span<const Id> ids);

    /// Settles what settle_anew() has left half done, here or elsewhere. Blocks.
    Result<void> finish_anew();

    /// Settles these ids, of which something has ended, and what that has left half done. Blocks.
    Result<std::size_t> settle_ended(std::span<const Id> ids);
    Result<void> finish_ended();

    /// Erases what was said of these, which the ledger has: facts of others stay as if they had
    /// never been said, and profiles follow. What of it is left half done, here or elsewhere,
    /// sweep() ends. Answers how many ids are left to be settled behind the answers. Blocks.
    Result<std::size_t> erase(std::span<const Id> ids);

    /// What is said of the profiles of these ids now: their names, and facts that name one of their
    /// ids. Of at most said_max facts. Blocks.
    struct SaidOf {
        std::set<std::string> sids;
        std::set<FactId> facts;
    };

    static constexpr std::size_t said_max = 100'000;
    Result<SaidOf> said_of(std::span<const Id> ids);

    /// The same of all whom the ledger has, whatever rows name them. Costs reading all facts.
    /// Failures: the store's; `cancelled`. Blocks.
    Result<void> sweep(const std::stop_token& stop);

    /// Settles ids that were noted, under the newest guards. As Settling::settle_noted().
    Result<Settling::StillNoted> settle_noted(
        std::span<const Id> ids, LaterReason reason, const std::stop_token& stop
    );

    bool is_shared() const { return options_.shared; }

    /// Ids of which somebody, here or elsewhere, has begun to take profiles apart and not said that
    /// it is done, and those that are noted to be settled later. Blocks.
    Result<std::vector<Id>> half_settled() const;

    /// Null: nobody is ever erased.
    const erasure::Ledger* ledger() const { return options_.ledger; }

    journal::LogId log_id() const { return options_.log; }

    const Clock& clock() const { return *clock_; }

    std::size_t waiting() { return waiting_.waiting(); }

    std::size_t bytes() const { return waiting_.bytes(); }

    std::uint64_t facts_written() const { return facts_written_.load(); }

    /// How often an id was noted to be settled later, since much hangs together with it.
    std::uint64_t ids_left() const { return ids_left_.load(); }

    std::vector<runtime::AuditedAccount> accounts();

private:
    /// In whose name profiles are settled of which somebody was erased, whichever process does it.
    static constexpr std::string_view erased_writer = "erased";

    /// What a record says: a fact, or guards.
    struct Said {
        std::uint64_t offset = 0;
        Fact fact;
        std::shared_ptr<const RecordedGuards> guards = {};  ///< Null: a fact. Said at fact.first.

        static std::uint64_t offset_of(const Said& said) { return said.offset; }

        static std::size_t heap_bytes_of(const Said& said);

        static bool concludes(const Said& /*said*/) { return false; }
    };

    using Waiting = projecting::OrderedWriteBehind<Said>;

    Result<void> write(std::span<const Waiting::Part> parts);
    Touched add_told(
        std::span<const ToldFact> facts, std::span<const Waiting::Part> parts, storage::Batch& batch
    );
    Result<void> write_told(
        std::span<const std::uint32_t> lanes,
        std::span<const ToldFact> facts,
        const Touched& touched,
        storage::Batch& batch
    );
    Result<bool> write_at_once(
        std::span<const ToldFact> told,
        const Touched& touched,
        const std::string& writer,
        storage::Batch& batch
    );
    void add_to_feed(std::span<const Waiting::Part> parts, storage::Batch& batch);
    Result<void> settle_for(std::span<const std::uint32_t> lanes, const Touched& touched);
    Result<std::size_t> under_newest_guards(const std::function<Result<std::size_t>()>& settle);
    Result<void> finish(std::uint32_t lane);
    void forget_finished(std::uint32_t lane);
    void take_guards(std::uint32_t lane, std::uint64_t offset, const events::IdentityGuards& said);
    Result<void> erase_rows_of(std::span<const Id> ids, storage::Batch& batch);
    Result<void> sweep_facts(const std::stop_token& stop);
    Result<void> sweep_expiries(const std::stop_token& stop);
    Result<void> sweep_index(const std::stop_token& stop);
    Result<std::vector<ToldFact>> merged_facts(std::span<const Waiting::Part> parts);
    Result<void> write_expiries(std::span<const Expiry> expiries);
    std::vector<Expiry> expiries_of(std::span<const Lasting> lasting) const;
    Result<void> write_expiries_of(std::span<const Id> ids);
    void tell_written(const Waiting::Part& part) const;
    void note_networks(const std::set<Id>& ids, storage::Batch& batch);

    storage::Store* store_;
    const Clock* clock_;
    const Options options_;
    Settling settling_;
    mutable std::mutex mutex_;
    RecordedGuards guards_;  ///< Guarded by mutex_.
    /// Lanes of which nothing is left half settled by whoever had them before. Guarded by mutex_.
    std::set<std::uint32_t> finished_;
    std::set<std::uint32_t> told_;  ///< Lanes that are told here. Guarded by mutex_.
    /// By lane; of each, by whoever tells of it: one thread at a time, as Projection says.
    std::array<std::vector<LaneGuards>, runtime::lane_count> lane_guards_;
    Feed feed_;
    std::set<std::string> networks_;  ///< That have rows; by the one thread that writes.
    std::atomic<std::uint64_t> facts_written_ = 0;
    std::atomic<std::uint64_t> ids_left_ = 0;
    Waiting waiting_;
};

}  // namespace footfall::identities
