#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "people/people.h"
#include "reading/ranked_reads.h"
#include "reading/readership.h"
#include "reading/shown_friends.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace footfall::reading {

inline constexpr std::size_t activity_max = 100;  ///< Articles of an answer.

struct ActivityUrl {
    std::string url;
    std::vector<std::string> readers;  ///< By name.
    Instant latest{};                  ///< The quarter-hour in which the last of them read it.
};

struct Activity {
    std::vector<ActivityUrl> urls;  ///< The latest first, of equal ones by URL.
    Instant at{};
    bool more = false;         ///< There may be others.
    bool provisional = false;  ///< As WhoAnswer.
};

/// What the friends of a person read: looked for in rows of who read what, and shown as who_read()
/// has it at the moment, so that nobody appears who may not.
///
/// Cost: a range of read_fact for each friend; at most `facts_max` rows, of
/// which those of the last friends are left out if there are more. Thread-safe. All given must
/// outlive it.
class FriendsReads {
public:
    static constexpr std::size_t facts_max = 1'000'000;
    static constexpr std::uint64_t least = 2;                 ///< Popular with so many.
    static constexpr std::chrono::seconds counted_every{60};  ///< Of one person and window.

    FriendsReads(
        storage::Store& store, const Clock& clock, Readership& readership, people::People& people
    )
        : store_{&store}, clock_{&clock}, readership_{&readership}, people_{&people} {}

    /// The URLs that most friends of the actor read since the window began. What to look at is
    /// counted once a minute, how many they are each time. Waits. `unavailable`, `cancelled`.
    Result<PopularReads> popular(
        const std::string& actor, const PopularAsked& asked, const std::stop_token& stop = {}
    );

    /// What the friends of the actor read last; at most `limit`, which is not above activity_max.
    Result<Activity> latest(
        const std::string& actor, std::size_t limit, const std::stop_token& stop = {}
    );

private:
    /// A URL that friends read, by its hash: how many did, or when.
    struct Candidate {
        std::uint64_t url = 0;
        std::int64_t number = 0;
    };

    struct Candidates {
        std::vector<Candidate> urls = {};  ///< The largest number first.
        bool complete = true;              ///< All facts were looked at.
        bool cut = false;                  ///< There are others, with smaller numbers.
    };

    struct Kept {
        Candidates candidates;
        Instant counted{};
    };

    /// A URL with those who may appear, by who_read().
    struct Confirmed {
        std::string url;
        std::vector<ReaderId> readers = {};
        QuarterOfTime latest = 0;
    };

    struct Days {
        people::UtcDay first = 0;
        std::optional<people::UtcDay> last = {};  ///< Absent: to the latest.
    };

    /// Of whom is asked.
    struct Asked {
        std::vector<std::string> listed = {};
        Shown friends = {};  ///< Names are those of `listed`.
        AskedFriends of = {};
    };

    /// A walk back through the days of what friends read.
    struct Walk {
        const Asked* asked = nullptr;
        std::size_t limit = 0;
        std::size_t left = facts_max;       ///< Facts that may be looked at still.
        std::set<std::uint64_t> seen = {};  ///< URLs of later days.
        std::vector<Confirmed> found = {};  ///< The latest first.
        bool provisional = false;           ///< As WhoAnswer.

        /// Whether none that was read last then, or before, can change the list.
        bool is_settled(std::int64_t quarter) const {
            return found.size() >= limit && found[limit - 1].latest > quarter;
        }
    };

    Result<std::unique_ptr<Asked>> friends_of(const std::string& actor);
    std::vector<std::uint64_t> numbers_of(const ShownFriend& one) const;
    template <class Take>
    Result<bool> each_fact(
        const Asked& asked, Days days, std::size_t& left, const std::stop_token& stop, Take take
    );
    Result<Candidates> count(const Asked& asked, QuarterOfTime from, const std::stop_token& stop);
    Result<Candidates> counted_lately(
        const std::string& actor,
        const rankings::Window& window,
        const Asked& asked,
        QuarterOfTime from,
        const std::stop_token& stop
    );
    Result<std::vector<Confirmed>> confirm(
        std::span<const Candidate> some,
        const Asked& asked,
        QuarterOfTime from,
        bool& is_provisional
    );
    Result<Candidates> read_in(Walk& walk, Days days, const std::stop_token& stop);
    Result<bool> look_at(const Candidates& candidates, Walk& walk, const std::stop_token& stop);

    storage::Store* store_;
    const Clock* clock_;
    Readership* readership_;
    people::People* people_;
    std::mutex mutex_;
    std::map<std::pair<std::string, std::string>, Kept> kept_;  ///< Guarded by mutex_.
};

}  // namespace footfall::reading
