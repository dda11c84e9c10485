#include "rankings/score.h"

#include "foundation/check.h"
#include "rankings/site_limit.h"

#include <algorithm>
#include <cmath>

namespace footfall::rankings {
namespace {

std::vector<Trending> scored(
    std::span<const TrendCandidate> candidates,
    const TrendTotals& totals,
    const TrendSettings& settings
) {
    std::vector<Trending> found;
    for (const TrendCandidate& each : candidates) {
        const double expected = expected_fast(each.slow, totals);
        const double score = trend_score(each.fast, expected);
        if (each.fast >= settings.least_fast && score >= settings.least_score) {
            found.push_back({
                .object = each.object,
                .fast = each.fast,
                .slow = each.slow,
                .error = each.error,
                .expected = expected,
                .score = score,
            });
        }
    }
    std::ranges::sort(found, [](const Trending& left, const Trending& right) {
        return left.score != right.score ? left.score > right.score : left.object < right.object;
    });
    return found;
}

}  // namespace

double expected_fast(double slow, const TrendTotals& totals) {
    return totals.slow > 0 ? slow * (totals.fast / totals.slow) : 0;
}

double trend_score(double fast, double expected) {
    return (fast - expected) / std::sqrt(expected + 1);
}

Result<TrendList> trending(
    std::span<const TrendCandidate> candidates,
    const TrendTotals& totals,
    const TrendSettings& settings,
    std::size_t limit,
    const TrendQuestions& questions
) {
    std::vector<Trending> all = scored(candidates, totals, settings);
    TrendList list;
    SiteLimit sites{settings.per_site, questions.site};
    std::size_t next = 0;
    std::size_t asked = 0;
    while (list.objects.size() < limit && next < all.size()) {
        const std::size_t wanted =
            std::min(limit - list.objects.size(), settings.asked_most - asked);
        if (wanted == 0) {
            list.complete = false;
            break;
        }
        std::vector<std::size_t> batch;
        std::vector<std::string_view> names;
        for (; next < all.size() && batch.size() < wanted; ++next) {
            if (sites.has_room_for(all[next].object)) {
                batch.push_back(next);
                names.push_back(all[next].object);
            }
        }
        if (batch.empty()) {
            break;
        }
        asked += batch.size();
        TRY(const std::vector<std::uint64_t> people, questions.people(names));
        CHECK(people.size() == names.size(), "a number an object", people.size(), names.size());
        for (std::size_t at = 0; at < batch.size(); ++at) {
            Trending& each = all[batch[at]];
            if (people[at] >= settings.least_people && sites.take(each.object)) {
                each.people = people[at];
                list.objects.push_back(std::move(each));
            }
        }
    }
    return list;
}

}  // namespace footfall::rankings
