#include "views/cell.h"

#include "foundation/error.h"
#include "views/ranks.h"

#include <fmt/format.h>

#include <utility>

namespace footfall::views {

bool Cell::apply(const Changes::Entry& entry) {
    if (entry.offset < through) {
        return false;
    }
    counts.add(day == lifetime ? 0 : entry.quarter, entry.reason);
    if (entry.reason == 0 && entry.person) {
        people.add(sketches::hash_of(*entry.person));
    }
    through = entry.offset + 1;
    changed = true;
    return true;
}

void append_row(
    std::string_view action,
    std::string_view object,
    const Cell& cell,
    const Reasons& reasons,
    const RowMark& mark,
    storage::Batch& batch
) {
    const std::string counts = cell.counts.written(reasons);
    const std::string people = cell.people.written(mark.sketch_key);
    const auto counted = static_cast<std::int64_t>(cell.counts.counted());
    const auto refused = static_cast<std::int64_t>(cell.counts.refused());
    const auto through = static_cast<std::int64_t>(cell.through);
    if (cell.day == lifetime) {
        batch.upsert(
            *mark.tables.total,
            {action, object, first_epoch, mark.writer, counted, refused, counts, people, through}
        );
    } else {
        batch.upsert(
            *mark.tables.day,
            {action,
             object,
             std::int64_t{cell.day},
             first_epoch,
             mark.writer,
             counted,
             refused,
             counts,
             people,
             through}
        );
    }
}

Cell cell_of(Day day, std::optional<StoredCell> stored) {
    Cell cell{day};
    if (stored) {
        cell.through = stored->through;
        cell.counts = std::move(stored->counts);
        cell.people = std::move(stored->people);
        note_ranks(cell);
    }
    return cell;
}

std::vector<storage::Value> row_key(
    std::string_view action, std::string_view object, Day day, const RowMark& mark
) {
    std::vector<storage::Value> key{std::string{action}, std::string{object}};
    if (day != lifetime) {
        key.emplace_back(std::int64_t{day});
    }
    key.emplace_back(first_epoch);
    key.emplace_back(mark.writer);
    return key;
}

Result<StoredCell> read_row(
    const storage::Rows& rows,
    std::size_t row,
    Reasons& reasons,
    std::uint16_t sketch_key,
    sketches::Sketch::Kept kept
) {
    const auto failed = [&](Error error) {
        return std::unexpected(with_context(
            std::move(error),
            fmt::format(
                "{} of {} {}", rows.table().name, rows.at(row, 0).text(), rows.at(row, 1).text()
            )
        ));
    };
    const std::size_t first = rows.table().key_width();
    Result<Counts> counts = Counts::read(rows.at(row, first + 2).text(), reasons);
    if (!counts) {
        return failed(std::move(counts).error());
    }
    Result<sketches::Sketch> people =
        sketches::Sketch::read(rows.at(row, first + 3).text(), sketch_key, kept);
    if (!people) {
        return failed(std::move(people).error());
    }
    if (static_cast<std::uint64_t>(rows.at(row, first).number()) != counts->counted() ||
        static_cast<std::uint64_t>(rows.at(row, first + 1).number()) != counts->refused()) {
        return failed({ErrorKind::corrupt, "the sums are not those of its counts"});
    }
    return StoredCell{
        .counts = *std::move(counts),
        .people = *std::move(people),
        .through = static_cast<std::uint64_t>(rows.at(row, first + 4).number())
    };
}

}  // namespace footfall::views
