#pragma once

#include "erasure/ledger.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "identities/crowd.h"
#include "identities/index_levels.h"
#include "identities/later_rows.h"
#include "identities/moved_profiles.h"
#include "identities/neighbourhood.h"
#include "identities/profile_data.h"
#include "identities/resolution.h"
#include "identities/sid.h"
#include "identities/unfinished_rows.h"
#include "storage/store.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace footfall::identities {

/// Brings the rows of profiles in line with the facts. Any number of threads and processes may
/// settle the same ids at once: each reads facts, computes, writes what differs, and reads again
/// until nothing does. Whoever wrote what is out of date has read facts that have changed since,
/// and so comes to see it. Nothing is locked, and no order of arrival decides anything. Where the
/// store is this process's alone one thread settles at a time, and need not read again.
///
/// Thread-safe; the store must outlive it. All calls block.
class Settling {
public:
    struct Options {
        SipKey secret;                            ///< The deployment's: of sids.
        const erasure::Ledger* ledger = nullptr;  ///< As of SidNames.
        Guards guards = {};                       ///< Until use() says others.
        DatumRules data = default_rules();        ///< Which values stand for a profile.
        Sight sight = {};
        /// By which statements end; null: none does, and how many partitions the index has is read
        /// anew each time.
        const Clock* clock = nullptr;
        /// Facts that are looked at behind the answers, where `sight` has too few.
        std::size_t later_facts_max = 200'000;
        /// Whether others settle in this store, too; if not, one thread at a time does.
        bool shared = true;
        /// For who compares: what is not copied yet, while a network doubles, is no difference.
        bool only_read_places = false;
    };

    Settling(storage::Store& store, Options options);

    /// What facts say of the profiles of these ids, also of those that are shared; with `trial`,
    /// which are nowhere. Of a shared id not all facts are read, only as many as tell that it is.
    /// Failures as of look_around().
    Result<Neighbourhood> know(std::span<const Id> ids, std::span<const Fact> trial = {}) const;

    /// Of these ids, which are all that some facts name, the rows that follow from the facts stand
    /// when this returns. `writer` says in whose name: who ends before that is to call it again
    /// with the same ids and finish() before. Failures as of look_around().
    Result<Neighbourhood> settle(std::span<const Id> ids, const std::string& writer) const;

    /// Where nobody else settles (Options): writes the rows of facts that stand in none yet, which
    /// name these ids, with the rows that follow from them, all at once. False: nothing is written,
    /// as too many facts hang together with them, or what was noted is just being settled.
    /// Failures: the store's.
    Result<bool> settle_with(
        std::span<const Id> ids,
        std::span<const Fact> told,
        const storage::Batch& rows_of_told,
        const std::string& writer
    ) const;

    /// The same of many, which need not hang together; without `trusts_shared` as when guards have
    /// changed (Sight). Those with which too much hangs together are noted, to be settled later;
    /// answers how many these are. Failures: the store's.
    Result<std::size_t> settle_each(
        std::span<const Id> ids, const std::string& writer, bool trusts_shared = true
    ) const;

    /// The same of an id that was lifted, or of which a lift was revoked: what a row says of its
    /// being shared is not taken for so, and once it is shared the profiles of all ids that links
    /// name with it are settled, too, page by page.
    Result<std::size_t> settle_decided(const Id& id, const std::string& writer) const;

    /// Whether it is known that too much hangs together with one of these, so that all are to be
    /// noted.
    bool is_crowd(std::span<const Id> ids) const { return crowd_.has_one(ids); }

    /// Notes that these are to be settled later, durably. Failures: the store's.
    Result<void> note(std::span<const Id> ids, LaterReason reason, const LaterWait& wait = {})
        const;

    /// Of ids that were noted, those of which the note is to stay.
    struct StillNoted {
        std::vector<Id> too_large;  ///< Too much hangs together with them even here.
        std::vector<Id> again;      ///< Others change them all the time, or the store was away.
    };

    /// Settles ids that were noted, with as many facts as that takes; one thread at a time does.
    /// Failures: the store's; `cancelled`.
    Result<StillNoted> settle_noted(
        std::span<const Id> ids, LaterReason reason, const std::stop_token& stop
    ) const;

    /// Settles what settle_noted() has left half done, here or elsewhere. Failures: the store's.
    Result<void> finish_noted() const;

    /// Ids are tried again that were too much for settle_noted().
    void forget_too_large() const { huge_.clear(); }

    /// In whose name noted ids are settled, whichever process does it.
    static std::string noted_writer() { return "later"; }

    /// Ids that are noted, as far as this process knows.
    NotedIds& noted() const { return noted_; }

    /// Whether a token of a note was drawn here.
    bool is_mine(std::int64_t token) const { return token >> tokens_bits == tokens_of_ours_; }

    /// Settles what was begun in the name of a writer and left half done. Failures as of settle().
    Result<void> finish(const std::string& writer) const;

    /// What is known of these ids, if the rows that follow from it stand; absent: somebody is still
    /// to write them. With `trusts_crowd` nothing is read to find too much that was found before.
    /// Failures as of look_around().
    Result<std::optional<Neighbourhood>> settled(std::span<const Id> ids, bool trusts_crowd = false)
        const;

    std::string sid_of(const Profile& profile) const;

    SidNames names() const { return {.secret = options_.secret, .ledger = options_.ledger}; }

    /// In which profile an id was at an instant, by what had been recorded then. As entry_at().
    Result<std::optional<IndexEntry>> entry_at(const Id& id, Instant instant) const;

    /// Those that hold now. What is under way goes by those that held when it began.
    std::shared_ptr<const Guards> guards() const {
        const std::lock_guard lock{mutex_};
        return guards_;
    }

    /// From now on these hold. Rows that stand are not settled anew by it.
    void use(std::shared_ptr<const Guards> guards) {
        const std::lock_guard lock{mutex_};
        guards_ = std::move(guards);
    }

    storage::Store& store() const { return *store_; }

    /// Which value of a datum stands for a profile, for who stands on them.
    const DatumRules& data_rules() const { return options_.data; }

    /// Notes of profiles that got or lost ids.
    MovedProfiles& moved() const { return moved_; }

    /// Where entries of the index stand.
    const IndexLevels& levels() const { return levels_; }

    /// Keeps those out who settle, where the store is this process's alone; else it holds nothing.
    [[nodiscard]] std::unique_lock<std::mutex> alone() const;

    /// How many links were looked at to settle, again counted again.
    std::uint64_t links_looked_at() const { return links_looked_at_.load(); }

private:
    /// What is to be written, one behind the other: where names lead that are no profile's from now
    /// on, so that whoever finds the rows of one gone finds that; rows; and that an id is shared
    /// only when all that follows from it stands, since nobody looks at what it leads to from then
    /// on.
    struct Differences {
        storage::Batch names;  ///< Empty where all is written at once, as nobody else settles.
        storage::Batch rows;
        storage::Batch shared;
        MovedProfiles::Names moved;  ///< Profiles that get or lose ids, where that is noted.
        /// Whether a profile loses ids to more than one other. Where rows are only added and merged
        /// whoever finds half of them comes from the ids of the facts to all, link by link.
        bool split = false;

        bool empty() const { return rows.empty() && shared.empty(); }
    };

    /// Who else may settle meanwhile: nobody of this process, since they wait, and no other one;
    /// others, so that it is read again; those, too, of who settles what was noted, whose turns
    /// are long.
    enum class Beside : std::uint8_t { nobody, others, others_of_noted };

    /// How ids are settled of which each has little that hangs together with it, or is noted.
    struct Few {
        std::string writer;
        Beside beside = Beside::others;
        bool trusts_shared = true;
    };

    /// Of ids that are being settled.
    struct Ongoing {
        std::string writer;
        Sight sight;
        std::set<Id> looked_at;
        std::vector<Unfinished> unfinished = {};  ///< As it is written down.
        bool has_written = false;                 ///< Where it began alone.

        /// Whoever wrote rows of an id looks at it again, also where they lead elsewhere now.
        void looks_again(const std::set<Id>& open) {
            looked_at.insert(open.begin(), open.end());
            sight.doubted.insert(open.begin(), open.end());
        }
    };

    Beside beside_me() const { return options_.shared ? Beside::others : Beside::nobody; }

    Result<Neighbourhood> settle_again(
        std::span<const Id> ids, const std::string& writer, Sight sight, Beside beside
    ) const;
    Result<std::optional<Neighbourhood>> settle_alone(
        Ongoing& ongoing, std::span<const Fact> told, const storage::Batch& rows_of_told
    ) const;
    Result<Neighbourhood> read_again(Ongoing& ongoing, Beside beside) const;
    Sight sight_of(LaterReason reason, std::span<const Id> ids) const;
    Result<void> settle_some_noted(
        std::span<const Id> ids, LaterReason reason, const std::stop_token& stop, StillNoted& left
    ) const;
    Result<std::vector<Id>> settle_halves(std::span<const Id> ids, const Few& few, int& conflicts)
        const;
    Result<std::size_t> settle_few(std::span<const Id> ids, const Few& few) const;
    Result<void> settle_others_of(const Id& id, const Few& few, std::size_t& left) const;
    Result<void> finish_in_name_of(const std::string& writer, std::size_t facts_max, Beside beside)
        const;
    Result<void> begin_unfinished(Ongoing& ongoing) const;
    Result<void> end(std::span<const Unfinished> unfinished) const;
    Result<Neighbourhood> look(
        const Sight& sight, std::span<const Id> ids, std::span<const Fact> trial
    ) const;
    Result<void> end(const Unfinished& unfinished) const;
    /// How far is looked from now on, at one moment.
    Sight sight() const;
    Result<Neighbourhood> look(
        const Sight& sight,
        const KnownLevels& levels,
        std::span<const Id> ids,
        std::span<const Fact> trial
    ) const;
    Result<LevelsSeen> after_settling(const LevelsSeen& before, const std::set<Id>& written) const;
    Result<StoredProfiles> stored_profiles(const Neighbourhood& known, std::set<std::string> names)
        const;
    static StoredProfiles stored_profiles_alone(const Neighbourhood& known);
    Result<Differences> differences(
        const Neighbourhood& known, const KnownLevels& levels, bool alone, bool notes_moves
    ) const;
    void name_moved(
        const Neighbourhood& known,
        const std::string& sid,
        std::span<const Member> there,
        std::span<const Member> wanted,
        MovedProfiles::Names& moved
    ) const;
    Result<void> write_differences(const Differences& differ, const MovedProfiles::Writing& writing)
        const;
    void keep_name(
        const std::string& sid,
        const Neighbourhood& known,
        std::span<const Member> members,
        storage::Batch& batch
    ) const;
    Result<void> add_contested_rows(const Neighbourhood& known, storage::Batch& batch) const;

    /// Of what one program begins: others' do not meet them but by a chance of one in four billion.
    static constexpr int tokens_bits = 31;

    storage::Store* store_;
    Options options_;
    IndexLevels levels_;
    mutable std::mutex alone_;  ///< Held to settle where nobody else does.
    mutable std::mutex later_;  ///< Held by settle_noted(): its memory is taken once.
    /// Times that it began and ended to settle what was noted: whoever settles beside it reads
    /// again, as it does, also where all others hold `alone_`.
    mutable std::atomic<std::uint64_t> later_begun_ = 0;
    mutable std::atomic<std::uint64_t> later_ended_ = 0;
    mutable Crowd crowd_;  ///< Too large for `sight`.
    mutable Crowd huge_;   ///< Too large for settle_noted(), too.
    mutable NotedIds noted_;
    mutable std::mutex mutex_;
    std::shared_ptr<const Guards> guards_;  ///< Guarded by mutex_; never null.
    const std::int64_t tokens_of_ours_;
    mutable std::atomic<std::int64_t> next_token_;  ///< Of what it may leave half done, and notes.
    mutable MovedProfiles moved_;
    mutable std::atomic<std::uint64_t> links_looked_at_ = 0;
};

}  // namespace footfall::identities
