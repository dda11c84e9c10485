#include "views/ranks.h"

#include "events/read_by.h"
#include "foundation/calendar_day.h"
#include "rankings/rank_rows.h"
#include "rankings/schema.h"
#include "storage/blocking.h"
#include "views/ranking.h"
#include "views/schema.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace footfall::views {
namespace {

/// By which an object is ranked: at least as many as it has.
std::uint64_t people_in(const sketches::Sketch& people) {
    return static_cast<std::uint64_t>(std::llround(people.people_at_most()));
}

bool is_ranked(Day day, Instant now) {
    return day == lifetime || rankings::is_ranked(day, now);
}

std::vector<storage::Value> total_key(
    std::string_view action, RankBy by, int size_class, std::uint32_t lane, std::string_view object
) {
    return {
        std::string{action},
        std::string{name_of(by)},
        std::int64_t{size_class},
        std::int64_t{lane},
        std::string{object}
    };
}

}  // namespace

bool is_listed(std::string_view action, std::string_view object) {
    return object != all_objects && action != events::read_action;
}

void append_ranks(
    std::string_view action,
    std::string_view object,
    const Cell& cell,
    const RowMark& mark,
    Instant now,
    storage::Batch& batch
) {
    if (!is_listed(action, object) || !is_ranked(cell.day, now)) {
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
    append(RankBy::people, people_in(cell.people), cell.ranked_people);
    append(RankBy::views, cell.counts.counted(), cell.ranked_views);
}

void note_ranks(Cell& cell) {
    const auto class_of = [](std::uint64_t number) {
        return number == 0 ? Cell::unranked
                           : static_cast<std::uint8_t>(rankings::size_class_of(number));
    };
    cell.ranked_people = class_of(people_in(cell.people));
    cell.ranked_views = class_of(cell.counts.counted());
}

Result<void> RankCheck::add(
    std::string_view action, std::string_view object, Day day, const RowCell& cell
) {
    constexpr std::size_t keys_together = 1000;
    // Rows of the last day may go while others are looked at.
    if (!is_listed(action, object) || !is_ranked(day, now_ + std::chrono::days{1})) {
        return {};
    }
    Rows& rows = day == lifetime ? of_totals_ : of_days_;
    for (const auto& [by, number] : {
             std::pair{RankBy::people, people_in(cell.people)},
             std::pair{RankBy::views, cell.counts.counted},
         }) {
        if (day != lifetime) {
            rankings::append_rank_keys(
                {.job = ranked_job, .action = action, .sort = name_of(by)},
                {.object = object, .lane = lane_, .day = day},
                number,
                rows.keys
            );
        } else {
            for (int each = 0; each <= rankings::size_class_of(number); ++each) {
                rows.keys.push_back(total_key(action, by, each, lane_, object));
            }
        }
        const std::string name = fmt::format(
            "{} of {}{}: {} {}",
            action,
            object,
            day == lifetime ? std::string{} : ", " + format_day(day),
            number,
            name_of(by)
        );
        rows.names.resize(rows.keys.size(), name);
    }
    if (rows.keys.size() < keys_together) {
        return {};
    }
    return day == lifetime ? look_up(view_rank_table, rows)
                           : look_up(rankings::rank_day_table, rows);
}

Result<void> RankCheck::finish() {
    TRY_VOID(look_up(rankings::rank_day_table, of_days_));
    return look_up(view_rank_table, of_totals_);
}

Result<void> RankCheck::look_up(const storage::Table& table, Rows& rows) {
    const Rows some = std::exchange(rows, {});
    return storage::for_each_missing(*store_, table, some.keys, [&](std::size_t at) {
        differences_.push_back(fmt::format(
            "{} stored, but a row is missing by which a list of the largest finds it",
            some.names[at]
        ));
    });
}

}  // namespace footfall::views
