#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "identities/fact_rows.h"
#include "identities/recorded_guards.h"
#include "identities/settling.h"
#include "storage/store.h"

#include <boost/unordered/unordered_flat_set.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace footfall::identities {

/// Holds all rows of identities to each other, and those of profiles to what resolve() makes of the
/// facts that hang together: a part of `footfall verify identities` (recount.h). It shares no code
/// with who settles profiles but the function itself, and trusts no row of theirs.
///
/// Of profiles it sees each id that has an entry in the index or that a fact names, and each row
/// that nothing leads to. Once more than `facts_max` facts hang together it looks at profiles one
/// by one, with those beside them, as who settles them does. Others may write meanwhile: what
/// differs is looked at again before it is told. Nor is told what hangs together with a statement
/// that has ended, of which a row says that it is still to be settled (expiry_rows.h): who settles
/// those may be just about to, or away; nor what is noted to be settled later, and what hangs
/// together with it.
///
/// Memory: a page of rows, what hangs together with 64 ids, and 16 bytes an id that was seen, of 8
/// million at most. Used by one thread; all calls block.
class RowCheck {
public:
    struct Options {
        SipKey secret;                            ///< The deployment's: of sids.
        const erasure::Ledger* ledger = nullptr;  ///< As of SidNames.
        std::size_t facts_max = 20'000;
        std::size_t later_facts_max = 200'000;             ///< Of one id, where those are too few.
        std::function<void(std::uint64_t)> progress = {};  ///< Rows looked at so far, now and then.
        std::stop_token stop = {};
        const Clock* clock = nullptr;  ///< By which statements end; null: none does.
    };

    RowCheck(storage::Store& store, Options options)
        : store_{&store}, options_{std::move(options)} {}

    /// Looks at all rows. `wait` waits a moment for who writes. Failures: the store's; `cancelled`.
    Result<void> run(const std::function<Result<void>()>& wait);

    /// A sentence each, the first thousand.
    const std::vector<std::string>& differences() const { return differences_; }

    std::uint64_t ids() const { return ids_; }  ///< That were held to facts.

    /// How often something differed and was not told, since it has to do with a statement that
    /// ended of late: a row says that somebody is still to settle it.
    std::uint64_t being_settled() const { return being_settled_; }

    /// Ids that were still noted to be settled later.
    std::size_t noted() const { return noted_.size(); }

private:
    SidNames names() const { return {.secret = options_.secret, .ledger = options_.ledger}; }

    using Differences = std::vector<std::string>;
    /// Looks at something again.
    using Look = std::function<Result<Differences>()>;

    template <class Take>
    Result<void> scan(const storage::Table& table, const Take& take);
    Result<void> check_facts(const storage::Rows& rows);
    Result<void> check_index(const storage::Rows& rows);
    Result<void> check_profile_rows(const storage::Rows& rows);
    Result<void> check_anchors(const storage::Rows& rows);
    Result<void> check_fact_anchors(const storage::Rows& rows);
    Result<void> see(std::vector<Id> ids);
    Result<void> check_components(std::vector<Id> ids);
    Result<void> check_neighbourhoods(std::vector<Id> ids);
    Settling settling(std::size_t facts_max) const;
    Result<std::optional<Neighbourhood>> stands(std::span<const Id> ids) const;
    Result<void> read_noted();
    bool has_noted(std::span<const Id> ids) const;
    Result<bool> hangs_with_noted(std::span<const Id> ids) const;
    Result<bool> is_beside_noted(const Id& id) const;
    Result<void> suspect(Look look);
    Result<void> look_again(const std::function<Result<void>()>& wait);

    bool names_erased(const Fact& fact) const;
    Result<Differences> look_at_fact(const FactRow& row) const;
    Result<Differences> look_at_components(std::span<const Id> ids) const;
    Result<Differences> look_at_neighbourhoods(std::span<const Id> ids) const;
    Result<bool> is_being_settled(const Facts& facts) const;
    Instant now() const;
    Result<Differences> look_at_profile(const std::string& sid) const;
    Result<Differences> look_at_anchor(const std::string& sid) const;
    Result<Differences> look_at_fact_anchor(const FactId& fact) const;

    storage::Store* store_;
    const Options options_;
    RecordedGuards guards_;
    bool follows_guards_ = true;                     ///< Whether profiles were settled under them.
    boost::unordered_flat_set<std::uint64_t> seen_;  ///< Hashes of ids.
    std::vector<Look> suspects_;
    Differences differences_;
    std::set<Id> noted_;
    std::uint64_t rows_ = 0;
    std::uint64_t ids_ = 0;
    mutable std::uint64_t being_settled_ = 0;
    bool has_large_ = false;  ///< Whether more than `facts_max` facts hang together with an id.
    boost::unordered_flat_set<std::uint64_t> sound_;  ///< From then on: ids of profiles that stand.
};

}  // namespace footfall::identities
