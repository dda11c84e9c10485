#include "tally/tally.h"

#include "events/wire.h"
#include "runtime/lanes.h"
#include "storage/blocking.h"
#include "tally/schema.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

namespace footfall::tally {
namespace {

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
void add_rows(
    const storage::Table& table, std::uint32_t lane, const Cells& cells, storage::Batch& batch
) {
    for (const auto& [key, cell] : cells) {
        const auto& [action, day] = key;
        batch.upsert(
            table,
            {std::int64_t{lane}, action, day, signed_of(cell.events), signed_of(cell.through)}
        );
    }
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

/// Of a lane all rows are read at once: there are few.
WriteBehind::Merge Tally::merge_into(storage::Store& store) {
    return [&store](
               std::uint32_t lane, const WriteBehind::Waiting& some, storage::Batch& batch
           ) -> Result<void> {
        TRY(const Cells rows, read_cells(store, tally_table, lane));
        Cells changed;
        for (const auto& [key, offsets] : some) {
            const auto row = rows.find(key);
            Cell& cell = changed[key];
            cell = row == rows.end() ? Cell{} : row->second;
            std::ranges::for_each(offsets, [&](std::uint64_t offset) { cell.add(offset); });
        }
        add_rows(tally_table, lane, changed, batch);
        return {};
    };
}

void Tally::apply(std::uint32_t lane, std::span<const projecting::JudgedRecord> records) {
    waiting_.add(lane, [&](const auto& add) {
        for (const projecting::JudgedRecord& each : records) {
            add(key_of(*each.judged), each.offset);
        }
    });
}

Result<void> Tally::expire(std::uint32_t lane, std::span<const projecting::JudgedRecord> records) {
    TRY(Cells cells, read_cells(*store_, tally_expired_table, lane));
    for (const projecting::JudgedRecord& each : records) {
        cells[key_of(*each.judged)].add(each.offset);
    }
    storage::Batch batch;
    add_rows(tally_expired_table, lane, cells, batch);
    return storage::write_durably(*store_, batch);
}

/// Everything that waits of the lane, whatever is asked.
Result<std::string> Tally::answer(std::uint32_t lane, std::string_view /*question*/) {
    return waiting_.look(lane, [](const auto& waiting) { return written(waiting); });
}

std::string Tally::written(const WriteBehind::Waiting& waiting) {
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

Result<WriteBehind::Waiting> Tally::read(std::string_view bytes) {
    WriteBehind::Waiting waiting;
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
    std::array<WriteBehind::Waiting, runtime::lane_count> waiting;
    std::vector<projecting::LaneQuestion> asked;
    // Memory before rows: what leaves it meanwhile is in them.
    for (std::uint32_t lane = 0; lane < waiting.size(); ++lane) {
        if (owners_ != nullptr && !owners_->counted_here(lane)) {
            asked.push_back({.lane = lane, .bytes = {}});
            continue;
        }
        waiting.at(lane) = waiting_.look(lane, [](const auto& of_lane) { return of_lane; });
    }
    if (!asked.empty()) {
        const projecting::LaneAnswers told = owners_->ask(name, asked);
        for (std::size_t at = 0; at < asked.size(); ++at) {
            const auto& answer = told.of_asked[at];
            Result<WriteBehind::Waiting> of_lane =
                answer ? read(answer->bytes) : Result<WriteBehind::Waiting>{no_cells()};
            totals.provisional = totals.provisional || !of_lane;
            waiting.at(asked[at].lane) = std::move(of_lane).value_or(WriteBehind::Waiting{});
        }
    }
    for (std::uint32_t lane = 0; lane < waiting.size(); ++lane) {
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
