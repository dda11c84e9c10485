#pragma once

#include "foundation/result.h"
#include "identities_routes/match_json.h"
#include "identities_routes/sources.h"

#include <boost/unordered/unordered_flat_set.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

/// What is answered to the matches of a batch. All of it blocks for reads.
namespace footfall::identities::routes {

/// A line of a batch.
struct MatchLine {
    std::size_t number = 0;  ///< From 1.
    std::string_view text = {};
    bool created = false;                       ///< As of MatchOutcome, by what stood before it.
    std::vector<std::string_view> before = {};  ///< As of MatchOutcome.
    std::string answer = {};                    ///< Empty: it has none yet.
};

/// A line that is a match. Plain; the line and the match outlive it.
struct MatchOfLine {
    MatchLine* line = nullptr;
    const Match* match = nullptr;
};

/// Answers a line by a problem.
void set_problem(MatchLine& line, const http_server::Response& problem);

/// What was known of ids before a batch named them. Of one thread.
class KnownBefore {
public:
    /// Says it of these lines, which stand behind those it was asked before. It lives as long as
    /// this.
    Result<void> note(const IndexLevels& levels, std::span<const MatchOfLine> said);

private:
    std::unordered_set<std::string> sids_;
    boost::unordered_flat_set<std::uint64_t> named_;  ///< Hashes of ids.
};

/// Of each of these, whether it is in rows as it was said.
Result<std::vector<bool>> said_in_rows(const Sources& sources, std::span<const MatchOfLine> said);

/// Who judges the lines of a batch.
struct Judging {
    bool is_own = false;       ///< This process: what follows is in rows, once it has written it.
    bool has_refused = false;  ///< And a rule refused a line, or more.

    /// Whether all is in rows, once this process has written what it was told.
    bool is_certain() const { return is_own && !has_refused; }
};

/// Answers lines that were said: by the profiles that follow, or by a problem where nothing is in
/// rows. Ids that are one profile by the index are answered from that, and `contested` is empty;
/// others from their facts.
Result<void> answer_lines(
    const Sources& sources, std::span<const MatchOfLine> said, const Judging& judging
);

}  // namespace footfall::identities::routes
