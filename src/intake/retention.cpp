#include "intake/retention.h"

#include "events/event_keys.h"
#include "foundation/log.h"
#include "intake/checkpoints.h"
#include "intake/questions.h"
#include "intake/schema.h"
#include "runtime/enter_thread.h"
#include "storage/blocking.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace footfall::intake {
namespace {

/// How often the thread looks at most.
constexpr std::chrono::seconds longest_period{60};
/// Others need the store more.
constexpr double pressure_max = 0.5;

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
    while (!stop.stop_requested()) {
        TRY(const Step step, old.next());
        if (step.next <= step.begin) {
            oldest_[lane] = old.young().value_or(oldest_[lane]);
            break;
        }
        TRY(const bool told, tell_projections(lane, step, hold));
        if (!told) {
            break;
        }
        // From here on it does not matter whose the lane is: what was told is stored.
        if (context_.log->is_in(*context_.store)) {
            TRY_VOID(erase_rows(lane, step));
        }
        TRY_VOID(context_.log->retain(lane, step.next));
        dropped_ += step.events.size();
    }
    return {};
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

/// Rows that tell of these very records. One that is found is no other's by the time it is erased:
/// whoever finds it there writes none of his own, and whoever does not comes after the erasing.
Result<void> Retention::erase_rows(std::uint32_t lane, const Step& step) const {
    const auto is_row_of = [&](const storage::Rows& rows, std::size_t row, std::size_t at) {
        const std::size_t first = rows.table().key_width();
        return static_cast<std::uint64_t>(rows.at(row, first).number()) == context_.log->id() &&
               rows.at(row, first + 1).number() == lane &&
               static_cast<std::uint64_t>(rows.at(row, first + 2).number()) == step.offsets[at];
    };
    storage::Batch batch;
    const auto erase_found = [&](const storage::Table& table, auto key_of) -> Result<void> {
        std::vector<std::vector<storage::Value>> keys;
        std::vector<std::size_t> of_key;
        for (std::size_t at = 0; at < step.events.size(); ++at) {
            if (auto key = key_of(step.events[at]); !key.empty()) {
                keys.push_back(std::move(key));
                of_key.push_back(at);
            }
        }
        if (keys.empty()) {
            return {};
        }
        TRY(const storage::Found found, read_many(*context_.store, table, keys));
        for (std::size_t key = 0; key < keys.size(); ++key) {
            const auto row = found.row_of_key[key];
            if (row && is_row_of(found.rows, *row, of_key[key])) {
                batch.erase(table, storage::views_of(keys[key]));
            }
        }
        return {};
    };
    using Key = std::vector<storage::Value>;
    TRY_VOID(erase_found(event_by_id_table, [](const Arriving& each) {
        return each.keys.identity == 0 ? Key{} : Key{signed_of(each.keys.id), each.event().object};
    }));
    TRY_VOID(erase_found(guard_seen_table, [](const Arriving& each) {
        const bool counted = each.judged.verdict.counted() && each.keys.person;
        return counted ? Key{each.event().action,
                             each.event().object,
                             signed_of(*each.keys.person),
                             each.event().time.time_since_epoch().count()}
                       : Key{};
    }));
    return batch.empty() ? Result<void>{} : write_durably(*context_.store, batch);
}

}  // namespace footfall::intake
