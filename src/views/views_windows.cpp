// The part of Views that ranks by what came in a window.

#include "rankings/popular.h"
#include "views/schema.h"
#include "views/views.h"

#include <algorithm>
#include <map>
#include <utility>

namespace footfall::views {
namespace {

/// What is asked of the objects of a window.
ReportQuery query_of(std::string_view action, const rankings::Days& days, Instant from) {
    return {
        .action = action,
        .object = {},
        .range = DayRange{.from = static_cast<Day>(days.first), .to = static_cast<Day>(days.last)},
        .since = from
    };
}

Standing lower(const Standing& left, const Standing& right) {
    Standing lower{
        .provisional = left.provisional || right.provisional,
        .stored = {},
        .counted = std::min(left.counted, right.counted)
    };
    // Who is not provisional knows all; of the others the one that knows least counts.
    for (const Standing* const each : {&left, &right}) {
        if (!each->provisional) {
            continue;
        }
        if (!each->stored) {
            lower.stored.reset();
            break;
        }
        lower.stored = std::min(lower.stored.value_or(*each->stored), *each->stored);
    }
    return lower;
}

}  // namespace

Result<Ranking> Views::top_of_window(
    std::string_view action,
    RankBy by,
    const rankings::Window& window,
    std::size_t limit,
    const std::stop_token& stop
) {
    const bool by_people = by == RankBy::people;
    const Instant now = clock_->now();
    const rankings::Days days = rankings::days_of(window, now);
    const Instant from =
        by_people ? Instant{std::chrono::days{days.first}} : rankings::begin_of(window, now);
    Ranking ranking{.objects = {}, .from = from, .knows_people = by_people};
    std::map<std::string, RankedObject, std::less<>> asked;
    const auto figures = [&](std::span<const rankings::PopularCandidate> some
                         ) -> Result<std::vector<std::uint64_t>> {
        std::vector<LaneObject> objects;
        objects.reserve(some.size());
        for (const rankings::PopularCandidate& each : some) {
            objects.push_back({.object = each.object, .lane = each.lane});
        }
        TRY(const std::vector<Report> reports,
            this->reports(objects, query_of(action, days, from), stop));
        std::vector<std::uint64_t> numbers;
        numbers.reserve(some.size());
        for (std::size_t at = 0; at < some.size(); ++at) {
            ranking.standing = lower(ranking.standing, reports[at].standing);
            const RankedObject object = ranked(std::string{some[at].object}, reports[at]);
            numbers.push_back(by_people ? object.people : object.views);
            asked.emplace(object.object, object);
        }
        return numbers;
    };
    TRY(const rankings::PopularList list,
        rankings::popular(
            *store_,
            {.by = {.job = ranked_job, .action = action, .sort = name_of(by)},
             .days = days,
             .limit = limit},
            {.figures = figures},
            stop
        ));
    ranking.complete = list.complete;
    for (const rankings::PopularObject& each : list.objects) {
        ranking.objects.push_back(std::move(asked.at(each.object)));
    }
    return ranking;
}

}  // namespace footfall::views
