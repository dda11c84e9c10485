#pragma once

#include "by_profile/lanes_walk.h"
#include "by_profile/people_count.h"
#include "by_profile/profiles.h"
#include "events/verdict.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/time_zone.h"
#include "intake/intake.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace footfall::by_profile {

/// Both included.
struct DayRange {
    Day from = 0;
    Day to = 0;
};

/// Whose people are asked for.
struct Question {
    std::vector<std::uint32_t> lanes;  ///< Where the events are that count.
    std::string text;                  ///< As of LanesWalk.
    /// Whether an event counts; asked of those of the range that no rule refused.
    std::function<bool(const events::JudgedEvent&)> counts;
    std::optional<DayRange> range = {};  ///< In days of `zone`; absent: all that is kept.
    TimeZone zone = {};
};

/// `invalid_input` if it is no range, or one of more than 3,700 days.
Result<void> check(const std::optional<DayRange>& range);

/// All lanes that there are.
std::vector<std::uint32_t> all_lanes();

struct Report {
    PeopleCount::Figures figures;
    std::uint64_t looked_at = 0;  ///< Records of the log.
    /// Events of a time before this may be missing, since events are not kept for ever; absent:
    /// none is.
    std::optional<Instant> since = {};
    bool partial = false;      ///< The range begins before `since`.
    bool provisional = false;  ///< Some of the profiles are just being written.
};

/// What one question may take.
struct Limits {
    std::uint64_t records_max = 10'000'000;  ///< Of the log, looked at.
    std::size_t bytes_max = 16 << 20;        ///< For actors.
};

/// Answers a question a part at a time. Of one thread; what it is given must outlive it.
class Survey {
public:
    Survey(intake::Intake& intake, Profiles& profiles, Question question, Limits limits);

    /// Does a part, and waits for it. Absent: there is more to do. `invalid_input`: it is more than
    /// the limits allow; what to do is said.
    Result<std::optional<Report>> step();

private:
    void take(const events::JudgedEvent& judged);
    Day day_of(Instant time);
    Result<void> check_limits() const;
    Result<bool> place_some();
    Result<Report> finish();

    intake::Intake* intake_;
    Profiles* profiles_;
    const Question question_;
    const Limits limits_;
    LanesWalk walk_;
    bool walked_ = false;
    PeopleCount count_;

    /// The day of the event before: a question to a zone costs more than all else of an event.
    struct {
        Instant begin{};
        Instant end{};
        Day day = 0;
    } latest_;
};

}  // namespace footfall::by_profile
