#include "views_routes/kept_rankings.h"

#include <algorithm>

namespace footfall::views::routes {
namespace {

constexpr int times_as_long = 20;
constexpr std::chrono::seconds kept_longest{10};
/// What took no longer is not kept.
constexpr std::chrono::milliseconds cheap{10};
constexpr std::size_t kept_most = 16;

}  // namespace

Result<Ranking> KeptRankings::top(const Asked& asked, const std::stop_token& stop) {
    const auto began = now_();
    {
        const std::lock_guard lock{mutex_};
        std::erase_if(kept_, [&](const auto& each) { return each.second.good_until < began; });
        if (const auto found = kept_.find(asked); found != kept_.end()) {
            return found->second.ranking;
        }
    }
    TRY(Ranking ranking, make_(asked, stop));
    const auto ended = now_();
    if (ended - began > cheap) {
        const std::lock_guard lock{mutex_};
        if (kept_.size() < kept_most) {
            const auto kept =
                std::min<Clock::duration>(times_as_long * (ended - began), kept_longest);
            kept_.insert_or_assign(asked, Kept{.ranking = ranking, .good_until = ended + kept});
        }
    }
    return ranking;
}

}  // namespace footfall::views::routes
