#include "intake/intake.h"

#include "foundation/log.h"
#include "foundation/seldom_log.h"
#include "intake/arrivals.h"
#include "intake/checkpoints.h"
#include "intake/lane_events.h"
#include "intake/lane_replay.h"
#include "intake/questions.h"
#include "intake/room.h"
#include "intake/rules_memory.h"
#include "intake/schema.h"
#include "runtime/enter_thread.h"
#include "storage/blocking.h"
#include "storage/room.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <numeric>
#include <thread>
#include <utility>

namespace footfall::intake {
namespace {

using storage::CommitPosition;

/// How often projections are let write, and checkpoints moved.
constexpr std::chrono::seconds keeper_period{1};
/// How long a lane that goes may take to store what follows from its events.
constexpr std::chrono::seconds hand_over_patience{5};
/// How long the end waits for a disk that has too much to do.
constexpr std::chrono::seconds closing_patience{10};
/// How often it is said that something is tried in vain, or that a start takes its time.
constexpr std::chrono::seconds saying_pause{10};
/// Lanes that are read again in less are not spoken of.
constexpr std::chrono::seconds short_replay{1};

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

Intake::Intake(Context context) : context_{std::move(context)} {
    for (std::uint32_t lane = 0; lane < JudgeLanes::count; ++lane) {
        lanes_.with(lane, [&](auto& judge) {
            judge = std::make_unique<LaneJudge>(context_, lane);
        });
    }
}

Result<std::unique_ptr<Intake>> Intake::open(Context context) {
    std::vector<std::uint32_t> all(JudgeLanes::count);
    std::iota(all.begin(), all.end(), 0);
    return open(std::move(context), std::move(all));
}

Result<std::unique_ptr<Intake>> Intake::open_without_lanes(Context context) {
    return open(std::move(context), {});
}

Result<std::unique_ptr<Intake>> Intake::open(Context context, std::vector<std::uint32_t> lanes) {
    std::unique_ptr<Intake> intake{new Intake{std::move(context)}};
    intake->owned_ = std::move(lanes);
    intake->lane_count_ = intake->owned_.size();
    intake->listen();
    TRY_VOID(intake->recover());
    if (intake->context_.id_filter_bytes > 0) {
        intake->known_ids_ = std::make_unique<KnownIds>(
            intake->context_, intake->lanes_, intake->context_.id_filter_bytes
        );
        intake->known_ids_->start();
    }
    intake->keeper_ =
        std::jthread{[raw = intake.get()](const std::stop_token& stop) { raw->keep(stop); }};
    return intake;
}

/// To whatever loses something. Before the first record is appended.
void Intake::listen() {
    context_.log->on_lost_records([this] { lose(); });
    if (context_.log->is_in(*context_.store)) {
        return;
    }
    link_->intake = this;
    store_losses_ = context_.store->on_lost_writes([this] { lose(); });
}

Intake::~Intake() {
    close();
    // One that could not be opened is gone before the store is closed.
    context_.log->on_lost_records({});
    const std::lock_guard lock{link_->mutex};
    link_->intake = nullptr;
}

/// Rows of records that the log has elsewhere wait for them.
void Intake::submit_when_durable(std::uint32_t lane, storage::CommitPosition records) {
    if (context_.log->is_in(*context_.store)) {
        return;
    }
    context_.log->when_durable(records, [link = link_, lane](const Result<void>&) {
        const std::lock_guard lock{link->mutex};
        if (link->intake != nullptr) {
            link->intake->lanes_.with(lane, [](auto& judge) { judge->submit_possible(); });
        }
    });
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

Result<Taken> Intake::collect(Arrived arrived) {
    TRY_VOID(health());
    const std::shared_lock turn{turn_};
    const Instant arrival = arrived.arrival;
    const Arrivals arrivals{std::move(arrived), context_.secret, context_.reads};
    Taken taken;
    if (Result<void> all = take_all(arrivals, taken); !all) {
        return std::unexpected(taken.failure(std::move(all).error()));
    }
    note_activity(arrival, arrivals.size(), taken);
    return taken;
}

Result<void> Intake::judge_lane(std::uint32_t lane, std::vector<events::JudgedEvent> events) {
    TRY_VOID(health());
    const std::shared_lock turn{turn_};
    TRY_VOID(check_none_missing(lane, next_source(lane), events));
    journal::PortionSize& portion = portions_[lane];
    for (auto next = events.begin(); next != events.end();) {
        const auto left = static_cast<std::size_t>(events.end() - next);
        const auto end = next + static_cast<std::ptrdiff_t>(std::min(left, portion.records()));
        const Result<void> judged =
            judge_some(lane, {std::move_iterator{next}, std::move_iterator{end}});
        portion.note(judged.has_value());
        TRY_VOID(judged);
        next = end;
    }
    return {};
}

Result<void> Intake::judge_some(std::uint32_t lane, std::vector<events::JudgedEvent> events) {
    const Arrivals arrivals{std::move(events), context_.secret};
    TRY_VOID(check_all_of_lane(lane, arrivals));
    Taken taken;
    return take_all(arrivals, taken);
}

/// On failure `taken` says what was taken before it.
Result<void> Intake::take_all(const Arrivals& arrivals, Taken& taken) {
    Asking asking{lanes_};
    TRY_VOID(ask(arrivals, asking));
    const Result<void> all = arrivals.for_each_lane([&](std::uint32_t lane, auto events) {
        return take_in_lane(lane, events, taken);
    });
    note_appended(taken.position);
    return all;
}

void Intake::note_appended(CommitPosition position) {
    for (CommitPosition last = last_appended_.load(); last < position;) {
        last_appended_.compare_exchange_weak(last, position);
    }
}

void Intake::note_activity(Instant arrival, std::size_t events, const Taken& taken) {
    const auto second_of = [](Instant instant) {
        return std::chrono::floor<std::chrono::seconds>(instant).time_since_epoch().count();
    };
    activity_.add(
        {.second = second_of(arrival),
         .counted = events - taken.duplicates - taken.refused,
         .refused = taken.refused},
        second_of(context_.clock->now())
    );
}

Result<void> Intake::ask(const Arrivals& arrivals, Asking& asking) {
    std::vector<Arriving*> with_id;
    std::vector<Arriving*> late;
    TRY_VOID(arrivals.for_each_lane([&](std::uint32_t lane, auto events) -> Result<void> {
        asking.begin(lane, lanes_.with(lane, [&](auto& judge) {
            for (const Arriving* each : events) {
                judge->prefetch(*each);
            }
            std::ranges::copy_if(events, std::back_inserter(late), [&](const Arriving* each) {
                return judge->must_ask_times(*each);
            });
            return judge->begin_asking();
        }));
        std::ranges::copy_if(events, std::back_inserter(with_id), [](const Arriving* each) {
            return each->keys.identity != 0;
        });
        return {};
    }));
    leave_out_new_ids(with_id);
    ids_looked_up_ += with_id.size();
    TRY_VOID(ask_for_ids(*context_.store, StandingRows{context_}, with_id, context_.secret));
    TRY_VOID(ask_for_kept(context_.kept_events, known_since_, arrivals));
    TRY_VOID(
        ask_for_times(*context_.store, StandingRows{context_}, late, context_.rules->repeat_reach())
    );
    if (context_.shared_rates != nullptr) {
        ask_for_rates(*context_.shared_rates, *context_.rules, *context_.rates, arrivals.all());
    }
    return {};
}

/// Events of which it is known that none came before with their id. The lanes were told that
/// somebody asks: what they take from then on they remember.
void Intake::leave_out_new_ids(std::vector<Arriving*>& events) const {
    const std::shared_ptr<const IdFilter> known = known_ids_ ? known_ids_->all() : nullptr;
    if (known == nullptr) {
        return;
    }
    for (const Arriving* each : events) {
        known->prefetch(each->keys.identity);
    }
    std::erase_if(events, [&](const Arriving* each) {
        return !known->may_contain(each->keys.identity);
    });
}

Result<void> Intake::take_in_lane(
    std::uint32_t lane, std::span<Arriving* const> events, Taken& taken
) {
    const auto patience_ends = std::chrono::steady_clock::now() + room_patience;
    if (context_.host != nullptr) {
        TRY_VOID(once_there_is_room([&] { return context_.host->wait_for_room(); }, patience_ends));
    }
    while (!events.empty()) {
        const auto judged = [&] {
            return lanes_.with(lane, [&](auto& judge) { return judge->judge(events); });
        };
        TRY(const TakenEvents done, once_there_is_room(judged, patience_ends));
        taken.duplicates += done.duplicates;
        taken.refused += done.refused;
        taken.position = std::max(taken.position, done.position);
        submit_when_durable(lane, done.position);
        events = events.subspan(done.count);
        if (done.count == 0) {
            // An event before this one, of the same key, made it a late one.
            TRY_VOID(ask_for_times(
                *context_.store,
                StandingRows{context_},
                events.first(1),
                context_.rules->repeat_reach()
            ));
        }
    }
    return {};
}

/// Counted before, so that nothing is taken from here on, and once more behind it: the keeper may
/// wake in between and read again what is dropped after that.
void Intake::lose() {
    ++losses_;
    for (std::uint32_t lane = 0; lane < JudgeLanes::count; ++lane) {
        lanes_.with(lane, [](auto& judge) { judge->lose(); });
    }
    if (context_.host != nullptr) {
        context_.host->drop();
    }
    const std::lock_guard lock{keeper_mutex_};
    ++losses_;
    keeper_wakes_.notify_all();
}

Result<void> Intake::recover() {
    const std::unique_lock alone{turn_};
    const std::uint64_t losses = losses_.load();
    if (context_.host != nullptr && replayed_losses_ != 0) {
        // The last one may have told records behind the drop of a loss that came meanwhile.
        context_.host->drop();
    }
    TRY_VOID(context_.log->recover());
    last_appended_ = 0;  // it may be lost, which it would be for ever
    context_.rates->clear();
    TRY_VOID(replay_lanes(owned_, replayed_losses_ == 0));
    replayed_losses_.store(losses);
    return {};
}

/// At a start of all lanes the rules may remember what they did when the program ended.
Result<void> Intake::replay_lanes(std::span<const std::uint32_t> lanes, bool at_start) {
    TRY(const std::vector<LaneJudge::Checkpoint> checkpoints, read_checkpoints(context_));
    if (context_.host != nullptr) {
        TRY_VOID(context_.host->open(lanes));
    }
    bool remembers = false;
    if (at_start) {
        TRY(remembers, restore_rules_memory(context_, lanes_, checkpoints));
    }
    const auto begin = std::chrono::steady_clock::now();
    SeldomLog progress{saying_pause};
    std::uint64_t read_again = 0;
    std::uint64_t read = 0;
    for (std::size_t at = 0; at < lanes.size(); ++at) {
        const std::uint32_t lane = lanes[at];
        if (std::chrono::steady_clock::now() > begin + short_replay) {
            progress.say(
                LogLevel::info,
                fmt::format("events: {} of {} lanes have been read again", at, lanes.size())
            );
        }
        LaneReplay replay{context_, lanes_, lane, checkpoints[lane], remembers};
        TRY_VOID(replay.run());
        read_again += replay.unstored();
        read += replay.read();
    }
    read_again_.store(read_again);
    read_.store(read);
    return {};
}

Result<void> Intake::take_over(std::span<const std::uint32_t> lanes) {
    const std::unique_lock alone{turn_};
    TRY_VOID(health());  // a recovery would not know of the new lanes
    // What is on its way is to be there when the ends are looked for.
    TRY_VOID(journal::wait_durable(*context_.log, last_appended_.load()));
    TRY_VOID(context_.log->recover());
    TRY_VOID(context_.store->write_after_others());
    TRY_VOID(replay_lanes(lanes, false));
    owned_.insert(owned_.end(), lanes.begin(), lanes.end());
    lane_count_ = owned_.size();
    return {};
}

void Intake::hand_over(std::span<const std::uint32_t> lanes, bool lost) {
    const std::unique_lock alone{turn_};
    for (const std::uint32_t lane : lanes) {
        if (!lost && !is_lost()) {
            if (const Result<void> stored = store_lane(lane); !stored) {
                log(LogLevel::warning,
                    "lane {} was handed over with rows to write ({}); the next owner writes them",
                    lane,
                    stored.error().message);
                lost = true;  // nor would it go better with the others
            }
        }
        lanes_.with(lane, [](auto& judge) { judge->lose(); });
        std::erase(owned_, lane);
    }
    lane_count_ = owned_.size();
}

/// What follows from a lane's events, and then its checkpoint.
Result<void> Intake::store_lane(std::uint32_t lane) {
    const auto records = lanes_.with(lane, [](auto& judge) { return judge->last_records(); });
    TRY_VOID(journal::wait_durable(*context_.log, records, hand_over_patience));
    TRY(const storage::CommitPosition rows,
        lanes_.with(lane, [](auto& judge) { return judge->submit_all(); }));
    TRY_VOID(storage::wait_durable(*context_.store, rows, hand_over_patience));
    storage::Batch batch;
    add_checkpoint(lane, batch);
    return storage::write_durably(*context_.store, batch, hand_over_patience);
}

Intake::Figures Intake::figures() {
    Figures figures{
        .judged = {},
        .read_again = read_again_,
        .read = read_,
        .lanes = lane_count_,
        .ids_looked_up = ids_looked_up_
    };
    for (std::uint32_t lane = 0; lane < JudgeLanes::count; ++lane) {
        lanes_.with(lane, [&](const auto& judge) {
            figures.judged.add(judge->figures());
            figures.unstored += judge->unstored();
        });
    }
    return figures;
}

Result<void> Intake::write_checkpoints() {
    storage::Batch batch;
    std::array<std::uint64_t, JudgeLanes::count> stored{};
    for (std::uint32_t lane = 0; lane < JudgeLanes::count; ++lane) {
        add_checkpoint(lane, batch);
        stored[lane] = lanes_.with(lane, [](auto& judge) { return judge->stored_before(); });
    }
    TRY_VOID(context_.store->submit(batch));
    if (context_.host != nullptr) {
        TRY_VOID(context_.host->write_checkpoints(stored));
    }
    return {};
}

/// If it says something new.
void Intake::add_checkpoint(std::uint32_t lane, storage::Batch& batch) {
    const auto checkpoint = lanes_.with(lane, [](auto& judge) {
        judge->follow_memory();
        return judge->checkpoint();
    });
    if (checkpoint) {
        append_checkpoint(context_, lane, *checkpoint, batch);
    }
}

void Intake::keep(const std::stop_token& stop) {
    runtime::enter_thread("event keeper", runtime::Urgency::work);
    SeldomLog troubles{saying_pause};
    while (!stop.stop_requested()) {
        const Result<void> kept = is_lost() ? recover() : write_in_turn();
        // What is wrong with the store, the store says itself.
        if (!kept && kept.error().kind != ErrorKind::overloaded && context_.store->health()) {
            troubles.say(
                LogLevel::warning, fmt::format("events: {}; trying again", kept.error().message)
            );
        }
        std::unique_lock lock{keeper_mutex_};
        keeper_wakes_.wait_for(lock, stop, keeper_period, [&] { return kept && is_lost(); });
    }
}

/// While no lanes come or go, for the log's ends are found anew then.
Result<void> Intake::write_in_turn() {
    const std::shared_lock turn{turn_};
    return write_out(false);
}

Result<void> Intake::write_out(bool all) {
    if (context_.host != nullptr) {
        TRY_VOID(context_.host->flush(all));
    }
    return write_checkpoints();
}

Result<void> Intake::write_last() {
    const Result<void> stored = wait_stored(context_, lanes_, hand_over_patience);
    TRY_VOID(write_out(true));
    TRY_VOID(stored);
    return store_rules_memory(context_, lanes_);
}

/// What is not written now is in the log alone, where whoever moves the tables elsewhere leaves it.
Result<void> Intake::write_last_patiently() {
    return storage::write_when_there_is_room([this] { return write_last(); }, closing_patience);
}

void Intake::close() {
    if (closed_.exchange(true)) {
        return;
    }
    keeper_.request_stop();
    if (keeper_.joinable()) {
        keeper_.join();
    }
    if (known_ids_ != nullptr) {
        known_ids_->stop();
    }
    const std::unique_lock alone{turn_};
    if (is_lost()) {
        return;  // the next start reads everything again
    }
    if (const Result<void> written = write_last_patiently(); !written) {
        log(LogLevel::warning,
            "not everything was written ({}); the next start reads those events again",
            written.error().message);
    }
}

}  // namespace footfall::intake
