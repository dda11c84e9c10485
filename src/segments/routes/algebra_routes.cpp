#include "segments_routes/algebra_routes.h"

#include "api/table_answer.h"
#include "events/rfc3339.h"
#include "foundation/json_string.h"
#include "http_server/problem.h"
#include "segments_routes/audience_answers.h"
#include "segments_routes/estimate_json.h"
#include "segments_routes/segment_queries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace footfall::segments::routes {
namespace {

using http_server::Method;
using http_server::Request;
using http_server::Response;

Response answer_count(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refused);
    }
    auto query = read_count_query(request.body);
    if (!query) {
        return std::move(query).error();
    }
    if (is_audience(sources, request)) {
        return answer_audience_count(sources, request, *query);
    }
    const auto people = sources.people->count(*query);
    if (!people) {
        return api::answer_error(people.error());
    }
    return api::json_answer(fmt::format(
        R"({{{},"as_of":"{}"}})",
        people_members(estimate_of(people->people, people->one_of)),
        events::format_rfc3339(people->as_of)
    ));
}

/// Pairs as they are answered, whether they were counted or estimated. A plain value.
struct AnsweredOverlap {
    std::vector<std::uint64_t> sizes;
    std::vector<std::string> pairs;  ///< JSON members of each, as Overlaps has them.
    Instant as_of{};
    std::uint32_t one_of = 1;  ///< As of People.
};

std::string estimated(const sketches::Bounded& pair, bool is_exact) {
    const auto whole = [](double people) {
        return static_cast<std::uint64_t>(std::llround(people));
    };
    if (is_exact) {
        return pair_members(estimate_of(whole(pair.count), 1));
    }
    return pair_members(
        {.people = whole(pair.count),
         .exact = false,
         .error = pair.error,
         .low = whole(pair.low),
         .high = whole(pair.high)}
    );
}

Result<AnsweredOverlap> find_overlap(const Sources& sources, const OverlapQuery& query) {
    AnsweredOverlap answered;
    if (query.sketch) {
        TRY(const SketchedOverlaps overlaps, sources.people->sketched(query.segments));
        for (std::size_t at = 0; at < overlaps.pairs.size(); ++at) {
            answered.pairs.push_back(estimated(overlaps.pairs[at], overlaps.exact[at]));
        }
        answered.sizes = overlaps.sizes;
        answered.as_of = overlaps.as_of;
        return answered;
    }
    TRY(const Overlaps overlaps, sources.people->overlap(query.segments));
    for (const std::uint64_t each : overlaps.pairs) {
        answered.pairs.push_back(pair_members(estimate_of(each, overlaps.one_of)));
    }
    answered.one_of = overlaps.one_of;
    answered.sizes = overlaps.sizes;
    answered.as_of = overlaps.as_of;
    return answered;
}

/// Calls `use(one, other, pair)` for each pair, in the order in which the segments were named.
template <class Use>
void for_each_pair(const OverlapQuery& query, const AnsweredOverlap& overlap, Use use) {
    auto pair = overlap.pairs.begin();
    for (std::size_t one = 0; one < query.segments.size(); ++one) {
        for (std::size_t other = one + 1; other < query.segments.size(); ++other) {
            use(one, other, *pair++);
        }
    }
}

/// Those in which somebody is; of each the segments that these people are in, and no other.
std::string combinations_json(const std::vector<std::string>& names, const Combinations& combined) {
    const std::vector<std::uint64_t>& people = combined.people;
    std::string json = R"(,"combinations":[)";
    for (std::size_t at = 1; at < people.size(); ++at) {
        if (people[at] == 0) {
            continue;
        }
        std::string in;
        for (std::size_t segment = 0; segment < names.size(); ++segment) {
            if ((at >> segment & 1U) != 0) {
                in += (in.empty() ? "" : ",") + json_string(names[segment]);
            }
        }
        json += fmt::format(
            R"({}{{"segments":[{}],{}}})",
            json.ends_with('[') ? "" : ",",
            in,
            combined.one_of == 1 ? fmt::format(R"("people":{})", people[at])
                                 : people_members(estimate_of(people[at], combined.one_of))
        );
    }
    return json + "]";
}

std::string overlap_json(
    const OverlapQuery& query, const AnsweredOverlap& overlap, const std::string& combinations
) {
    const std::vector<std::string>& names = query.segments;
    std::string json = R"({"sizes":{)";
    for (std::size_t at = 0; at < names.size(); ++at) {
        json +=
            fmt::format("{}{}:{}", at == 0 ? "" : ",", json_string(names[at]), overlap.sizes[at]);
    }
    json += "}";
    if (overlap.one_of != 1) {
        json += R"(,"size_bounds":{)";
        for (std::size_t at = 0; at < names.size(); ++at) {
            json += fmt::format(
                "{}{}:{{{}}}",
                at == 0 ? "" : ",",
                json_string(names[at]),
                bounds_members(estimate_of(overlap.sizes[at], overlap.one_of))
            );
        }
        json += "}";
    }
    json += R"(,"overlap":[)";
    for_each_pair(query, overlap, [&](std::size_t one, std::size_t other, const std::string& pair) {
        json += fmt::format(
            R"({}{{"segments":[{},{}],{}}})",
            json.ends_with('[') ? "" : ",",
            json_string(names[one]),
            json_string(names[other]),
            pair
        );
    });
    return json + fmt::format(
                      R"(]{},"as_of":"{}"}})", combinations, events::format_rfc3339(overlap.as_of)
                  );
}

/// The same as rows that are whole by themselves, for a table.
std::string rows_json(const OverlapQuery& query, const AnsweredOverlap& overlap) {
    std::string json = R"({"overlap":[)";
    for_each_pair(query, overlap, [&](std::size_t one, std::size_t other, const std::string& pair) {
        json += fmt::format(
            R"({}{{"first":{},"second":{},"first_people":{},"second_people":{},{}}})",
            json.ends_with('[') ? "" : ",",
            json_string(query.segments[one]),
            json_string(query.segments[other]),
            overlap.sizes[one],
            overlap.sizes[other],
            pair
        );
    });
    return json + "]}";
}

/// Of a key that sees numbers with noise: pairs alone, as combinations are many numbers at once.
Response audience_overlap(
    const Sources& sources, const Request& request, const OverlapQuery& query
) {
    if (query.combinations || query.sketch) {
        const std::string_view field = query.sketch ? "sketch" : "combinations";
        return http_server::problem(
            403,
            "scope-missing",
            fmt::format("{} needs an API key with the scope people", field),
            field
        );
    }
    return answer_audience_overlap(sources, request, query.segments);
}

Response answer_overlap(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refused);
    }
    const auto query = read_overlap_query(request.body);
    if (!query) {
        return query.error();
    }
    if (is_audience(sources, request)) {
        return audience_overlap(sources, request, *query);
    }
    auto overlap = find_overlap(sources, *query);
    if (!overlap) {
        return api::answer_error(overlap.error());
    }
    if (api::asks_for_rows(request)) {
        return api::as_asked(
            request,
            api::json_answer(rows_json(*query, *overlap)),
            {.lists = {{.name = "overlap"}},
             .columns =
                 {"first",
                  "second",
                  "first_people",
                  "second_people",
                  "count",
                  "exact",
                  "error",
                  "low",
                  "high"}}
        );
    }
    std::string combinations;
    if (query->combinations) {
        const auto combined = sources.people->combined(query->segments);
        if (!combined) {
            return api::answer_error(combined.error());
        }
        combinations = combinations_json(query->segments, *combined);
        overlap->as_of = std::min(overlap->as_of, combined->as_of);
    }
    return api::json_answer(overlap_json(*query, *overlap, combinations));
}

}  // namespace

void add_algebra_routes(api::FrontDoor& door, const Sources& sources) {
    const auto refuse = [keeper = door.keeper()](const Request& request) {
        return refuse_strangers(keeper, request);
    };
    const http_server::BodyLimit names{.bytes = segments_asked_bytes_max};
    const auto count = on(sources.surveys, sources, answer_count);
    const auto overlap = on(sources.surveys, sources, answer_overlap);
    door.add_refusing(refuse, Method::post, "/api/v1/segments/count", count, names);
    door.add_refusing(refuse, Method::post, "/api/v1/segments/overlap", overlap, names);
}

}  // namespace footfall::segments::routes
