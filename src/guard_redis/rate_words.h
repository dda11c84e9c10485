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

/// How counted events stand in Redis (docs/formats/rates.md): of each key and part of time a sorted
/// set, its members are the places of events, their scores the times. Immutable; thread-safe.
class RateWords {
public:
    /// `deployment` goes before its keys; `log` is the id of the log that this process judges.
    RateWords(std::string deployment, std::uint64_t log);

    /// `part`: as of guard::rate_part().
    std::string key(std::uint64_t key, std::int64_t part) const;

    /// Of this process's own log if place.log is 0; others have to be.
    std::string member(guard::EventPlace place) const;

    /// Absent: nobody of us wrote that.
    std::optional<guard::EventPlace> place(std::string_view member) const;

    /// Appends the commands that ask, with an answer each: members, each with its score. There are
    /// `answers_of_question`.
    void append_question(std::string& out, const guard::RateQuestion& question) const;

    /// Appends commands that note all of these at once, or none if the connection breaks, and says
    /// how many answers there will be. Reorders `notes`.
    std::size_t append_notes(std::string& out, std::span<guard::RateNote> notes) const;

    static constexpr std::size_t answers_of_question = 2;

private:
    std::string prefix_;
    std::uint64_t log_;
};

/// The time that a score says, as Redis writes one; absent: it is none.
std::optional<Instant> time_of_score(std::string_view score);

}  // namespace footfall::guard_redis
