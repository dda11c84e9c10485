#include "by_profile/survey.h"

#include "events/event_keys.h"
#include "runtime/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace footfall::by_profile {
namespace {

constexpr int longest_range = 3700;  // days

std::optional<Instant> begin_of(const Question& question) {
    return question.range ? std::optional{question.zone.start_of(question.range->from)}
                          : std::nullopt;
}

}  // namespace

Result<void> check(const std::optional<DayRange>& range) {
    if (range && range->to < range->from) {
        return fail(ErrorKind::invalid_input, "the range ends before it begins");
    }
    if (range && std::int64_t{range->to} - range->from >= longest_range) {
        return fail(
            ErrorKind::invalid_input, fmt::format("a range has at most {} days", longest_range)
        );
    }
    return {};
}

std::vector<std::uint32_t> all_lanes() {
    std::vector<std::uint32_t> lanes(runtime::lane_count);
    std::iota(lanes.begin(), lanes.end(), 0);
    return lanes;
}

Survey::Survey(intake::Intake& intake, Profiles& profiles, Question question, Limits limits)
    : intake_{&intake},
      profiles_{&profiles},
      question_{std::move(question)},
      limits_{limits},
      walk_{
          intake, {.lanes = question_.lanes, .from = begin_of(question_), .text = question_.text}
      } {}

Result<std::optional<Report>> Survey::step() {
    if (!walked_) {
        TRY(const bool more,
            walk_.step([this](const events::JudgedEvent& each, const LanesWalk::At&) { take(each); }
            ));
        TRY_VOID(check_limits());
        walked_ = !more;
        return std::nullopt;
    }
    TRY(const bool more, place_some());
    if (more) {
        return std::nullopt;
    }
    TRY(Report report, finish());
    return report;
}

void Survey::take(const events::JudgedEvent& judged) {
    if (!judged.verdict.counted()) {
        return;
    }
    const Day day = day_of(judged.event.time);
    const auto& range = question_.range;
    if ((range && (day < range->from || range->to < day)) || !question_.counts(judged)) {
        return;
    }
    if (const auto person = events::counted_person(judged.event, intake_->context().secret)) {
        count_.add(day, *person, judged.event.actor);
    } else {
        count_.add_unknown(day);
    }
}

Day Survey::day_of(Instant time) {
    if (time < latest_.begin || latest_.end <= time) {
        const std::int64_t day = question_.zone.day_of(time);
        // Where clocks are put back past midnight a day goes on behind the begin of the next one.
        latest_ = {
            .begin = question_.zone.start_of(day),
            .end = std::min(question_.zone.end_of(day), question_.zone.start_of(day + 1)),
            .day = static_cast<Day>(day)
        };
    }
    return latest_.day;
}

Result<void> Survey::check_limits() const {
    const std::string_view remedy =
        question_.range ? "; ask for fewer days, by from and to"
                        : "; ask for some days, by from and to, rather than for all that is kept";
    if (walk_.looked_at() > limits_.records_max) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "by=profile would look at more than {} records of the log{}",
                limits_.records_max,
                remedy
            )
        );
    }
    if (count_.bytes() > limits_.bytes_max) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "by=profile would hold more actors than {} MiB of memory have room for, {} so "
                "far{}",
                limits_.bytes_max >> 20,
                count_.actors(),
                remedy
            )
        );
    }
    return {};
}

/// False: all have their place.
Result<bool> Survey::place_some() {
    const std::vector<std::string> actors = count_.next_named(Profiles::asked_max);
    if (actors.empty()) {
        return false;
    }
    TRY(const std::vector<std::string> profiles, profiles_->of(actors));
    count_.place(profiles);
    return true;
}

Result<Report> Survey::finish() {
    TRY(const Profiles::Unsettled unsettled, profiles_->unsettled());
    const SipKey secret = intake_->context().secret;
    const auto is_counted = [&](const std::string& actor) {
        const auto person = events::person_of(events::Event{.actor = actor}, secret);
        return person && count_.has(*person);
    };
    const std::optional<Instant> begin = begin_of(question_);
    Report report{.figures = count_.figures(), .looked_at = walk_.looked_at()};
    report.since = walk_.since();
    report.partial = report.since && (!begin || *begin < *report.since);
    report.provisional = unsettled.may_be_any || std::ranges::any_of(unsettled.actors, is_counted);
    return report;
}

}  // namespace footfall::by_profile
