// The part of Views that answers: what memory has, here and elsewhere, and what rows say.

#include "storage/blocking.h"
#include "views/schema.h"
#include "views/views.h"

#include <algorithm>
#include <set>
#include <utility>

namespace footfall::views {
namespace {

/// Objects that are looked at for one ranking.
constexpr std::size_t ranked_most = 1000;

storage::RangeQuery ranked_in(
    std::string_view action, RankBy by, std::int64_t size_class, std::int64_t lane
) {
    return {
        .table = &view_rank_table,
        .partition = {std::string{action}, std::string{name_of(by)}, size_class, lane},
        .max_rows = ranked_most
    };
}

/// Cells of another writer.
void add_cells(CellCopies from, CellCopies& to) {
    for (auto& [day, cells] : from) {
        to[day].merge(cells);
    }
}

Result<void> go_on_unless(const std::stop_token& stop) {
    return stop.stop_requested()
               ? fail(ErrorKind::cancelled, "nobody waits for the ranking any more")
               : Result<void>{};
}

}  // namespace

CellCopies Views::unsaved(const CellsAsked& asked) {
    const LaneCells::Name name{
        .hash = hash_of(asked.action, asked.object), .action = asked.action, .object = asked.object
    };
    CellCopies copies;
    lanes_.cells.look(asked.lane, [&](const LaneCells& cells) {
        cells.copy(name, asked.days, writer_of(log_id_, asked.lane), copies);
    });
    return copies;
}

/// Before rows are read: what leaves memory meanwhile is in them.
Views::Gathered Views::gather(std::span<const CellsAsked> asked) {
    Gathered gathered{.of_asked = std::vector<CellCopies>(asked.size()), .standing = {}};
    Standing& standing = gathered.standing;
    std::vector<CellsAsked> elsewhere;
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at < asked.size(); ++at) {
        if (options_.owners != nullptr) {
            const auto counted = options_.owners->counted_here(asked[at].lane);
            if (!counted) {
                elsewhere.push_back(asked[at]);
                places.push_back(at);
                continue;
            }
            standing.counted = std::min(standing.counted, *counted);
        }
        gathered.of_asked[at] = unsaved(asked[at]);
    }
    if (elsewhere.empty()) {
        return gathered;
    }
    OwnersAnswer answer = options_.owners->ask(elsewhere);
    for (std::size_t at = 0; at < places.size(); ++at) {
        std::optional<OwnedCells>& owned = answer.of_asked[at];
        standing.counted = std::min(standing.counted, owned ? owned->counted : 0);
        if (owned) {
            gathered.of_asked[places[at]] = std::move(owned->cells);
        } else {
            standing.provisional = true;
            standing.stored = answer.stored;
        }
    }
    return gathered;
}

Result<Report> Views::report(std::size_t lane, const ReportQuery& query) {
    return report_of(lane, lane + 1, query);
}

Result<Report> Views::report_of_all(ReportQuery query) {
    query.object = all_objects;
    return report_of(0, ViewLanes::count, query);
}

Result<Report> Views::report_of(
    std::size_t first_lane, std::size_t end_lane, const ReportQuery& query
) {
    TRY(const ReportDays days, days_of(query));
    std::vector<CellsAsked> asked;
    for (std::size_t lane = first_lane; lane < end_lane; ++lane) {
        asked.push_back({.lane = lane, .action = query.action, .object = query.object, .days = days}
        );
    }
    Gathered gathered = gather(asked);
    CellCopies copies;
    for (CellCopies& each : gathered.of_asked) {
        add_cells(std::move(each), copies);
    }
    TRY(Report report,
        make_report(
            query, days, {.store = store_, .sketch_key = sketch_key_, .cells = std::move(copies)}
        ));
    report.standing = gathered.standing;
    return report;
}

Result<std::vector<Report>> Views::reports(
    std::span<const LaneObject> objects, ReportQuery query, const std::stop_token& stop
) {
    TRY(const ReportDays days, days_of(query));
    std::vector<CellsAsked> asked;
    asked.reserve(objects.size());
    for (const LaneObject& each : objects) {
        asked.push_back(
            {.lane = each.lane, .action = query.action, .object = each.object, .days = days}
        );
    }
    Gathered gathered = gather(asked);
    std::vector<Report> reports;
    reports.reserve(objects.size());
    for (std::size_t at = 0; at < asked.size(); ++at) {
        TRY_VOID(go_on_unless(stop));
        query.object = asked[at].object;
        TRY(Report report,
            make_report(
                query,
                days,
                {.store = store_,
                 .sketch_key = sketch_key_,
                 .cells = std::move(gathered.of_asked[at])}
            ));
        report.standing = gathered.standing;
        reports.push_back(std::move(report));
    }
    return reports;
}

Result<Ranking> Views::top(
    std::string_view action, RankBy by, std::size_t limit, const std::stop_token& stop
) {
    Ranking ranking;
    std::set<std::string> seen;
    std::vector<LaneObject> found;
    const auto is_enough = [&] { return found.size() >= limit || !ranking.complete; };
    const Instant now = clock_->now();
    const int first = highest_classes_.begin(action, by, now);
    for (int size_class = first; size_class >= 0 && !is_enough(); --size_class) {
        const bool none_above = found.empty();
        for (std::size_t lane = 0; lane < ViewLanes::count && ranking.complete; ++lane) {
            TRY_VOID(go_on_unless(stop));
            TRY(const storage::Page page,
                storage::read_page(
                    *store_, ranked_in(action, by, size_class, static_cast<std::int64_t>(lane))
                ));
            for (std::size_t row = 0; row < page.rows.size(); ++row) {
                const auto [object, is_new] = seen.emplace(page.rows.at(row, 4).text());
                if (is_new) {
                    found.push_back({.object = *object, .lane = lane});
                }
            }
            ranking.complete = page.continuation.empty() && seen.size() <= ranked_most;
        }
        if (none_above && !found.empty() && first == top_size_class) {
            highest_classes_.note(action, by, size_class, now);
        }
    }
    TRY(const std::vector<Report> reports,
        this->reports(found, {.action = action, .object = {}, .with_days = false}, stop));
    for (std::size_t at = 0; at < found.size(); ++at) {
        ranking.objects.push_back(ranked(std::string{found[at].object}, reports[at]));
        ranking.standing = reports[at].standing;  // one of all
    }
    std::ranges::sort(ranking.objects, [by](const RankedObject& left, const RankedObject& right) {
        const auto key = [by](const RankedObject& each) {
            return by == RankBy::people ? std::pair{each.people, each.views}
                                        : std::pair{each.views, each.people};
        };
        return key(left) != key(right) ? key(left) > key(right) : left.object < right.object;
    });
    ranking.objects.resize(std::min(ranking.objects.size(), limit));
    return ranking;
}

}  // namespace footfall::views
