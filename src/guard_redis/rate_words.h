#pragma once

#include "foundation/clock.h"
#include "guard/rate.h"
#include "guard/shared_rates.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace footfall::guard_redis {

/// How counted events stand in Redis (docs/formats/rates.md): of each key a sorted set, its members
/// are the places of events, their scores the times. Immutable; thread-safe.
class RateWords {
public:
    /// `deployment` goes before its keys; `log` is the id of the log that this process judges.
    RateWords(std::string deployment, std::uint64_t log);

    std::string key(std::uint64_t key) const;

    /// Of this process's own log if place.log is 0; others have to be.
    std::string member(guard::EventPlace place) const;

    /// Absent: nobody of us wrote that.
    std::optional<guard::EventPlace> place(std::string_view member) const;

    /// Appends the one command that asks, with one answer: members, each with its score.
    void append_question(std::string& out, const guard::RateQuestion& question) const;

    /// Appends commands that note all of these at once, or none if the connection breaks, and says
    /// how many answers there will be. Reorders `notes`.
    std::size_t append_notes(std::string& out, std::span<guard::RateNote> notes) const;

private:
    std::string prefix_;
    std::uint64_t log_;
};

/// The time that a score says, as Redis writes one; absent: it is none.
std::optional<Instant> time_of_score(std::string_view score);

}  // namespace footfall::guard_redis
