#include "by_profile/lanes_walk.h"

#include "guard/rule.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>
#include <variant>

namespace footfall::by_profile {
namespace {

/// So few records are read rather than searched.
constexpr std::uint64_t not_searched = 20'000;
/// By so much arrivals of a lane may be out of order: clocks of several machines, put right.
constexpr std::chrono::hours disorder_max{1};

/// By the rule that refuses what is later. Where there is none, or not for all events, any event
/// may be of any time.
std::optional<std::chrono::microseconds> ahead_max(const guard::RuleSet& rules) {
    for (const guard::Rule& each : rules.rules()) {
        const auto* const kind = std::get_if<guard::ImpossibleTimeRule>(&each.kind);
        if (kind != nullptr && each.mode == guard::RuleMode::on && each.actions.empty() &&
            !each.door) {
            return kind->ahead_max;
        }
    }
    return std::nullopt;
}

std::vector<journal::LogReader*> logs_of(const intake::Context& context) {
    std::vector<journal::LogReader*> logs;
    if (context.earlier_log != nullptr) {
        logs.push_back(context.earlier_log);
    }
    logs.push_back(context.log);
    return logs;
}

}  // namespace

LanesWalk::LanesWalk(intake::Intake& intake, Options options)
    : intake_{&intake},
      options_{std::move(options)},
      ahead_{ahead_max(*intake.context().rules)},
      logs_{logs_of(intake.context())} {}

Result<bool> LanesWalk::step(const Take& take) {
    if (place_.lane == options_.lanes.size()) {
        return false;
    }
    if (!place_.begun) {
        TRY_VOID(begin());
    }
    TRY(const journal::Records records, log().read(lane(), place_.next, {}));
    if (records.first() > place_.next && !records.empty()) {
        TRY_VOID(note_gap(records.first()));  // they were let go while others were read
    }
    for (std::size_t at = 0; at < records.size(); ++at) {
        if (!records[at].contains(options_.text)) {
            continue;
        }
        TRY(const events::LogRecord record, events::read_record(records[at]));
        const auto* const judged = std::get_if<events::JudgedEvent>(&record);
        if (judged != nullptr && !sources_.repeats(*judged)) {
            take(*judged, {.log = log().id(), .lane = lane(), .offset = records.first() + at});
        }
    }
    looked_at_ += records.size();
    if (records.empty()) {
        move_on();
    } else {
        place_.next = records.next();
    }
    return place_.lane < options_.lanes.size();
}

/// Of a lane of a log.
Result<void> LanesWalk::begin() {
    if (!std::exchange(looked_for_begins_, true)) {
        TRY_VOID(intake_->context().log->find_begins());
    }
    sources_ = {};
    const std::uint64_t begin = log().begin(lane());
    if (begin > 0) {
        TRY_VOID(note_gap(begin));
    }
    TRY(place_.next, first_wanted(begin));
    place_.begun = true;
    return {};
}

/// Records before this one are gone: what happened before it came may have been among them.
Result<void> LanesWalk::note_gap(std::uint64_t begin) {
    TRY(const auto arrival, arrival_at(begin));
    const Instant known = arrival ? *arrival + ahead_.value_or(std::chrono::microseconds{0})
                                  : intake_->context().clock->now();
    since_ = std::max(since_.value_or(known), known);
    return {};
}

/// Where to begin to read: all that may be wanted stands behind it. Arrivals rise, but for
/// `disorder_max`, and an event is at most `ahead_` later than its own.
Result<std::uint64_t> LanesWalk::first_wanted(std::uint64_t begin) {
    const bool is_ours = &log() == intake_->context().log;  // of another the end is not known
    if (!options_.from || !ahead_ || !is_ours) {
        return begin;
    }
    const Instant arrived_before = *options_.from - *ahead_ - disorder_max;
    std::uint64_t unwanted = begin;
    std::uint64_t wanted = std::max(begin, intake_->end_of(lane()));
    while (wanted - unwanted > not_searched) {
        const std::uint64_t middle = unwanted + (wanted - unwanted) / 2;
        TRY(const auto arrival, arrival_at(middle));
        if (arrival && *arrival < arrived_before) {
            unwanted = middle;
        } else {
            wanted = middle;
        }
    }
    return unwanted;
}

/// Of the first event from there on; absent: there is none.
Result<std::optional<Instant>> LanesWalk::arrival_at(std::uint64_t offset) {
    for (;;) {
        constexpr journal::ReadLimit few{.records = 16, .bytes = 1 << 20};
        TRY(const journal::Records records, log().read(lane(), offset, few));
        if (records.empty()) {
            return std::nullopt;
        }
        for (std::size_t at = 0; at < records.size(); ++at) {
            TRY(const events::LogRecord record, events::read_record(records[at]));
            if (const auto* const judged = std::get_if<events::JudgedEvent>(&record)) {
                return judged->arrival;
            }
        }
        offset = records.next();
    }
}

void LanesWalk::move_on() {
    rest();
    place_.begun = false;
    if (++place_.log == logs_.size()) {
        place_.log = 0;
        ++place_.lane;
    }
}

void LanesWalk::rest() {
    if (place_.begun) {
        log().rest(lane());
    }
}

}  // namespace footfall::by_profile
