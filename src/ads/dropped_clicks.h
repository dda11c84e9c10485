#pragma once

#include "ads/month.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "storage/store.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <stop_token>
#include <string>

namespace footfall::ads {

class Ledger;

/// How far rows of ad_click have been let go, as a row of the store says. A plain value.
struct DroppedClicks {
    Month begun = from_the_beginning;  ///< Of this month and those before rows may be gone,
    Instant begun_at{};                ///< since a day after this;
    Month done = from_the_beginning;   ///< and of these they are.

    /// Whether rows of this ledger day stand.
    bool kept(Day day) const { return begun == from_the_beginning || month_of(day) > begun; }

    /// Blocks, as write() does.
    static Result<DroppedClicks> read(storage::Store& store);
    Result<void> write(storage::Store& store) const;
};

/// Lets rows of ad_click go when their month has been sealed for long enough. It says so a day
/// before the first of them goes, so that whoever counts again meanwhile does not miss them. To be
/// called again and again, by one thread of one process: what is broken off begins anew.
class ClickSweep {
public:
    /// `keep`: for so long after the seal; absent: for ever. The ledger must outlive it.
    ClickSweep(Ledger& ledger, std::optional<std::chrono::seconds> keep)
        : ledger_{&ledger}, keep_{keep} {}

    /// Blocks: where a month is due it reads the rows by day of every reseller, then all rows that
    /// go. Ends early (`cancelled`) once `stop` is asked to.
    Result<void> turn(const std::stop_token& stop);

    /// Rows that went since the start.
    std::uint64_t dropped() const { return dropped_.load(); }

private:
    Result<void> drop_all(const DroppedClicks& dropped, const std::stop_token& stop);
    Result<void> drop_party(
        const std::string& reseller, const std::string& currency, const DroppedClicks& dropped
    );
    Result<void> drop_day(const std::string& reseller, Day day, const std::set<unsigned>& buckets);

    Ledger* ledger_;
    const std::optional<std::chrono::seconds> keep_;
    std::atomic<std::uint64_t> dropped_ = 0;
};

}  // namespace footfall::ads
