#include "views/cell.h"

#include "foundation/error.h"
#include "rankings/rank_rows.h"
#include "views/ranking.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace footfall::views {

namespace {

/// By which an object is ranked: at least as many as it has.
std::uint64_t people_in(const Cell& cell) {
    return static_cast<std::uint64_t>(std::llround(cell.people.people_at_most()));
}

}  // namespace

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

void append_ranks(
    std::string_view action,
    std::string_view object,
    const Cell& cell,
    const RowMark& mark,
    Instant now,
    storage::Batch& batch
) {
    if (cell.day != lifetime && !rankings::is_ranked(cell.day, now)) {
        return;
    }
    // Also classes that were passed between two rows: else it would depend on when rows are
    // written.
    const auto append = [&](RankBy by, std::uint64_t number, std::uint8_t ranked) {
        if (cell.day != lifetime) {
            rankings::append_rank_rows(
                {.job = ranked_job, .action = action, .sort = name_of(by)},
                {.object = object, .lane = mark.lane, .day = cell.day},
                ranked == Cell::unranked ? 0 : rankings::most_in_class(ranked),
                number,
                batch
            );
            return;
        }
        const int first = ranked == Cell::unranked ? 0 : ranked + 1;
        for (int size_class = first; size_class <= rankings::size_class_of(number); ++size_class) {
            batch.upsert(
                view_rank_table,
                {action, name_of(by), std::int64_t{size_class}, std::int64_t{mark.lane}, object}
            );
        }
    };
    append(RankBy::people, people_in(cell), cell.ranked_people);
    append(RankBy::views, cell.counts.counted(), cell.ranked_views);
}

void note_ranks(Cell& cell) {
    const auto class_of = [](std::uint64_t number) {
        return number == 0 ? Cell::unranked
                           : static_cast<std::uint8_t>(rankings::size_class_of(number));
    };
    cell.ranked_people = class_of(people_in(cell));
    cell.ranked_views = class_of(cell.counts.counted());
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
