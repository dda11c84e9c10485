#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "rankings/hot.h"
#include "rankings/recent_people.h"
#include "rankings/trend_settings.h"
#include "rankings/trending.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace footfall::rankings {

/// A judged event, as rankings see it. Borrowed texts.
struct TrendFact {
    std::string_view action;
    std::string_view object;
    std::uint64_t object_hash = 0;  ///< Well mixed, the same in every call.
    std::uint64_t offset = 0;
    Instant time;
    /// Whoever may be new; absent: nobody, or the event was refused.
    std::optional<std::uint64_t> person;
    bool may_be_hot = true;
};

/// What trends and what is hot among the objects of one lane: TrendCandidates by action, and which
/// people are new.
///
/// Somebody is new for an object once a UTC day of the event, as long as RecentPeople knows. Of
/// actions there are at most `actions_most`: for another one the one with the fewest people of late
/// has to go. Only events of the last minute make an object hot.
///
/// What trends is a function of the records of the lane, in their order: those it includes already
/// (`through`) change nothing of it. Hot is of this process, and is not stored. Not thread-safe:
/// the lane's.
class LaneTrends {
public:
    static constexpr std::size_t actions_most = 4;

    /// Records before this are in it.
    std::uint64_t through() const { return through_; }

    /// Has what adding these few will look at on its way to the cache: half of what they cost is
    /// waiting for that. Changes nothing.
    void prefetch(std::span<const TrendFact> facts) const;

    /// Answers whether anything that is stored changed.
    bool add(const TrendFact& fact, const TrendSettings& settings, Instant now);

    /// Null: nobody came of it.
    const TrendCandidates* find(std::string_view action) const;

    const HotObjects& hot() const { return hot_; }

    std::size_t bytes() const;
    std::size_t recount() const;

    /// All but what is hot: docs/formats/trending.md.
    std::string encode() const;

    /// What encode() wrote. `corrupt`: anything else. Of actions that were counted with other
    /// half-lives it knows nothing.
    static Result<LaneTrends> decode(std::string_view bytes, const TrendSettings& settings);

private:
    struct Action {
        std::uint64_t salt;  ///< Of its name: the same person is new under each action.
        TrendCandidates candidates;
    };

    /// Of an action whose name is here, what it takes of the heap.
    static std::size_t bytes_of(const std::string& name, const Action& action);

    const Action* look_up(std::string_view action) const;
    Action& action_of(const TrendFact& fact, const TrendSettings& settings);
    bool take(std::string_view bytes, const TrendSettings& settings);

    std::uint64_t through_ = 0;
    RecentPeople people_;
    std::map<std::string, Action, std::less<>> actions_;
    HotObjects hot_;
};

}  // namespace footfall::rankings
