#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "rankings/hot.h"
#include "rankings/trending.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// What is asked of who trends or is hot in a lane, and what is answered, in bytes: fields as
/// events/wire.h writes them. Between processes of one deployment, never stored. Pure.
namespace footfall::rankings {

/// Who may trend under an action, at a moment.
struct TrendsAsked {
    std::string_view action;
    Instant now;
};

/// What is hot at a moment.
struct HotAsked {
    Instant now;
};

using TrendQuestion = std::variant<TrendsAsked, HotAsked>;

struct TrendsTold {
    std::vector<TrendCandidate> candidates;
    TrendTotals totals;
};

std::string written_question(const TrendQuestion& asked);

/// Whether written_question() may have written it, and not somebody else.
bool is_trend_question(std::string_view bytes);

/// Borrows from `bytes`. `invalid_input`: it is none.
Result<TrendQuestion> read_question(std::string_view bytes);

std::string written_trends(const TrendsTold& told);

/// `corrupt`: it is none.
Result<TrendsTold> read_trends(std::string_view bytes);

std::string written_hot(const std::vector<HotObject>& objects);

/// `corrupt`: it is none.
Result<std::vector<HotObject>> read_hot(std::string_view bytes);

}  // namespace footfall::rankings
