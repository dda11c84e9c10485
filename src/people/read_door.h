#pragma once

#include "events/verdict.h"
#include "foundation/clock.h"
#include "foundation/siphash.h"
#include "people/day_keys.h"
#include "people/read_seals.h"
#include "people/sharers.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace footfall::people {

/// What happens to a read before anything of it is written. Its object becomes the canonical URL.
/// If it says by the trusted door who read, it is either shared, which is decided here once and for
/// all, or stripped of all that could tell who it was. One that names nobody is an event like any
/// other: it is no fact of anybody's. Thread-safe; never waits. `sharers`, `days` and `clock` must
/// outlive it.
class ReadDoor {
public:
    struct Options {
        SipKey secret;
        std::uint64_t salt = 0;               ///< Of events::ReadBy.
        std::vector<std::string> sites = {};  ///< On which reads are shared at all; empty: on all.
    };

    ReadDoor(const Sharers& sharers, const DayKeys& days, const Clock& clock, Options options)
        : sharers_{&sharers},
          days_{&days},
          clock_{&clock},
          options_{std::move(options)},
          seals_{sharers, days, options_.salt} {}

    /// Lets an event in; one that is no read is left as it is.
    void take(events::JudgedEvent& judged) const;

    const ReadSeals& seals() const { return seals_; }

private:
    std::optional<std::uint64_t> shared_by(const events::JudgedEvent& judged) const;

    const Sharers* sharers_;
    const DayKeys* days_;
    const Clock* clock_;
    const Options options_;
    const ReadSeals seals_;
};

}  // namespace footfall::people
