#include "views/recounted.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace footfall::views {

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

RecountedObject RecountedObject::of_expired(RowCells cells) {
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
    days[lifetime].add(offset, judged, person);
    days[day_of(judged.event.time)].add(offset, judged, person);
}

void RecountedObject::add_if_stored(
    std::uint64_t offset, const events::JudgedEvent& judged, std::optional<std::uint64_t> person
) {
    for (const Day day : {lifetime, day_of(judged.event.time)}) {
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

}  // namespace footfall::views
