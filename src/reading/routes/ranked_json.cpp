#include "reading_routes/ranked_json.h"

#include "events/rfc3339.h"
#include "foundation/json_string.h"

#include <fmt/format.h>

#include <chrono>

namespace footfall::reading::routes {
namespace {

double seconds_of(std::chrono::microseconds length) {
    return std::chrono::duration<double>{length}.count();
}

/// {"urls":[a,b], with what `append(url)` adds of each.
template <class Urls, class Append>
std::string urls_json(const Urls& urls, const Append& append) {
    std::string json = R"({"urls":[)";
    for (const auto& each : urls) {
        json += json.ends_with('[') ? "" : ",";
        append(each, json);
    }
    return json + "]";
}

}  // namespace

std::string popular_json(
    const PopularReads& popular, std::string_view scope, std::string_view window
) {
    return urls_json(
               popular.urls,
               [](const PopularUrl& each, std::string& json) {
                   json += fmt::format(
                       R"({{"url":{},"readers":{}}})", json_string(each.url), each.readers
                   );
               }
           ) +
           fmt::format(
               R"(,"scope":"{}","window":"{}","from":"{}","at":"{}","floor":{},)"
               R"("complete":{},"provisional":{},"formula":"{}"}})",
               scope,
               window,
               events::format_rfc3339(popular.from),
               events::format_rfc3339(popular.at),
               popular.floor,
               popular.complete,
               popular.provisional,
               scope == "all" ? "who shares and read it last at or after from, each once; most "
                                "readers first, of equal ones by URL; none below floor"
                              : "friends who read it last at or after from, each once; most "
                                "readers first, of equal ones by URL; none below floor"
           );
}

std::string trending_json(const TrendingReads& trending) {
    const rankings::TrendSettings& settings = trending.settings;
    return urls_json(
               trending.list.objects,
               [](const rankings::Trending& each, std::string& json) {
                   json += fmt::format(
                       R"({{"url":{},"score":{},"fast":{},"slow":{},"expected":{},"readers":{}}})",
                       json_string(each.object),
                       each.score,
                       each.fast,
                       each.slow,
                       each.expected,
                       each.people
                   );
               }
           ) +
           fmt::format(
               R"(,"at":"{}","complete":{},"provisional":{},"formula":{{"text":)"
               R"("score = (fast - expected) / sqrt(expected + 1), expected = slow x fast_total / )"
               R"(slow_total; fast and slow are sums of 2^(-age / half-life) over readers that are )"
               R"(new; readers are those of 24 hours","fast_half_life":{},"slow_half_life":{},)"
               R"("floor":{},"least_people":{},"least_score":{},"per_site":{},)"
               R"("fast_total":{},"slow_total":{}}}}})",
               events::format_rfc3339(trending.at),
               trending.list.complete,
               trending.provisional,
               seconds_of(settings.fast_half_life),
               seconds_of(settings.slow_half_life),
               settings.least_fast,
               settings.least_people,
               settings.least_score,
               settings.per_site,
               trending.totals.fast,
               trending.totals.slow
           );
}

std::string activity_json(const Activity& activity, std::string_view actor) {
    return urls_json(
               activity.urls,
               [](const ActivityUrl& each, std::string& json) {
                   json += fmt::format(R"({{"url":{},"readers":[)", json_string(each.url));
                   for (const std::string& reader : each.readers) {
                       json += json.ends_with('[') ? "" : ",";
                       append_json_string(json, reader);
                   }
                   json += fmt::format(
                       R"(],"count":{},"latest":"{}"}})",
                       each.readers.size(),
                       events::format_rfc3339(each.latest)
                   );
               }
           ) +
           fmt::format(
               R"(,"actor":{},"at":"{}","more":{},"provisional":{}}})",
               json_string(actor),
               events::format_rfc3339(activity.at),
               activity.more,
               activity.provisional
           );
}

}  // namespace footfall::reading::routes
