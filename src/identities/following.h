#pragma once

#include "foundation/result.h"
#include "foundation/seldom_log.h"
#include "identities/feed_rows.h"
#include "identities/identities.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace footfall::identities {

/// Brings profiles of this region in line with what was said in the others. Facts stand in tables
/// that all regions have; they come by replication, late and in any order. The feed of each lane
/// says which there should be: a row of it is followed when all before it were and when every row
/// of its facts is here, and only then its ids are settled. So no fact is passed over, however the
/// tables are replicated, and whether a region was cut off.
///
/// A lane of another region is followed by whoever has the lane of that number here; how far stands
/// in a row, so that the next one goes on. Where a lane was never followed, or its feed has expired
/// meanwhile, all facts are read.
///
/// State: how far lanes are followed, of one thread. What it is given must outlive it. Blocks.
class Following {
public:
    /// `region`: this one; feeds of it are not followed.
    Following(Identities& identities, std::string region);

    /// Follows what has come, some rows of some lanes. Answers whether more may be here. Failures:
    /// the store's; `cancelled`.
    Result<bool> go_on(const std::stop_token& stop);

    /// Lanes of other regions of which more was said than is followed here. Thread-safe, as the
    /// next one.
    std::size_t lanes_behind() const { return lanes_behind_.load(); }

    std::uint64_t facts_followed() const { return facts_followed_.load(); }

private:
    /// A lane of another region that has something to follow.
    struct Lane {
        const FeedEnd* end = nullptr;
        std::uint32_t number = 0;
        std::vector<FeedRow> rows = {};
    };

    Result<std::vector<FeedEnd>> ends_of_my_lanes();
    Result<void> read_next(const std::set<std::string>& writers);
    Result<void> take_in(std::span<const FeedEnd> ends, const std::stop_token& stop);
    Result<void> settle_all_under(
        const std::set<std::uint32_t>& lanes, const std::stop_token& stop
    );
    Result<void> settle(std::uint32_t lane, const Identities::Touched& touched);
    Result<void> erase(const std::set<Id>& ids);
    std::vector<Lane> lanes_behind(std::span<const FeedEnd> ends);
    Result<void> read_rows(std::span<Lane> lanes);
    bool names_erased(const FeedFact& fact) const;
    bool is_erased(const FeedFact& fact) const;
    Result<bool> has_row_under(const Id& holder, const FeedFact& fact, const std::string& writer)
        const;
    Result<bool> is_left(const FeedFact& fact, const std::string& writer);
    Result<void> keep_those_here(std::span<Lane> lanes);
    void keep_those_in_order(Lane& lane);
    Result<bool> follow(std::span<const Lane> lanes);

    storage::Store& store() const;

    Identities* identities_;
    const std::string region_;
    std::set<std::uint32_t> mine_;  ///< Lanes that were told here the last time.
    /// By writer, our own, too: all records before it are followed. Absent: not known yet, or all
    /// facts are to be read.
    std::map<std::string, std::uint64_t> next_;
    /// By writer, when all facts were read of it: what had expired of its feed by then is not
    /// missed.
    std::map<std::string, Instant> taken_in_;
    /// By writer, since when its rows wait for what is left of facts of somebody who was erased.
    std::map<std::string, Instant> waits_since_;
    std::set<std::string> expired_;  ///< Writers of whose feed something has expired unfollowed.
    std::map<std::string, std::int64_t> bucket_;  ///< Where the next row is looked for.
    std::string last_;                            ///< The lane that had the last turn.
    SeldomLog troubles_{std::chrono::minutes{10}};
    std::atomic<std::size_t> lanes_behind_ = 0;
    std::atomic<std::uint64_t> facts_followed_ = 0;
};

}  // namespace footfall::identities
