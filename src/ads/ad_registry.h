#pragma once

#include "ads/registered_ad.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "storage/store.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::ads {

/// The registered ads of a deployment, all of them in memory: who follows a link waits for no
/// store. A change is written first, with who made it and when (ad_change), and seen from the
/// moment it is durable; what another process changed, at the next read_changes().
///
/// Of two processes that change an ad at once, the later change stands, by their clocks.
/// Thread-safe. `store` and `clock` must outlive it.
class AdRegistry {
public:
    static constexpr std::size_t ads_max = 100'000;
    static constexpr std::size_t bytes_max = 64 << 20;  ///< Of their texts, in memory.
    /// For read_changes(): changes are to be seen within a second.
    static constexpr std::chrono::milliseconds read_every{500};

    using Ad = std::shared_ptr<const RegisteredAd>;

    /// Reads all ads. Blocks; for start-up. `corrupt`: a row that nobody here wrote.
    static Result<std::unique_ptr<AdRegistry>> open(storage::Store& store, const Clock& clock);

    AdRegistry(const AdRegistry&) = delete;
    AdRegistry& operator=(const AdRegistry&) = delete;
    ~AdRegistry() = default;

    /// Null: nobody registered it. One look-up among those in memory.
    Ad find(std::string_view ad) const;

    /// What became of a change.
    struct Change {
        Ad ad;             ///< As it is now.
        bool is_new;       ///< It was not registered before.
        bool was_written;  ///< False: it was so already, and nothing was written.
    };

    /// Registers an ad, or changes the one of this name; fault_of_ad() must have none. Blocks until
    /// it is durable. `conflict`: there are ads_max ads, or bytes_max of them; or a failure of the
    /// store, after which the ad is in this process as it was: ask again.
    Result<Change> put(std::string ad, AdTerms terms, std::string author);

    /// Reads what others changed since this was last called. Blocks. On failure what is known
    /// stays, and is caught up with later. Takes changes of processes whose clocks differ by up to
    /// a minute.
    Result<void> read_changes();

    /// Of the ads whose names begin so, by name, the first `limit` behind `after`.
    std::vector<Ad> list(std::string_view prefix, std::string_view after, std::size_t limit) const;

    std::size_t size() const;

private:
    using ByName = std::map<std::string, Ad, std::less<>>;

    AdRegistry(storage::Store& store, const Clock& clock)
        : store_{&store}, clock_{&clock}, read_until_{clock.now()} {}

    Result<void> load();
    Result<void> read_day(std::int32_t day, Instant from);
    Result<void> check_room(const RegisteredAd& ad, const Ad& before) const;
    void install(RegisteredAd ad);

    storage::Store* store_;
    const Clock* clock_;
    std::mutex changing_;  ///< Held from the look at what there is until a change is seen.
    std::mutex reading_;   ///< Of changes; for read_until_.
    Instant read_until_;   ///< What was changed before is known, but for clocks that differ.
    mutable std::shared_mutex mutex_;
    ByName ads_;             // guarded by mutex_
    std::size_t bytes_ = 0;  // guarded by mutex_
};

}  // namespace footfall::ads
