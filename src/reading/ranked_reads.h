#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "people/sharers.h"
#include "rankings/score.h"
#include "rankings/trends.h"
#include "rankings/windows.h"
#include "reading/day_ranks.h"
#include "reading/readership.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::reading {

/// What is popular, of everybody or among friends.
struct PopularAsked {
    rankings::Window window;
    std::size_t limit = 10;
    std::size_t per_site = 0;  ///< Of one site at most so many; 0: any number.
};

struct PopularUrl {
    std::string url;
    std::uint64_t readers = 0;

    friend bool operator==(const PopularUrl&, const PopularUrl&) = default;
};

struct PopularReads {
    std::vector<PopularUrl> urls;  ///< Most readers first, of equal ones by URL.
    Instant from{};                ///< Who read it last before that does not count.
    Instant at{};
    std::uint64_t floor = 0;   ///< Nothing is shown that fewer read.
    bool complete = true;      ///< False: too many are alike in size to look at all.
    bool provisional = false;  ///< What waits in another process is missing.
};

struct TrendingReads {
    rankings::TrendList list;
    rankings::TrendTotals totals;
    rankings::TrendSettings settings;  ///< It was made with.
    Instant at{};
    bool provisional = false;  ///< Some lanes are as they were stored.
};

/// The site of an article: its host, or itself where it is no URL.
std::string site_named(std::string_view article);

/// What everybody who shares reads: no name is told, and nothing that fewer than `least` read.
/// Thread-safe. All given must outlive it.
class RankedReads {
public:
    struct Options {
        std::uint64_t least = 5;
    };

    RankedReads(
        storage::Store& store,
        const Clock& clock,
        const people::Sharers& sharers,
        Readership& readership,
        DayRanks& ranks,
        rankings::Trends& trends,
        Options options
    )
        : store_{&store},
          clock_{&clock},
          sharers_{&sharers},
          readership_{&readership},
          ranks_{&ranks},
          trends_{&trends},
          options_{options} {}

    /// The URLs with the most readers, each by their latest read, since the window began: exactly
    /// as if all had been asked, unless it says otherwise. Waits. `cancelled` once `stop` is.
    Result<PopularReads> popular(const PopularAsked& asked, const std::stop_token& stop = {});

    /// What has more readers than at other times, by the score of rankings/score.h. Waits.
    Result<TrendingReads> trending(std::size_t limit, std::size_t per_site);

private:
    Result<std::vector<std::uint64_t>> readers_since(
        std::span<const std::string> urls, QuarterOfTime from, bool& is_provisional
    );

    storage::Store* store_;
    const Clock* clock_;
    const people::Sharers* sharers_;
    Readership* readership_;
    DayRanks* ranks_;
    rankings::Trends* trends_;
    const Options options_;
};

}  // namespace footfall::reading
