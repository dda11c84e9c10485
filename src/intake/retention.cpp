#include "intake/retention.h"

#include "foundation/log.h"
#include "intake/checkpoints.h"
#include "runtime/enter_thread.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace footfall::intake {
namespace {

/// How often the thread looks at most.
constexpr std::chrono::seconds longest_period{60};
/// Others need the store more.
constexpr double pressure_max = 0.5;
/// Events that projections are told of before what they keep is stored.
constexpr std::size_t portion = 64 << 10;

}  // namespace

Retention::Retention(const Context& context, std::chrono::seconds keep, LaneHolds* holds)
    : context_{context}, keep_{keep}, holds_{holds}, oldest_(context.log->lanes()) {}

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
    const auto period =
        std::min<std::chrono::milliseconds>(longest_period, std::chrono::milliseconds{keep_} / 4);
    runtime::enter_thread("retention", runtime::Urgency::background);
    while (!stop.stop_requested()) {
        if (context_.store->pressure() <= pressure_max) {
            if (const auto swept = sweep(stop); !swept) {
                log(LogLevel::warning, "old events: {}; trying again", swept.error().message);
            } else if (*swept > 0) {
                log(LogLevel::info, "{} events are kept no more", *swept);
            }
        }
        std::unique_lock lock{mutex_};
        wakes_.wait_for(lock, stop, period, [] { return false; });
    }
}

Result<std::uint64_t> Retention::sweep(const std::stop_token& stop) {
    const std::uint64_t dropped_before = dropped_.load();
    const Instant before = context_.clock->now() - keep_;
    TRY(const std::vector<LaneJudge::Checkpoint> checkpoints, read_checkpoints(context_));
    TRY(const std::vector<std::uint64_t> projected, context_.host->stored_by_all());
    for (std::uint32_t lane = 0; lane < checkpoints.size(); ++lane) {
        // What a start reads again, wherever: checkpoints only move on. The store loses only the
        // end: whenever what follows is there, so is the checkpoint.
        const std::uint64_t bound = std::min(checkpoints[lane].offset, projected[lane]);
        if (oldest_[lane] < before) {
            const Result<void> swept = sweep_lane(lane, bound, before, stop);
            context_.log->rest(lane);
            TRY_VOID(swept);
        }
    }
    return dropped_.load() - dropped_before;
}

/// In portions: the more events at once, the fewer rows are written of them.
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
    OldEvents old{context_, lane, bound, before};
    for (bool more = true; more && !stop.stop_requested();) {
        context_.host->drop_expired();
        std::uint64_t begin = 0;
        std::size_t events = 0;
        while (more && events < portion && !stop.stop_requested()) {
            TRY(const Step step, old.next());
            if (step.next <= step.begin) {
                oldest_[lane] = old.young().value_or(oldest_[lane]);
                more = false;
                break;
            }
            TRY(const bool told, tell_projections(lane, step, hold));
            if (!told) {
                return {};
            }
            begin = step.next;
            events += step.events.size();
        }
        TRY(const bool stored, begin > 0 ? store_told(hold) : Result<bool>{false});
        if (stored) {
            // From here on it does not matter whose the lane is.
            TRY_VOID(context_.log->retain(lane, begin));
            dropped_ += events;
        } else if (begin > 0) {
            return {};
        }
    }
    return {};
}

/// False: nothing was stored, since the lane is another process's.
Result<bool> Retention::store_told(const std::optional<LaneHolds::Hold>& hold) {
    std::optional<LaneHolds::Kept> kept;
    if (hold) {
        kept = holds_->keep(*hold);
        if (!kept) {
            return false;
        }
    }
    TRY_VOID(context_.host->flush_expired());
    return true;
}

/// False: nothing was told, since the lane is another process's.
Result<bool> Retention::tell_projections(
    std::uint32_t lane, const Step& step, const std::optional<LaneHolds::Hold>& hold
) {
    std::optional<LaneHolds::Kept> kept;
    if (hold) {
        kept = holds_->keep(*hold);
        if (!kept) {
            return false;
        }
    }
    std::vector<projecting::JudgedRecord> records;
    records.reserve(step.events.size());
    for (std::size_t at = 0; at < step.events.size(); ++at) {
        const Arriving& each = step.events[at];
        records.push_back(
            {.offset = step.offsets[at], .judged = &each.judged, .person = each.keys.person}
        );
    }
    TRY_VOID(context_.host->expire(lane, records));
    return true;
}

}  // namespace footfall::intake
