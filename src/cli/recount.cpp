#include "cli/recount.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

namespace footfall::cli {

void Recounted::add(
    std::uint64_t offset, const events::JudgedEvent& judged, std::optional<std::uint64_t> person
) {
    if (offset < through) {
        return;
    }
    const auto& refusal = judged.verdict.refusal;
    counts.add(refusal ? std::string_view{refusal->reason} : std::string_view{}, 1);
    if (!refusal && person) {
        people.add(*person);
    }
    through = offset + 1;
}

RecountedObject RecountedObject::of_expired(views::RowCells cells) {
    RecountedObject object;
    for (auto& [day, cell] : cells) {
        object.days[day] = {
            .counts = std::move(cell.counts),
            .people = std::move(cell.people),
            .through = cell.through
        };
    }
    return object;
}

void RecountedObject::add(
    std::uint64_t offset, const events::JudgedEvent& judged, std::optional<std::uint64_t> person
) {
    days[views::lifetime].add(offset, judged, person);
    days[views::day_of(judged.event.time)].add(offset, judged, person);
}

void RecountedObject::add_if_stored(
    std::uint64_t offset, const events::JudgedEvent& judged, std::optional<std::uint64_t> person
) {
    for (const views::Day day : {views::lifetime, views::day_of(judged.event.time)}) {
        const auto row = stored.find(day);
        if (row != stored.end() && offset < row->second.through) {
            days[day].add(offset, judged, person);
        }
    }
}

std::uint64_t RecountedObject::stored_through() const {
    std::uint64_t through = 0;
    for (const auto& [day, row] : stored) {
        through = std::max(through, row.through);
    }
    return through;
}

bool RecountedObject::is_behind(std::uint64_t from) const {
    return std::ranges::any_of(days, [&](const auto& each) {
        const auto& [day, recounted] = each;
        const auto row = stored.find(day);
        return recounted.through > from &&
               (row == stored.end() || row->second.through < recounted.through);
    });
}

Result<bool> LaneWalk::walk(
    std::optional<std::uint64_t> from, std::uint64_t end, const Each& each
) {
    for (std::uint64_t next = from.value_or(0); next < end;) {
        TRY(const journal::Records records, log->read(lane, next, {}));
        if (records.empty()) {
            return true;
        }
        if (from && records.first() != next) {
            return false;
        }
        for (std::size_t at = 0; at < records.size() && records.first() + at < end; ++at) {
            TRY(const events::LogRecord record, events::read_record(records[at]));
            const auto* const judged = std::get_if<events::JudgedEvent>(&record);
            if (judged == nullptr || !sources.repeats(*judged)) {
                TRY_VOID(each(records.first() + at, record));
            }
        }
        next = records.next();
        from = next;
    }
    return true;
}

}  // namespace footfall::cli
