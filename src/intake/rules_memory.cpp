#include "intake/rules_memory.h"

#include "foundation/varint.h"
#include "intake/room.h"
#include "intake/schema.h"
#include "storage/blocking.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::intake {
namespace {

static_assert(
    guard::RateState::parts == JudgeLanes::count, "a row has one lane, and one part of the rates"
);

/// Raised whenever the bytes, or what follows from them, change.
constexpr std::uint64_t format_version = 1;
/// How long the end of a program may take for this.
constexpr std::chrono::seconds patience{5};

/// Whether this program may remember from one start to the next.
bool remembers(const Context& context) {
    return context.log->is_in(*context.store) && context.rules->version() > 0 &&
           context.shared_rates == nullptr;
}

std::uint64_t hash(const Context& context, std::string_view of, std::string_view bytes) {
    return siphash13({context.secret.k0 ^ siphash13(context.secret, of), context.secret.k1}, bytes);
}

/// What the memory holds for, while nobody takes events.
std::uint64_t fits_now(const Context& context, JudgeLanes& lanes) {
    std::string bytes;
    append_varint(format_version, bytes);
    append_varint(context.log->id(), bytes);
    append_varint(context.rules->version(), bytes);
    bytes += context.rules->digest();
    for (std::uint32_t lane = 0; lane < JudgeLanes::count; ++lane) {
        append_varint(lanes.with(lane, [&](auto&) { return context.log->end(lane); }), bytes);
    }
    return hash(context, "rules memory fits", bytes);
}

std::uint64_t check_of(
    const Context& context, std::uint32_t lane, std::uint64_t fits, std::string_view memory
) {
    std::string bytes;
    append_varint(lane, bytes);
    append_varint(fits, bytes);
    append_varint(hash(context, "rules memory", memory), bytes);
    return hash(context, "rules memory row", bytes);
}

bool all_is_stored(const Context& context, JudgeLanes& lanes) {
    for (std::uint32_t lane = 0; lane < JudgeLanes::count; ++lane) {
        const bool stored = lanes.with(lane, [&](auto& judge) {
            return judge->stored_before() == context.log->end(lane);
        });
        if (!stored) {
            return false;
        }
    }
    return true;
}

/// What the row of a lane says; absent: there is none that fits.
Result<std::optional<std::string>> read_row(
    const Context& context, std::uint32_t lane, std::uint64_t fits
) {
    TRY(const auto row,
        storage::read_one(
            *context.store, rules_memory_table, {signed_of(context.log->id()), std::int64_t{lane}}
        ));
    if (!row) {
        return std::nullopt;
    }
    const std::vector<storage::ValueView> values = storage::views_of(*row);
    const std::string_view memory = values[4].text();
    const bool is_sound = values[2].number() == signed_of(fits) &&
                          values[3].number() == signed_of(check_of(context, lane, fits, memory));
    return is_sound ? std::optional{std::string{memory}} : std::nullopt;
}

Result<bool> restore_lane(
    const Context& context,
    JudgeLanes& lanes,
    std::uint32_t lane,
    const LaneJudge::Checkpoint& checkpoint,
    std::uint64_t fits
) {
    const bool ends_there =
        lanes.with(lane, [&](auto&) { return context.log->end(lane) == checkpoint.offset; });
    if (!ends_there || checkpoint.rules_version != context.rules->version()) {
        return false;
    }
    TRY(const std::optional<std::string> memory, read_row(context, lane, fits));
    if (!memory) {
        return false;
    }
    std::string_view left{*memory};
    return lanes.with(lane, [&](auto& judge) { return judge->begin_with(checkpoint, left); }) &&
           context.rates->take_part(lane, left) && left.empty();
}

}  // namespace

void LaneJudge::append_memory(std::string& bytes) const {
    marks_.append_to(bytes);
    repeats_.append_newest(stored_keys_max, stored_filter_bytes_max, bytes);
}

bool LaneJudge::begin_with(const Checkpoint& checkpoint, std::string_view& memory) {
    begin(checkpoint);
    repeats_ = guard::RepeatJudge{context_->rules->repeat_reach(), repeats_bytes()};
    lost_ = !marks_.take(memory) || !repeats_.take(memory);
    return !lost_;
}

Result<void> store_rules_memory(const Context& context, JudgeLanes& lanes) {
    if (!remembers(context) || context.rates->has_undone() || !all_is_stored(context, lanes)) {
        return {};
    }
    const auto patience_ends = std::chrono::steady_clock::now() + patience;
    const std::uint64_t fits = fits_now(context, lanes);
    for (std::uint32_t lane = 0; lane < JudgeLanes::count; ++lane) {
        std::string memory;
        lanes.with(lane, [&](const auto& judge) { judge->append_memory(memory); });
        const std::size_t of_lane = memory.size();
        context.rates->append_part(lane, memory);
        if (memory.size() - of_lane > stored_rates_bytes_max) {
            return {};
        }
        storage::Batch batch;
        batch.upsert(
            rules_memory_table,
            {signed_of(context.log->id()),
             std::int64_t{lane},
             signed_of(fits),
             signed_of(check_of(context, lane, fits, memory)),
             std::string_view{memory}}
        );
        TRY_VOID(once_there_is_room([&] { return context.store->submit(batch); }, patience_ends));
    }
    return {};
}

Result<bool> restore_rules_memory(
    const Context& context, JudgeLanes& lanes, std::span<const LaneJudge::Checkpoint> checkpoints
) {
    if (!remembers(context)) {
        return false;
    }
    const std::uint64_t fits = fits_now(context, lanes);
    for (std::uint32_t lane = 0; lane < JudgeLanes::count; ++lane) {
        TRY(const bool restored, restore_lane(context, lanes, lane, checkpoints[lane], fits));
        if (!restored) {
            context.rates->clear();
            return false;
        }
    }
    storage::Batch erase;
    for (std::uint32_t lane = 0; lane < JudgeLanes::count; ++lane) {
        erase.erase(rules_memory_table, {signed_of(context.log->id()), std::int64_t{lane}});
    }
    TRY_VOID(once_there_is_room([&] { return context.store->submit(erase); }));
    return true;
}

}  // namespace footfall::intake
