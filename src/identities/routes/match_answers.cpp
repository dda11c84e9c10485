#include "identities_routes/match_answers.h"

#include "api/answers.h"
#include "identities/fact_rows.h"
#include "jobs/wait_until.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace footfall::identities::routes {
namespace {

std::vector<Id> ids_of_all(std::span<const MatchOfLine> said) {
    std::vector<Id> ids;
    for (const MatchOfLine& each : said) {
        ids.insert(ids.end(), each.match->fact.ids.begin(), each.match->fact.ids.end());
    }
    arrange(ids);
    return ids;
}

/// Whether the index says all there is to say: its ids are one profile, and none is shared. While a
/// network doubles its partitions it has to say so in both places, since another process may ask
/// the other one.
bool are_one(const Match& match, const Index& index) {
    const std::vector<Id>& ids = match.fact.ids;
    const auto first = index.find(ids.front());
    return first != index.end() && first->second.everywhere &&
           std::ranges::all_of(ids, [&](const Id& each) {
               const auto found = index.find(each);
               return found != index.end() && found->second == first->second &&
                      !found->second.shared;
           });
}

void set_answer(
    const MatchOfLine& said,
    const Index& now,
    bool is_provisional,
    std::span<const Contested> contested = {}
) {
    MatchLine& line = *said.line;
    line.answer = match_json(
        *said.match,
        {.created = line.created,
         .before = line.before,
         .now = &now,
         .contested = contested,
         .is_provisional = is_provisional}
    );
}

/// Answers as rows have it now: what follows is settled later.
Result<void> answer_provisionally(const Sources& sources, std::span<const MatchOfLine> said) {
    if (said.empty()) {
        return {};
    }
    TRY(const Index now, read_index(sources.identities->settling().levels(), ids_of_all(said)));
    for (const MatchOfLine& each : said) {
        set_answer(each, now, /*is_provisional=*/true);
    }
    return {};
}

/// Answers from facts. Halves where too much hangs together: most that hangs together with little
/// is found at once.
Result<void> look_closer(const Sources& sources, std::span<const MatchOfLine> all) {
    const Settling& settling = sources.identities->settling();
    std::vector<MatchOfLine> said{all.begin(), all.end()};
    const auto crowd = std::ranges::partition(said, [&](const MatchOfLine& each) {
        return !settling.is_crowd(each.match->fact.ids);
    });
    TRY_VOID(answer_provisionally(sources, {crowd.begin(), crowd.end()}));
    said.erase(crowd.begin(), crowd.end());
    if (said.empty()) {
        return {};
    }
    const std::vector<Id> ids = ids_of_all(said);
    const auto follows = jobs::wait_until<Follows>(
        [&] { return sources.identities->flush(true); },
        [&]() -> Result<std::optional<Follows>> {
            if (said.size() == 1) {
                return what_follows(sources, ids);
            }
            TRY(auto known, settling.settled(ids, /*trusts_crowd=*/true));
            return known ? std::optional{Follows{.known = std::move(known)}} : std::nullopt;
        },
        std::string{still_to_come}
    );
    if (follows) {
        const std::optional<Neighbourhood>& stands = follows->known;
        if (!stands) {
            return answer_provisionally(sources, said);
        }
        const Neighbourhood& known = *stands;
        const Index now = index_of(settling, known);
        for (const MatchOfLine& each : said) {
            set_answer(
                each, now, is_provisional(sources, each.match->fact.ids), known.resolution.contested
            );
        }
        return {};
    }
    const Error& error = follows.error();
    if (error.kind == ErrorKind::conflict && said.size() > 1) {
        const std::span<const MatchOfLine> both{said};
        const std::size_t half = both.size() / 2;
        TRY_VOID(look_closer(sources, both.first(half)));
        return look_closer(sources, both.subspan(half));
    }
    if (error.kind != ErrorKind::outcome_unknown) {
        return std::unexpected(error);
    }
    for (const MatchOfLine& each : said) {
        set_problem(*each.line, api::answer_error(error));
    }
    return {};
}

/// Those that are in rows; the others are answered by a problem.
Result<std::vector<MatchOfLine>> those_in_rows(
    const Sources& sources, std::span<const MatchOfLine> said, const Judging& judging
) {
    const Error missing =
        judging.is_own
            ? refused_by_a_rule()
            : Error{.kind = ErrorKind::outcome_unknown, .message = std::string{still_to_come}};
    TRY(const std::vector<bool> are_in, said_in_rows(sources, said));
    std::vector<MatchOfLine> there;
    for (std::size_t at = 0; at < said.size(); ++at) {
        if (are_in[at]) {
            there.push_back(said[at]);
        } else {
            set_problem(*said[at].line, api::answer_error(missing));
        }
    }
    return there;
}

}  // namespace

void set_problem(MatchLine& line, const http_server::Response& problem) {
    const std::string_view json = problem.body;
    line.answer = fmt::format("{},\"line\":{}}}", json.substr(0, json.rfind('}')), line.number);
}

Result<void> KnownBefore::note(const IndexLevels& levels, std::span<const MatchOfLine> said) {
    TRY(const Index index, read_index(levels, ids_of_all(said)));
    for (const MatchOfLine& each : said) {
        MatchLine& line = *each.line;
        line.created = true;
        std::vector<std::string_view> before;
        for (const Id& id : each.match->fact.ids) {
            const auto found = index.find(id);
            const bool is_known = found != index.end();
            before.push_back(
                is_known ? std::string_view{*sids_.insert(found->second.sid).first}
                         : std::string_view{}
            );
            const bool is_first = named_.insert(hash_of(id)).second;
            line.created = line.created && is_first && !is_known;
        }
        if (std::ranges::any_of(before, [](std::string_view sid) { return !sid.empty(); })) {
            line.before = std::move(before);
        }
    }
    return {};
}

Result<std::vector<bool>> said_in_rows(const Sources& sources, std::span<const MatchOfLine> said) {
    std::vector<const Fact*> facts;
    facts.reserve(said.size());
    for (const MatchOfLine& each : said) {
        facts.push_back(&each.match->fact);
    }
    return are_in_rows(sources.identities->settling().store(), facts);
}

Result<void> answer_lines(
    const Sources& sources, std::span<const MatchOfLine> said, const Judging& judging
) {
    std::vector<MatchOfLine> there{said.begin(), said.end()};
    if (!judging.is_certain()) {
        TRY(there, those_in_rows(sources, said, judging));
    }
    if (!judging.is_own) {
        return look_closer(sources, there);
    }
    TRY(const Index now,
        read_index(sources.identities->settling().levels(), ids_of_all(there), IndexPlaces::all));
    const auto open = std::ranges::partition(there, [&](const MatchOfLine& each) {
        return are_one(*each.match, now);
    });
    for (const MatchOfLine& each : std::span{there.begin(), open.begin()}) {
        set_answer(each, now, is_provisional(sources, each.match->fact.ids));
    }
    return look_closer(sources, open);
}

}  // namespace footfall::identities::routes
