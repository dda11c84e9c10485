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

/// How often the thread looks.
constexpr std::chrono::seconds period{60};
/// Records of one step: they, and what was counted of them, are in memory at once.
constexpr journal::ReadLimit step_limit{.records = 1000, .bytes = 4 << 20};
/// Others need the store more.
constexpr double pressure_max = 0.5;

}  // namespace

struct Retention::Step {
    std::uint64_t next = 0;  ///< Where the lane begins after it.
    std::vector<Arriving> events;
    std::vector<std::uint64_t> offsets;  ///< Of each event.
};

Retention::Retention(Intake& intake, std::chrono::seconds keep)
    : bench_{&intake.bench()}, keep_{keep} {}

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
    runtime::enter_thread("retention", runtime::Urgency::background);
    while (!stop.stop_requested()) {
        if (bench_->store->pressure() <= pressure_max) {
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
    const Instant before = bench_->clock->now() - keep_;
    TRY(const std::vector<LaneJudge::Checkpoint> checkpoints, read_checkpoints(*bench_));
    TRY(const std::vector<std::uint64_t> projected, bench_->host->stored_by_all());
    for (std::uint32_t lane = 0; lane < checkpoints.size(); ++lane) {
        // What a start reads again. The store loses only the end: whenever what follows is there,
        // so is the checkpoint.
        const std::uint64_t bound = std::min(checkpoints[lane].offset, projected[lane]);
        TRY_VOID(sweep_lane(lane, bound, before, stop));
    }
    return dropped_.load() - dropped_before;
}

Result<void> Retention::sweep_lane(
    std::uint32_t lane, std::uint64_t bound, Instant before, const std::stop_token& stop
) {
    while (!stop.stop_requested()) {
        const std::uint64_t begin = bench_->log->begin(lane);
        // Mostly it is too young: then that is all that is read.
        TRY(const Step first, next_step(lane, bound, before, {.records = 1}));
        if (first.next <= begin) {
            break;
        }
        TRY(const Step step, next_step(lane, bound, before, step_limit));
        TRY_VOID(tell_projections(lane, step));
        TRY_VOID(erase_rows(lane, step));
        TRY_VOID(bench_->log->retain(lane, step.next));
        dropped_ += step.events.size();
    }
    return {};
}

/// From where the lane begins, as far as all is old.
Result<Retention::Step> Retention::next_step(
    std::uint32_t lane, std::uint64_t bound, Instant before, journal::ReadLimit limit
) const {
    Step step{.next = bench_->log->begin(lane), .events = {}, .offsets = {}};
    if (step.next >= bound) {
        return step;
    }
    TRY(const journal::Records records, bench_->log->read(lane, step.next, limit));
    for (std::size_t at = 0; at < records.size() && step.next < bound; ++at) {
        TRY(events::LogRecord record, events::read_record(records[at]));
        if (auto* const judged = std::get_if<events::JudgedEvent>(&record)) {
            if (judged->arrival >= before) {
                break;
            }
            const events::EventKeys keys = events::keys_of(judged->event, bench_->secret);
            step.events.push_back({.judged = std::move(*judged), .keys = keys});
            step.offsets.push_back(records.first() + at);
        }
        step.next = records.first() + at + 1;
    }
    return step;
}

Result<void> Retention::tell_projections(std::uint32_t lane, const Step& step) const {
    std::vector<projecting::JudgedRecord> records;
    records.reserve(step.events.size());
    for (std::size_t at = 0; at < step.events.size(); ++at) {
        const Arriving& each = step.events[at];
        records.push_back(
            {.offset = step.offsets[at], .judged = &each.judged, .person = each.keys.person}
        );
    }
    return bench_->host->expire(lane, records);
}

/// Rows that tell of these very records. One that is found is no other's by the time it is erased:
/// whoever finds it there writes none of his own, and whoever does not comes after the erasing.
Result<void> Retention::erase_rows(std::uint32_t lane, const Step& step) const {
    const auto is_row_of = [&](const storage::Rows& rows, std::size_t row, std::size_t at) {
        const std::size_t first = rows.table().key_width();
        return static_cast<std::uint64_t>(rows.at(row, first).number()) == bench_->log->id() &&
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
        TRY(const storage::Found found, read_many(*bench_->store, table, keys));
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
    return batch.empty() ? Result<void>{} : write_durably(*bench_->store, batch);
}

}  // namespace footfall::intake
