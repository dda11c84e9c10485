#pragma once

#include "ciphers/ciphers.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "storage/store.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <shared_mutex>
#include <span>
#include <string>

namespace footfall::people {

/// A UTC day: days since 1970-01-01.
using UtcDay = std::int32_t;

UtcDay utc_day_of(Instant instant);

/// What a day's key is used for, each with a key of its own that is made of it.
struct DayKey {
    ciphers::Key names;  ///< Under it a record names its reader.
    ciphers::Key seals;  ///< With a reader's key it makes the key of a seal.
};

/// The keys of the days of which reads are shared: today, and `ttl` days before. A key is drawn
/// once for a deployment, and destroyed when the facts of its day end; what was sealed with it
/// nobody can read from then on. Each process has all of them in memory, and draws those of the
/// days to come before they come. Thread-safe. `store` and `clock` must outlive it.
class DayKeys {
public:
    /// Days whose keys are there before they begin: clocks differ.
    static constexpr UtcDay days_ahead = 2;

    struct Options {
        std::chrono::days ttl{30};
        /// Whether other processes draw keys, too.
        bool shared = false;
        /// False: it reads what there is, and writes nothing.
        bool draws = true;
    };

    /// Reads what there is, and draws what is missing. Blocks.
    static Result<std::unique_ptr<DayKeys>> open(
        storage::Store& store, const Clock& clock, Options options
    );

    DayKeys(const DayKeys&) = delete;
    DayKeys& operator=(const DayKeys&) = delete;
    ~DayKeys() = default;

    /// Whether facts of the day have not ended, by the clock.
    bool is_live(UtcDay day) const;

    /// Null: the day's facts have ended, or it is too far ahead.
    std::shared_ptr<const DayKey> find(UtcDay day) const;

    /// Draws keys of days that come, and destroys those of days that are over. To be called every
    /// hour or so. Blocks.
    Result<void> turn();

private:
    DayKeys(storage::Store& store, const Clock& clock, Options options)
        : store_{&store},
          clock_{&clock},
          ttl_{static_cast<UtcDay>(options.ttl.count())},
          shared_{options.shared},
          draws_{options.draws} {}

    UtcDay first_live() const { return utc_day_of(clock_->now()) - ttl_; }

    Result<std::map<UtcDay, std::string>> read_days();
    Result<void> draw(std::span<const UtcDay> days, std::map<UtcDay, std::string>& keys);

    storage::Store* store_;
    const Clock* clock_;
    const UtcDay ttl_;
    const bool shared_;
    const bool draws_;
    mutable std::shared_mutex mutex_;
    std::map<UtcDay, std::shared_ptr<const DayKey>> keys_;  ///< Guarded by mutex_.
};

}  // namespace footfall::people
