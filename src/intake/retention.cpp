#include "intake/retention.h"

#include "foundation/log.h"
#include "intake/checkpoints.h"
#include "runtime/enter_thread.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace footfall::intake {
namespace {

/// From one sweep to the next: the longer, the fewer rows of what was counted are written.
constexpr std::chrono::minutes longest_period{5};
/// So many times as long as its lanes take a sweep lasts, if that is not too long.
constexpr int period_of_work = 8;
/// Others need the store more: above it a lane waits, and above the second if it is behind.
constexpr double pressure_max = 0.5;
constexpr double pressure_max_when_behind = 1;
constexpr std::chrono::milliseconds look_pause{20};
/// What has been due for longer than this, or twice as long as it was to be kept, is gone for at
/// the urgency of those who bring more: in the background it would fall behind for ever.
constexpr std::chrono::minutes overdue_max{10};
/// A lane whose first event is too young is looked at again after this part of the time that events
/// are kept, whatever that event says: a clock may have been ahead when it came.
constexpr int looks_in_keep = 256;
constexpr std::chrono::minutes shortest_look{1};
/// Events that projections are told of before what they keep is stored.
constexpr std::size_t portion_events = 256 << 10;

}  // namespace

Retention::Retention(const Context& context, std::chrono::seconds keep, LaneHolds* holds)
    : context_{context},
      keep_{keep},
      holds_{holds},
      oldest_(context.log->lanes()),
      events_ahead_{context_, keep} {}

void Retention::start() {
    thread_ = std::jthread{[this](const std::stop_token& stop) { run(stop); }};
}

void Retention::stop() {
    thread_.request_stop();
    if (thread_.joinable()) {
        thread_.join();
    }
}

void Retention::run(const std::stop_token& stop) {
    const auto shortest_period =
        std::min<Steady::duration>(longest_period, Steady::duration{keep_} / 2);
    runtime::enter_thread("retention", runtime::Urgency::work);
    while (!stop.stop_requested()) {
        begun_ = Steady::now();
        if (is_behind()) {
            sweep_in_turn(stop);
        } else {
            // A thread of its own: who once was in the background may not come back from there.
            std::jthread{[&] {
                runtime::enter_thread("retention", runtime::Urgency::background);
                sweep_in_turn(stop);
            }}.join();
        }
        period_ = std::min<Steady::duration>(period_of_work * worked_, longest_period);
        rest_until(begun_ + std::max(period_, shortest_period), stop);
    }
}

bool Retention::is_behind() const {
    return overdue() > std::min<std::chrono::seconds>(2 * keep_, overdue_max);
}

void Retention::rest_until(Steady::time_point end, const std::stop_token& stop) {
    std::unique_lock lock{mutex_};
    wakes_.wait_until(lock, stop, end, [] { return false; });
}

/// A sweep of much is spread over the time until the next one: all lanes at once would take the
/// core from those who bring more. Not what is late for other reasons.
void Retention::wait_for_turn(std::uint32_t lane, const std::stop_token& stop) {
    if (overdue() <= overdue_max) {
        rest_until(begun_ + period_ * lane / oldest_.size(), stop);
    }
}

/// Before a lane, but no longer than its part of the time that events may be overdue: the store may
/// be under pressure for ever.
void Retention::wait_for_others(const std::stop_token& stop) {
    const auto patience = std::min<std::chrono::milliseconds>(keep_, overdue_max) / oldest_.size();
    const auto end = Steady::now() + patience;
    const double most = is_behind() ? pressure_max_when_behind : pressure_max;
    while (context_.store->pressure() > most && Steady::now() < end && !stop.stop_requested()) {
        rest_until(Steady::now() + look_pause, stop);
    }
}

void Retention::sweep_in_turn(const std::stop_token& stop) {
    if (const auto swept = sweep(stop); !swept) {
        troubles_.say(LogLevel::warning, "old events: " + swept.error().message + "; trying again");
    } else if (*swept > 0) {
        log(LogLevel::info, "{} events are kept no more", *swept);
    }
}

Result<std::uint64_t> Retention::sweep(const std::stop_token& stop) {
    overdue_.store({});
    worked_ = {};
    const std::uint64_t dropped_before = dropped_.load();
    for (std::uint32_t lane = 0; lane < oldest_.size() && !stop.stop_requested(); ++lane) {
        wait_for_turn(lane, stop);
        const Instant before = context_.clock->now() - keep_;
        if (oldest_[lane] < before) {
            wait_for_others(stop);
            const auto begin = Steady::now();
            TRY(const std::uint64_t bound, stored_before(lane));
            const Result<void> swept = sweep_lane(lane, bound, before, stop);
            context_.log->rest(lane);
            TRY_VOID(swept);
            worked_ += Steady::now() - begin;
        }
    }
    return dropped_.load() - dropped_before;
}

/// What a start does not read again, wherever: checkpoints only move on. The store loses only the
/// end: whenever what follows is there, so is the checkpoint.
Result<std::uint64_t> Retention::stored_before(std::uint32_t lane) {
    TRY(const std::vector<LaneJudge::Checkpoint> checkpoints, read_checkpoints(context_));
    TRY(const std::vector<std::uint64_t> projected, context_.host->stored_by_all());
    return std::min(checkpoints[lane].offset, projected[lane]);
}

Result<void> Retention::sweep_lane(
    std::uint32_t lane, std::uint64_t bound, Instant before, const std::stop_token& stop
) {
    std::optional<LaneHolds::Hold> hold;
    if (holds_ != nullptr) {
        hold = holds_->hold(lane);
        if (!hold) {
            return {};
        }
    }
    const auto look_again = std::max<std::chrono::seconds>(keep_ / looks_in_keep, shortest_look);
    OldEvents::Limit limit{.before = before};
    for (;;) {
        TRY(const auto young,
            let_old_go(lane, OldEvents{context_, lane, bound, limit}, hold, stop));
        if (!young) {
            return {};
        }
        oldest_[lane] = std::min(young->arrival, before + look_again);
        if (young->arrival <= before + clock_slack) {
            return {};
        }
        TRY(limit.all_to, events_ahead_.all_old_to(lane, *young, bound, before));
        if (limit.all_to <= young->offset) {
            return {};
        }
        note_ahead(lane, *young);
    }
}

/// Logged once: the figure says how many they are.
void Retention::note_ahead(std::uint32_t lane, const OldEvents::Young& young) {
    if (!std::exchange(told_of_ahead_, true)) {
        log(LogLevel::warning,
            "events of lane {} from {} on say that they came later than those behind them, or than "
            "now: a clock was ahead. They are kept no longer for that",
            lane,
            young.offset);
    }
}

/// Answers with which event the lane begins then, if that is known, and all that is old has gone.
Result<std::optional<OldEvents::Young>> Retention::let_old_go(
    std::uint32_t lane,
    OldEvents old,
    const std::optional<LaneHolds::Hold>& hold,
    const std::stop_token& stop
) {
    for (;;) {
        TRY(const Portion told, tell_portion(lane, old, hold, stop));
        if (told.next == 0) {
            return old.young();
        }
        TRY(const bool stored, while_ours(hold, [&] { return context_.host->flush_expired(); }));
        if (!stored) {
            return std::nullopt;
        }
        // From here on it does not matter whose the lane is.
        TRY_VOID(context_.log->retain(lane, told.next));
        dropped_ += told.events;
        if (told.events < portion_events) {
            return old.young();
        }
    }
}

/// Tells projections of the next old events of the lane: the more at once, the fewer rows are
/// written of them. Of none where the lane is not ours any more.
Result<Retention::Portion> Retention::tell_portion(
    std::uint32_t lane,
    OldEvents& old,
    const std::optional<LaneHolds::Hold>& hold,
    const std::stop_token& stop
) {
    context_.host->drop_expired();
    Portion portion;
    while (portion.events < portion_events && !stop.stop_requested()) {
        TRY(const Step step, old.next());
        if (step.next <= step.begin) {
            break;
        }
        TRY(const bool told, while_ours(hold, [&] { return tell_projections(lane, step); }));
        if (!told) {
            return Portion{};
        }
        portion.next = step.next;
        portion.events += step.events.size();
    }
    return portion;
}

Result<void> Retention::tell_projections(std::uint32_t lane, const Step& step) {
    const Instant before = context_.clock->now() - keep_;
    if (!step.events.empty()) {
        const Instant arrival = step.events.front().judged.arrival;
        const auto since = std::chrono::floor<std::chrono::seconds>(before - arrival);
        overdue_.store(std::max(overdue(), since));
    }
    ahead_ +=
        static_cast<std::uint64_t>(std::ranges::count_if(step.events, [&](const Arriving& each) {
            return each.judged.arrival > before;
        }));
    std::vector<projecting::JudgedRecord> records;
    records.reserve(step.events.size());
    for (std::size_t at = 0; at < step.events.size(); ++at) {
        const Arriving& each = step.events[at];
        records.push_back(
            {.offset = step.offsets[at],
             .judged = &each.judged,
             .person = counted_person(each.judged.event, each.keys)}
        );
    }
    return context_.host->expire(lane, records);
}

/// Does it while the lane stays ours. False: it is another process's, and nothing was done.
template <class Do>
Result<bool> Retention::while_ours(const std::optional<LaneHolds::Hold>& hold, const Do& act) {
    std::optional<LaneHolds::Kept> kept;
    if (hold) {
        kept = holds_->keep(*hold);
        if (!kept) {
            return false;
        }
    }
    TRY_VOID(act());
    return true;
}

}  // namespace footfall::intake
