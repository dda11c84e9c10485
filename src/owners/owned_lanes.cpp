#include "owners/owned_lanes.h"

#include "foundation/log.h"
#include "intake/schema.h"
#include "owners/schema.h"
#include "storage/blocking.h"

#include <algorithm>
#include <utility>

namespace footfall::owners {
namespace {

using intake::signed_of;

constexpr std::chrono::seconds tell_period{1};
/// The thread that reads has to have its turns.
constexpr std::chrono::milliseconds table_patience{2'000};

std::int64_t number_of(Instant instant) {
    return instant.time_since_epoch().count();
}

}  // namespace

void OwnedLanes::announce(const std::string& address) {
    const std::lock_guard lock{mutex_};
    address_ = address;
}

std::optional<std::int64_t> OwnedLanes::generation(std::uint32_t lane) const {
    const std::int64_t serving = serving_[lane].load();
    return serving > unannounced ? std::optional{serving} : std::nullopt;
}

std::optional<std::uint64_t> OwnedLanes::counted(std::uint32_t lane) const {
    const std::uint64_t end = (*options_.ends)[lane].load();
    return serving_[lane].load() != 0 ? std::optional{end} : std::nullopt;
}

Result<std::vector<std::uint64_t>> OwnedLanes::assigned(std::span<const std::uint32_t> lanes) {
    TRY(std::vector<std::uint64_t> offsets, counting_->assigned(lanes));
    for (const std::uint32_t lane : lanes) {
        lanes_[lane] = Lane{};
    }
    told_at_ = {};
    return offsets;
}

/// Nobody asks here any more. What rows said by then, the next owner goes on from; of lanes that
/// are lost he has it already.
void OwnedLanes::revoked(std::span<const std::uint32_t> lanes, bool lost) {
    for (const std::uint32_t lane : lanes) {
        serving_[lane] = 0;
    }
    counting_->revoked(lanes, lost);
    storage::Batch batch;
    for (const std::uint32_t lane : lanes) {
        const Lane& state = lanes_[lane];
        if (state.generation != 0 && lost) {
            batch.erase(
                lane_owner_table, {signed_of(options_.log), std::int64_t{lane}, state.generation}
            );
        } else if (state.generation != 0) {
            batch.upsert(
                lane_owner_table,
                {signed_of(options_.log),
                 std::int64_t{lane},
                 state.generation,
                 "",
                 number_of(state.stored)}
            );
        }
        lanes_.erase(lane);
    }
    submit(batch);
    look_what_serves();
}

Result<void> OwnedLanes::consume(std::uint32_t lane, const journal::Records& records) {
    TRY_VOID(counting_->consume(lane, records));
    Lane& state = lanes_.at(lane);
    state.reached = std::max(state.reached, counting_->next(lane));
    return {};
}

Result<journal::LaneReader::Next> OwnedLanes::settle() {
    TRY(const Next next, counting_->settle());
    if (next == Next::rejoin) {
        return next;
    }
    look_what_serves();
    const auto now = std::chrono::steady_clock::now();
    if (now < told_at_ + tell_period) {
        return next;
    }
    told_at_ = now;
    std::string address;
    {
        const std::lock_guard lock{mutex_};
        address = address_;
    }
    if (const Result<void> drawn = draw_generations(); !drawn) {
        log(LogLevel::warning,
            "others are not told which lanes are counted here: {}",
            drawn.error().message);
        return next;
    }
    look_what_serves();
    tell(address);
    return next;
}

void OwnedLanes::look_what_serves() {
    const bool caught_up = options_.caught_up();
    bool all = true;
    for (const auto& [lane, state] : lanes_) {
        const bool serves = caught_up && counting_->next(lane) >= state.reached;
        serving_[lane] = serves ? std::max(state.generation, unannounced) : 0;
        all = all && serves;
    }
    if (caught_up && all) {
        has_begun_ = true;
    }
}

/// Above all that are there, and by the clock: so that also one who drew his before and wrote it
/// late, having lost the lane meanwhile, is below. Rows that ours supersede go.
Result<void> OwnedLanes::draw_generations() {
    const bool drawn =
        std::ranges::all_of(lanes_, [](const auto& each) { return each.second.generation != 0; });
    if (drawn) {
        return {};
    }
    const std::int64_t log = signed_of(options_.log);
    const std::int64_t now = number_of(options_.clock->now());
    TRY(const storage::Rows rows,
        storage::read_all(
            *options_.store, {.table = &lane_owner_table, .partition = {log}}, table_patience
        ));
    std::map<std::uint32_t, Lane> highest;
    storage::Batch superseded;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto lane = static_cast<std::uint32_t>(rows.at(row, 1).number());
        const std::int64_t generation = rows.at(row, 2).number();
        const auto ours = lanes_.find(lane);
        if (ours != lanes_.end() && ours->second.generation == 0) {
            const Instant stored{std::chrono::microseconds{rows.at(row, 4).number()}};
            highest.try_emplace(lane, Lane{.generation = generation, .stored = stored});
            superseded.erase(lane_owner_table, {log, std::int64_t{lane}, generation});
        }
    }
    for (auto& [lane, state] : lanes_) {
        if (state.generation == 0) {
            const Lane& before = highest[lane];
            state.generation = std::max(now, before.generation + 1);
            state.stored = before.stored;
        }
    }
    submit(superseded);
    return {};
}

void OwnedLanes::tell(const std::string& address) {
    storage::Batch batch;
    for (auto& [lane, state] : lanes_) {
        if (serving_[lane] != 0) {
            state.stored = std::max(state.stored, options_.stored_until(lane));
        }
        batch.upsert(
            lane_owner_table,
            {signed_of(options_.log),
             std::int64_t{lane},
             state.generation,
             address,
             number_of(state.stored)}
        );
    }
    submit(batch);
}

void OwnedLanes::submit(const storage::Batch& batch) {
    if (const auto submitted = options_.store->submit(batch); !submitted) {
        log(LogLevel::warning,
            "others are not told which lanes are counted here: {}",
            submitted.error().message);
    }
}

}  // namespace footfall::owners
