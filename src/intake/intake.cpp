#include "intake/intake.h"

#include "foundation/log.h"
#include "intake/lane_replay.h"
#include "intake/questions.h"
#include "intake/room.h"
#include "intake/schema.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace footfall::intake {
namespace {

using storage::CommitPosition;

/// How often projections are let write, and checkpoints moved.
constexpr std::chrono::seconds keeper_period{1};
/// How long events wait for a store that has no room.
constexpr std::chrono::seconds room_patience{10};

/// Events of one lane, in the order they came.
using OfLane = std::vector<Arriving>;

std::vector<OfLane> by_lane(std::vector<events::Event> events, SipKey secret) {
    std::vector<OfLane> lanes(JudgeLanes::count);
    for (events::Event& each : events) {
        const EventKeys keys = keys_of(each, secret);
        lanes[keys.lane].push_back({.event = std::move(each), .keys = keys});
    }
    std::erase_if(lanes, [](const OfLane& of_lane) { return of_lane.empty(); });
    return lanes;
}

/// Of each lane; the beginning where there is none yet.
Result<std::vector<LaneJudge::Checkpoint>> read_checkpoints(const Bench& bench) {
    const storage::RangeQuery query{
        .table = &lane_checkpoint_table, .partition = {signed_of(bench.log->id())}
    };
    TRY(const storage::Rows rows, read_all(*bench.store, query));
    std::vector<LaneJudge::Checkpoint> checkpoints(bench.log->lanes());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto lane = static_cast<std::size_t>(rows.at(row, 1).number());
        if (lane >= checkpoints.size()) {
            return fail(ErrorKind::corrupt, fmt::format("there is a checkpoint of lane {}", lane));
        }
        checkpoints[lane] = {
            .offset = static_cast<std::uint64_t>(rows.at(row, 2).number()),
            .guard =
                {.offset = static_cast<std::uint64_t>(rows.at(row, 3).number()),
                 .time = Instant{std::chrono::microseconds{rows.at(row, 4).number()}}}
        };
    }
    return checkpoints;
}

}  // namespace

/// Between a question to the store and the use of its answer, lanes remember what the answer may
/// have missed.
class Intake::Asking {
public:
    explicit Asking(JudgeLanes& lanes) : lanes_{&lanes} {}

    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;

    ~Asking() {
        for (const auto& [lane, number] : begun_) {
            lanes_->with(lane, [number](auto& judge) { judge->end_asking(number); });
        }
    }

    void begin(std::uint32_t lane, std::uint64_t number) { begun_.emplace_back(lane, number); }

private:
    JudgeLanes* lanes_;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> begun_;
};

Intake::Intake(Bench bench) : bench_{std::move(bench)} {
    for (std::uint32_t lane = 0; lane < JudgeLanes::count; ++lane) {
        lanes_.with(lane, [&](auto& judge) { judge = std::make_unique<LaneJudge>(bench_, lane); });
    }
}

Result<std::unique_ptr<Intake>> Intake::open(Bench bench) {
    std::unique_ptr<Intake> intake{new Intake{std::move(bench)}};
    intake->bench_.log->on_lost_records([raw = intake.get()] { raw->lose(); });
    TRY_VOID(intake->recover());
    intake->keeper_ =
        std::jthread{[raw = intake.get()](const std::stop_token& stop) { raw->keep(stop); }};
    return intake;
}

Intake::~Intake() {
    close();
}

Result<void> Intake::health() const {
    if (closed_.load()) {
        return fail(ErrorKind::unavailable, "the program is closing");
    }
    if (is_lost()) {
        return fail(ErrorKind::unavailable, "events were lost; the log is being read again");
    }
    return {};
}

Result<Intake::Taken> Intake::take(Arrived arrived) {
    TRY_VOID(health());
    const std::shared_lock turn{turn_};
    const std::size_t count = arrived.events.size();
    std::vector<OfLane> lanes = by_lane(std::move(arrived.events), bench_.secret);
    Asking asking{lanes_};
    TRY_VOID(ask(lanes, arrived.door, asking));
    const Circumstances circumstances{
        .arrival = arrived.arrival,
        .door = arrived.door,
        .machine_sign = std::move(arrived.machine_sign)
    };
    Taken taken;
    for (OfLane& of_lane : lanes) {
        TRY(const Taken of_this, take_lane(of_lane.front().keys.lane, of_lane, circumstances));
        taken.duplicates += of_this.duplicates;
        taken.refused += of_this.refused;
        taken.position = std::max(taken.position, of_this.position);
    }
    const auto second = std::chrono::floor<std::chrono::seconds>(arrived.arrival);
    activity_.add(
        {.second = second.time_since_epoch().count(),
         .counted = count - taken.duplicates - taken.refused,
         .refused = taken.refused}
    );
    return taken;
}

Result<void> Intake::ask(
    std::vector<std::vector<Arriving>>& lanes, guard::Door door, Asking& asking
) {
    std::vector<Arriving*> with_id;
    std::vector<Arriving*> late;
    for (OfLane& of_lane : lanes) {
        const std::uint32_t lane = of_lane.front().keys.lane;
        asking.begin(lane, lanes_.with(lane, [&](auto& judge) {
            for (Arriving& each : of_lane) {
                if (judge->must_ask_times(each, door)) {
                    late.push_back(&each);
                }
            }
            return judge->begin_asking();
        }));
        for (Arriving& each : of_lane) {
            if (each.keys.identity != 0) {
                with_id.push_back(&each);
            }
        }
    }
    TRY_VOID(ask_for_ids(*bench_.store, with_id));
    return ask_for_times(*bench_.store, late, bench_.rules->repeat_reach());
}

Result<Intake::Taken> Intake::take_lane(
    std::uint32_t lane, std::span<Arriving> events, const Circumstances& circumstances
) {
    std::vector<const events::Event*> about;
    about.reserve(events.size());
    for (const Arriving& each : events) {
        about.push_back(&each.event);
    }
    Projection::Holds holds;
    for (Projection* projection : bench_.projections) {
        TRY(holds.emplace_back(), projection->hold(lane, about));
    }
    Taken taken;
    const auto patience_ends = std::chrono::steady_clock::now() + room_patience;
    while (!events.empty()) {
        const Result<TakenEvents> part = lanes_.with(lane, [&](auto& judge) {
            return judge->take(events, circumstances, holds);
        });
        if (!part && part.error().kind == ErrorKind::overloaded &&
            std::chrono::steady_clock::now() < patience_ends) {
            pause_for_room();
            continue;
        }
        TRY(const TakenEvents done, part);
        taken.duplicates += done.duplicates;
        taken.refused += done.refused;
        taken.position = std::max(taken.position, done.position);
        events = events.subspan(done.count);
        if (done.count == 0) {
            // An event before this one, of the same key, made it a late one.
            Arriving* const late = &events.front();
            TRY_VOID(ask_for_times(*bench_.store, std::span{&late, 1}, bench_.rules->repeat_reach())
            );
        }
    }
    return taken;
}

void Intake::lose() {
    {
        const std::lock_guard lock{keeper_mutex_};
        ++losses_;
    }
    for (std::uint32_t lane = 0; lane < JudgeLanes::count; ++lane) {
        lanes_.with(lane, [](auto& judge) { judge->lose(); });
    }
    for (Projection* projection : bench_.projections) {
        projection->drop();
    }
    keeper_wakes_.notify_all();
}

Result<void> Intake::recover() {
    const std::unique_lock alone{turn_};
    const std::uint64_t losses = losses_.load();
    TRY_VOID(replay_lanes());
    replayed_losses_.store(losses);
    return {};
}

Result<void> Intake::replay_lanes() {
    TRY_VOID(bench_.log->recover());
    bench_.rates->clear();
    TRY(const std::vector<LaneJudge::Checkpoint> checkpoints, read_checkpoints(bench_));
    for (std::uint32_t lane = 0; lane < checkpoints.size(); ++lane) {
        TRY_VOID(LaneReplay(bench_, lanes_, lane, checkpoints[lane]).run());
    }
    return {};
}

Result<void> Intake::write_checkpoints() {
    storage::Batch batch;
    for (std::uint32_t lane = 0; lane < JudgeLanes::count; ++lane) {
        const auto checkpoint = lanes_.with(lane, [](auto& judge) { return judge->checkpoint(); });
        if (checkpoint) {
            batch.upsert(
                lane_checkpoint_table,
                {signed_of(bench_.log->id()),
                 std::int64_t{lane},
                 signed_of(checkpoint->offset),
                 signed_of(checkpoint->guard.offset),
                 checkpoint->guard.time.time_since_epoch().count()}
            );
        }
    }
    TRY_VOID(bench_.store->submit(batch));
    return {};
}

void Intake::keep(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        const Result<void> kept = is_lost() ? recover() : write_out(false);
        if (!kept && kept.error().kind != ErrorKind::overloaded) {
            log(LogLevel::warning, "events: {}; trying again", kept.error().message);
        }
        std::unique_lock lock{keeper_mutex_};
        keeper_wakes_.wait_for(lock, stop, keeper_period, [&] { return kept && is_lost(); });
    }
}

Result<void> Intake::write_out(bool all) {
    for (Projection* projection : bench_.projections) {
        TRY_VOID(projection->flush(all));
    }
    return write_checkpoints();
}

void Intake::close() {
    if (closed_.exchange(true)) {
        return;
    }
    keeper_.request_stop();
    if (keeper_.joinable()) {
        keeper_.join();
    }
    const std::unique_lock alone{turn_};
    if (is_lost()) {
        return;  // the next start reads everything again
    }
    if (const Result<void> written = write_out(true); !written) {
        log(LogLevel::warning,
            "not all views were written ({}); the next start reads their events again",
            written.error().message);
    }
}

}  // namespace footfall::intake
