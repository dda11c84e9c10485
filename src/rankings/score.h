#pragma once

#include "foundation/result.h"
#include "rankings/trend_settings.h"
#include "rankings/trending.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::rankings {

/// What an object's fast sum would be if it did as all objects together do now. Everybody's morning
/// and a deployment's first hour raise both sums of all, so neither makes anything trend. Pure.
double expected_fast(double slow, const TrendTotals& totals);

/// By how many standard deviations, roughly, an object is above what is expected of it:
/// (fast - E) / sqrt(E + 1). Of objects of constant popularity whose people come by chance, up to
/// 30 an hour, 2 in 1,000 are above 2 at a time, and 1 in 100,000 above 3 (simulated). Pure.
double trend_score(double fast, double expected);

struct Trending {
    std::string object;
    double fast = 0;
    double slow = 0;
    double error = 0;     ///< Of slow.
    double expected = 0;  ///< E.
    double score = 0;
    std::uint64_t people = 0;  ///< In 24 hours, as the caller was asked.
};

struct TrendList {
    std::vector<Trending> objects;  ///< The best first; equal ones by name.
    bool complete = true;           ///< False: more would have had to be asked for their people.
};

struct TrendQuestions {
    /// How many people each had in the 24 hours until now: one number an object, in order.
    std::function<Result<std::vector<std::uint64_t>>(std::span<const std::string_view> objects)>
        people;
    /// The site of an object, of which only so many are shown.
    std::function<std::string(std::string_view object)> site;
};

/// What trends: of the candidates of all lanes those with enough of fast sum, score and people, at
/// most `settings.per_site` of a site, at most `limit` in all. Asks for the people of no more than
/// could be shown, in a few batches. Fails as `questions.people` does. Pure but for the questions.
Result<TrendList> trending(
    std::span<const TrendCandidate> candidates,
    const TrendTotals& totals,
    const TrendSettings& settings,
    std::size_t limit,
    const TrendQuestions& questions
);

}  // namespace footfall::rankings
