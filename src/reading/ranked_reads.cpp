#include "reading/ranked_reads.h"

#include "events/canonical_url.h"
#include "rankings/popular.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

namespace footfall::reading {
namespace {

constexpr rankings::Window last_day{.name = "24h", .length = std::chrono::hours{24}};

/// URLs whose readers are counted, beside those that are shown.
constexpr std::size_t looked_at_most = 1'000;

}  // namespace

std::string site_named(std::string_view article) {
    const std::string_view site = events::site_of(article);
    return std::string{site.empty() ? article : site};
}

Result<std::vector<std::uint64_t>> RankedReads::readers_since(
    std::span<const std::string> urls, QuarterOfTime from, bool& is_provisional
) {
    std::vector<std::uint64_t> numbers(urls.size());
    const auto count = [&](std::size_t at, std::span<const Readership::ReaderAt> readers) {
        numbers[at] = static_cast<std::uint64_t>(
            std::ranges::count_if(readers, [&](const auto& each) { return each.latest >= from; })
        );
    };
    Pasts pasts;
    for (auto& each : sharers_->pasts()) {
        pasts.add(std::move(each));
    }
    pasts.sort();
    TRY_VOID(readership_->latest_reads(urls, {.pasts = &pasts}, count, &is_provisional));
    return numbers;
}

Result<PopularReads> RankedReads::popular(const PopularAsked& asked, const std::stop_token& stop) {
    TRY_VOID(ranks_->write_rows());
    const Instant now = clock_->now();
    PopularReads answer{
        .urls = {},
        .from = std::max(
            rankings::begin_of(asked.window, now),
            begin_of(readership_->first_day() * quarters_a_day)
        ),
        .at = now,
        .floor = options_.least
    };
    const QuarterOfTime from = quarter_of(answer.from);
    const rankings::PopularSources sources{
        .figures = [&](std::span<const rankings::PopularCandidate> candidates
                   ) -> Result<std::vector<std::uint64_t>> {
            std::vector<std::string> urls;
            urls.reserve(candidates.size());
            for (const rankings::PopularCandidate& each : candidates) {
                urls.emplace_back(each.object);
            }
            return readers_since(urls, from, answer.provisional);
        },
        .site = site_named
    };
    TRY(rankings::PopularList list,
        rankings::popular(
            *store_,
            {.by = ranked_reads,
             .days = rankings::days_of(asked.window, now),
             .limit = asked.limit,
             .least = options_.least,
             .per_site = asked.per_site,
             .asked_most = asked.limit + looked_at_most},
            sources,
            stop
        ));
    answer.complete = list.complete;
    for (rankings::PopularObject& each : list.objects) {
        answer.urls.push_back({.url = std::move(each.object), .readers = each.number});
    }
    return answer;
}

Result<TrendingReads> RankedReads::trending(std::size_t limit, std::size_t per_site) {
    const Instant now = clock_->now();
    TRY(const rankings::TrendsOfAll all, trends_->trends(ranked_reads.action, now));
    TrendingReads answer{
        .list = {},
        .totals = all.totals,
        .settings = trends_->settings(),
        .at = now,
        .provisional = all.provisional
    };
    answer.settings.per_site = per_site;
    answer.settings.least_people = std::max(answer.settings.least_people, options_.least);
    const QuarterOfTime from = quarter_of(rankings::begin_of(last_day, now));
    const rankings::TrendQuestions questions{
        .people = [&](std::span<const std::string_view> objects
                  ) -> Result<std::vector<std::uint64_t>> {
            const std::vector<std::string> urls{objects.begin(), objects.end()};
            return readers_since(urls, from, answer.provisional);
        },
        .site = site_named
    };
    TRY(answer.list,
        rankings::trending(all.candidates, all.totals, answer.settings, limit, questions));
    return answer;
}

}  // namespace footfall::reading
