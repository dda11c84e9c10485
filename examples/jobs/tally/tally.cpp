#include "tally/tally.h"

#include "events/wire.h"
#include "storage/blocking.h"
#include "tally/schema.h"

#include <algorithm>

namespace footfall::tally {
namespace {

/// What was counted is in memory alone for about so long.
constexpr std::chrono::seconds flush_interval{1};
/// What an event that waits takes at most, and all of them where nobody shares memory out.
constexpr std::size_t bytes_an_event = 32;
constexpr std::size_t bytes_max = 32 << 20;

namespace tag {
constexpr std::uint64_t cell = 1;
constexpr std::uint64_t action = 1;
constexpr std::uint64_t day = 2;
constexpr std::uint64_t offset = 3;
}  // namespace tag

std::int64_t signed_of(std::uint64_t number) {
    return static_cast<std::int64_t>(number);
}

/// Puts the rows of these cells.
storage::Batch rows_of(const storage::Table& table, std::uint32_t lane, const Cells& cells) {
    storage::Batch batch;
    for (const auto& [key, cell] : cells) {
        const auto& [action, day] = key;
        batch.upsert(
            table,
            {std::int64_t{lane}, action, day, signed_of(cell.events), signed_of(cell.through)}
        );
    }
    return batch;
}

std::unexpected<Error> no_cells() {
    return fail(ErrorKind::corrupt, "the owner of a lane answered what is no tally");
}

}  // namespace

Key key_of(const events::JudgedEvent& judged) {
    const auto day = std::chrono::floor<std::chrono::days>(judged.event.time);
    return {judged.event.action, day.time_since_epoch().count()};
}

Result<Cells> read_cells(storage::Store& store, const storage::Table& table, std::uint32_t lane) {
    Cells cells;
    TRY(const storage::Rows rows,
        read_all(store, {.table = &table, .partition = {std::int64_t{lane}}}));
    for (std::size_t row = 0; row < rows.size(); ++row) {
        cells[{std::string{rows.at(row, 1).text()}, rows.at(row, 2).number()}] = {
            .events = static_cast<std::uint64_t>(rows.at(row, 3).number()),
            .through = static_cast<std::uint64_t>(rows.at(row, 4).number())
        };
    }
    return cells;
}

Result<void> Tally::wait_for_room() {
    const std::size_t bytes = memory_ == nullptr ? bytes_max : memory_->bytes();
    return waiting() < bytes / bytes_an_event ? Result<void>{} : flush(true);
}

void Tally::apply(std::uint32_t lane, std::span<const projecting::JudgedRecord> records) {
    const std::lock_guard lock{mutex_};
    Lane& own = lanes_.at(lane);
    if (own.waiting.empty()) {
        own.since = clock_->now();
    }
    for (const projecting::JudgedRecord& each : records) {
        own.waiting[key_of(*each.judged)].push_back(each.offset);
    }
    waiting_ += records.size();
}

Result<void> Tally::flush(bool all) {
    const std::lock_guard alone{flushing_};
    const Instant due = clock_->now() - flush_interval;
    for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) {
        const bool is_due = [&] {
            const std::lock_guard lock{mutex_};
            return !lanes_[lane].waiting.empty() && (all || lanes_[lane].since <= due);
        }();
        if (is_due) {
            TRY_VOID(flush_lane(lane));
        }
    }
    return {};
}

Result<void> Tally::flush_lane(std::uint32_t lane) {
    Lane& own = lanes_.at(lane);
    Waiting written;
    std::uint64_t drops = 0;
    const Instant now = clock_->now();
    {
        const std::lock_guard lock{mutex_};
        written = own.waiting;
        drops = own.drops;
    }
    TRY(const Cells rows, read_cells(*store_, tally_table, lane));
    Cells changed;
    for (const auto& [key, offsets] : written) {
        const auto row = rows.find(key);
        Cell& cell = changed[key];
        cell = row == rows.end() ? Cell{} : row->second;
        std::ranges::for_each(offsets, [&](std::uint64_t offset) { cell.add(offset); });
    }
    storage::CommitPosition position = 0;
    {
        const std::lock_guard lock{mutex_};
        if (own.drops != drops) {
            return {};  // it depended on what is lost, or is another's now
        }
        TRY(position, store_->submit(rows_of(tally_table, lane, changed)));
    }
    TRY_VOID(storage::wait_durable(*store_, position));
    rows_written_ += changed.size();
    const std::lock_guard lock{mutex_};
    if (own.drops != drops) {
        return {};
    }
    for (const auto& [key, offsets] : written) {
        const auto waiting = own.waiting.find(key);
        // More may have come behind them.
        waiting->second.erase(
            waiting->second.begin(),
            waiting->second.begin() + static_cast<std::ptrdiff_t>(offsets.size())
        );
        waiting_ -= offsets.size();
        if (waiting->second.empty()) {
            own.waiting.erase(waiting);
        }
    }
    own.since = now;  // what is left came behind
    return {};
}

std::optional<std::uint64_t> Tally::unsaved(std::uint32_t lane) {
    const std::lock_guard lock{mutex_};
    std::optional<std::uint64_t> first;
    for (const auto& [key, offsets] : lanes_.at(lane).waiting) {
        first = std::min(first.value_or(offsets.front()), offsets.front());
    }
    return first;
}

Instant Tally::stored_until(std::uint32_t lane) {
    const std::lock_guard lock{mutex_};
    const Lane& own = lanes_.at(lane);
    return own.waiting.empty() ? clock_->now() : own.since;
}

void Tally::forget(Lane& lane) {
    for (const auto& [key, offsets] : lane.waiting) {
        waiting_ -= offsets.size();
    }
    lane.waiting.clear();
    ++lane.drops;
}

void Tally::drop() {
    const std::lock_guard lock{mutex_};
    std::ranges::for_each(lanes_, [&](Lane& lane) { forget(lane); });
}

void Tally::drop_lane(std::uint32_t lane) {
    const std::lock_guard lock{mutex_};
    forget(lanes_.at(lane));
}

Result<void> Tally::expire(std::uint32_t lane, std::span<const projecting::JudgedRecord> records) {
    TRY(Cells cells, read_cells(*store_, tally_expired_table, lane));
    for (const projecting::JudgedRecord& each : records) {
        cells[key_of(*each.judged)].add(each.offset);
    }
    return storage::write_durably(*store_, rows_of(tally_expired_table, lane, cells));
}

/// Everything that waits of the lane, whatever is asked.
Result<std::string> Tally::answer(std::uint32_t lane, std::string_view /*question*/) {
    const std::lock_guard lock{mutex_};
    return written(lanes_.at(lane).waiting);
}

std::string Tally::written(const Waiting& waiting) {
    std::string bytes;
    for (const auto& [key, offsets] : waiting) {
        std::string cell;
        events::append_bytes_field(tag::action, key.first, cell);
        events::append_number_field(tag::day, static_cast<std::uint64_t>(key.second), cell);
        for (const std::uint64_t offset : offsets) {
            events::append_number_field(tag::offset, offset, cell);
        }
        events::append_bytes_field(tag::cell, cell, bytes);
    }
    return bytes;
}

Result<Tally::Waiting> Tally::read(std::string_view bytes) {
    Waiting waiting;
    events::WireField field;
    while (!bytes.empty()) {
        if (!events::take_field(bytes, field) || field.tag != tag::cell) {
            return no_cells();
        }
        Key key;
        std::vector<std::uint64_t> offsets;
        for (std::string_view cell = field.bytes; !cell.empty();) {
            if (!events::take_field(cell, field)) {
                return no_cells();
            }
            if (field.tag == tag::action) {
                key.first = field.bytes;
            } else if (field.tag == tag::day) {
                key.second = signed_of(field.number);
            } else if (field.tag == tag::offset) {
                offsets.push_back(field.number);
            }
        }
        waiting.insert_or_assign(std::move(key), std::move(offsets));
    }
    return waiting;
}

Result<Totals> Tally::totals(std::int64_t first_day) {
    Totals totals;
    std::array<Waiting, runtime::lane_count> waiting;
    std::vector<projecting::LaneQuestion> asked;
    // Memory before rows: what leaves it meanwhile is in them.
    for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) {
        if (owners_ != nullptr && !owners_->counted_here(lane)) {
            asked.push_back({.lane = lane, .bytes = {}});
            continue;
        }
        const std::lock_guard lock{mutex_};
        waiting.at(lane) = lanes_[lane].waiting;
    }
    if (!asked.empty()) {
        const projecting::LaneAnswers told = owners_->ask(name, asked);
        for (std::size_t at = 0; at < asked.size(); ++at) {
            const auto& answer = told.of_asked[at];
            Result<Waiting> of_lane = answer ? read(answer->bytes) : Result<Waiting>{no_cells()};
            totals.provisional = totals.provisional || !of_lane;
            waiting.at(asked[at].lane) = std::move(of_lane).value_or(Waiting{});
        }
    }
    for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) {
        TRY(Cells cells, read_cells(*store_, tally_table, lane));
        for (const auto& [key, offsets] : waiting.at(lane)) {
            std::ranges::for_each(offsets, [&](std::uint64_t each) { cells[key].add(each); });
        }
        for (const auto& [key, cell] : cells) {
            if (key.second >= first_day) {
                totals.events[key] += cell.events;
            }
        }
    }
    return totals;
}

}  // namespace footfall::tally
